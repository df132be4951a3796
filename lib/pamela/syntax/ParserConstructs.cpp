// What begins with a word of its own: seq, par, sum, if, switch, any, delay, and numbers and names.
// The idea: the body of a process construct is a primary, that of a sum a product, as one writes
// them in mathematics. Reference: docs/12-pamela.md, "Grammar". Operators are in Parser.cpp.
#include "DepthGuard.h"
#include "Parser.h"

#include <limits>

namespace quincunx::pamela {

bool Parser::startsPrimary() const {
  static constexpr std::string_view words[] = {"(",   "{",  "[",      "inf",   "seq", "par", "sum",
                                               "any", "if", "switch", "delay", "use", "fcfs"};
  if (now().type == Token::Type::word)
    for (const std::string_view w : words)
      if (now().text == w)
        return true;
  return now().type == Token::Type::number || now().type == Token::Type::name;
}

/// Is this the end of an expression?
bool Parser::endsHere() const {
  static constexpr std::string_view words[] = {"}",       ")",       "]",        ",",
                                               "numeric", "process", "resource", "include"};
  if (now().type == Token::Type::word)
    for (const std::string_view w : words)
      if (now().text == w)
        return true;
  return now().type == Token::Type::end;
}

Parser::Made Parser::primary() {
  const DepthGuard nest(*this);
  if (!nest)
    return nullptr;
  const Token &word = now();
  if (word.type == Token::Type::number || word.is("inf"))
    return number();
  if (word.is("(") || word.is("{"))
    return brackets();
  if (word.is("[")) {
    next();
    std::vector<Tree> args;
    return list(args, "]") ? make(Op::vector, word.at, std::move(args)) : nullptr;
  }
  if (word.is("any"))
    return any();
  if (word.is("if"))
    return branch();
  if (word.is("switch"))
    return select();
  // max and min are no keywords: with an index they are constructs, else functions.
  const Word *repeated = find(repetitions, word.text);
  if (repeated && (word.type == Token::Type::word ||
                   (word.type == Token::Type::name && tokens[at + 1].is("(") &&
                    tokens[at + 2].type == Token::Type::name && tokens[at + 3].is("="))))
    return repetition(*repeated);
  if (word.type == Token::Type::name)
    return named();
  if (const Task *t = find(tasks, word.text); t && word.type == Token::Type::word)
    return task(*t);
  if (word.is("not"))
    fail("'not' needs brackets around it here, as it binds less than what is in front of it",
         word.at);
  else
    unexpected("an expression");
  return nullptr;
}

Parser::Made Parser::number() {
  const Token &word = now();
  next();
  const Made made = make(Op::number, word.at);
  made->value = word.is("inf") ? std::numeric_limits<double>::infinity() : word.value;
  return made;
}

/// seq (i = a, b) body
Parser::Made Parser::repetition(const Word &construct) {
  const Place place = now().at;
  next();
  if (!expect("(", "and an index, as in (i = 1, N)"))
    return nullptr;
  const std::string_view index = name("an index, as in (i = 1, N)");
  if (index.empty() || !expect("=", "behind the index, as in (i = 1, N)"))
    return nullptr;
  std::vector<Tree> args;
  args.push_back(loose(Level::sequence));
  if (!args.back() || !expect(",", "between the first and the last value of the index"))
    return nullptr;
  args.push_back(loose(Level::sequence));
  if (!args.back() || !expect(")", "behind the last value of the index"))
    return nullptr;
  args.push_back(construct.level == Level::product ? loose(Level::product) : primary());
  return args.back() ? make(construct.op, place, std::move(args), index) : nullptr;
}

/// delay(t), use(r, t), fcfs(index, multiplicity)
Parser::Made Parser::task(const Task &construct) {
  const Place place = now().at;
  next();
  std::vector<Tree> args;
  if (!expect("(", "and arguments") || !list(args, ")"))
    return nullptr;
  if (args.size() != construct.arguments) {
    fail(std::string(construct.text) + " takes " +
             (construct.op == Op::delay ? "one argument, the time"
              : construct.op == Op::use ? "two arguments, a resource and the time"
                                        : "two arguments, an index and how many it can serve") +
             ", not " + std::to_string(args.size()),
         place);
    return nullptr;
  }
  return make(construct.op, place, std::move(args));
}

/// any (k) body; brackets with nothing behind them are the body.
Parser::Made Parser::any() {
  const Place place = now().at;
  next();
  const bool bracket = now().is("(");
  Made k, body = primary();
  if (body && bracket && startsPrimary()) {
    k = std::move(body);
    body = primary();
  }
  if (!body)
    return nullptr;
  const bool numbers = body->op == Op::max || (body->op == Op::call && body->text == "max");
  if (body->op != Op::parallel && body->op != Op::par && !numbers) {
    fail("any waits for some of several parts: it needs a par, or parts with || between them (or a "
         "max of numbers)",
         body->at);
    return nullptr;
  }
  if (!k) {
    k = make(Op::number, place); // where an error says that it is
    k->value = 1;
  }
  return make(Op::any, place, {k, body});
}

/// if (c) body else body
Parser::Made Parser::branch() {
  const Place place = now().at;
  next();
  if (!now().is("(")) {
    unexpected("'(' and a condition");
    return nullptr;
  }
  std::vector<Tree> args;
  args.push_back(brackets());
  if (!args.back())
    return nullptr;
  do {
    args.push_back(now().is("-") ? unary() : primary());
    if (!args.back())
      return nullptr;
  } while (args.size() < 3 && take("else"));
  return make(Op::branch, place, std::move(args));
}

/// switch (e) { value : expression, ..., else : expression }
Parser::Made Parser::select() {
  const Place place = now().at;
  next();
  std::vector<Tree> args{nullptr};
  if (now().is("(") && !(args[0] = brackets()))
    return nullptr;
  if (!expect("{", "and what to choose from"))
    return nullptr;
  do {
    const bool last = args.size() > 1 && take("else");
    if (!last)
      args.push_back(loose(Level::sequence));
    if (!args.back() || !expect(":", last ? "behind 'else'" : "behind a value or probability"))
      return nullptr;
    args.push_back(loose(Level::sequence));
    if (!args.back())
      return nullptr;
    if (last)
      break;
  } while (take(","));
  const Place end = now().at;
  if (!take("}")) {
    unexpected(args.size() % 2 == 0 ? "'}' behind the last choice" : "',' or '}'");
    return nullptr;
  }
  const Made made = make(Op::select, place, std::move(args));
  made->close = end;
  return made;
}

} // namespace quincunx::pamela
