// Expressions: operators by how tightly they bind.
// The idea: operands are read from the left while operators bind at least as tightly as asked for;
// long chains are loops, only brackets and constructs in each other recurse, and not deeper than
// 500. Reference: docs/12-pamela.md, "Grammar". Constructs are in ParserConstructs.cpp.
#include "Parser.h"

#include "Builtins.h"
#include "DepthGuard.h"
#include "quincunx/base/Text.h"

namespace quincunx::pamela {

Parser::Parser(const std::vector<Token> &words, const std::string &name,
               const std::set<std::string, std::less<>> &known)
    : tokens(words), file(name), defined(known) {}

namespace {
/// Words of other languages that are names here, and what is written instead.
struct Foreign {
  std::string_view text;
  const char *instead;
};
constexpr const char *loop = "a loop is seq (i = 1, n) body, and n may be random";
constexpr Foreign foreign[] = {
    {"then", "write if (c) a else b"},
    {"elif", "write else if (c) a"},
    {"elseif", "write else if (c) a"},
    {"while", loop},
    {"for", loop},
    {"repeat", loop},
    {"do", loop},
    {"parallel", "write a || b, or par (i = 1, n) body"},
    {"let", "write numeric NAME = ..."},
    {"const", "write numeric NAME = ..."},
};
} // namespace

bool Parser::fail(const std::string &text, Place place) {
  if (!failed)
    failed = Error{text, file, place.line, place.column};
  return false;
}

bool Parser::unexpected(const std::string &what) {
  return fail("expected " + what + ", not " + describe(now()), now().at);
}

bool Parser::take(std::string_view word) {
  if (!now().is(word))
    return false;
  next();
  return true;
}

bool Parser::expect(std::string_view word, const char *to) {
  return take(word) || unexpected("'" + std::string(word) + "' " + to);
}

std::string_view Parser::name(const char *of) {
  if (now().type != Token::Type::name) {
    unexpected(std::string("the name of ") + of +
               (now().type == Token::Type::word && now().text.front() >= 'a'
                    ? " (keywords are none)"
                    : ""));
    return {};
  }
  const std::string_view text = now().text;
  next();
  return text;
}

Parser::Made Parser::make(Op op, Place place, std::vector<Tree> args, std::string_view text) {
  const Made made = std::make_shared<Node>();
  made->op = op;
  made->at = place;
  made->args = std::move(args);
  made->text = text;
  return made;
}

Tree Parser::expression() {
  const Made made = loose(Level::sequence);
  return failed ? nullptr : made;
}

Tree Parser::operand() {
  const Made made = loose(Level::sum);
  return failed ? nullptr : made;
}

/// Does the text of the tree end with the last part of an `if` that has no brackets around it?
bool Parser::endsInBranch(const Node &n) {
  const Node *last = &n;
  while (last->close.line == 0) {
    if (last->op == Op::branch)
      return true;
    const bool isOpen = find(operators, last->op) || find(repetitions, last->op) ||
                        last->op == Op::negate || last->op == Op::logicalNot ||
                        last->op == Op::power || last->op == Op::any;
    if (!isOpen)
      return false;
    last = last->args.back().get();
  }
  return false;
}

/// An operator comes next: is it clear that it takes all of `left`?
bool Parser::isClear(const Made &left) {
  if (!endsInBranch(*left))
    return true;
  return fail("does '" + std::string(now().text) +
                  "' go on with the last part of the 'if', or with what the 'if' chooses? Put "
                  "brackets around the one that is meant",
              now().at);
}

/// Operands and the operators between them that bind at least as tightly as `least`.
Parser::Made Parser::loose(Level least) {
  Made left = now().is("not") && least <= Level::logicalNot ? negation() : unary();
  while (left) {
    const Word *op = now().type == Token::Type::word ? find(operators, now().text) : nullptr;
    if (!op || op->level < least)
      return left;
    if (op->level > Level::parallel && endsInBranch(*left)) {
      fail(
          "does '" + std::string(op->text) +
              "' go on with the last part of the 'if', or with what the 'if' chooses? Put brackets "
              "around the one that is meant",
          now().at);
      return nullptr;
    }
    if (op->level == Level::comparison)
      left = comparison(std::move(left), *op);
    else if (op->level <= Level::parallel)
      left = chain(std::move(left), *op);
    else {
      next();
      const Made right = loose(tighter(op->level));
      if (!right)
        return nullptr;
      const Place place = left->at;
      left = make(op->op, place, {std::move(left), right});
    }
  }
  return nullptr;
}

/// a ; b ; c or a || b || c is one node. A semicolon that nothing follows is none.
Parser::Made Parser::chain(Made first, const Word &op) {
  std::vector<Tree> parts{first};
  while (take(op.text)) {
    if (op.op == Op::sequence && endsHere())
      break;
    Made part = loose(tighter(op.level));
    if (!part)
      return nullptr;
    parts.push_back(std::move(part));
  }
  if (parts.size() == 1)
    return first;
  const Place place = first->at;
  return make(op.op, place, std::move(parts));
}

Parser::Made Parser::comparison(Made left, const Word &op) {
  next();
  const Made right = loose(tighter(Level::comparison));
  if (!right)
    return nullptr;
  const Word *again = now().type == Token::Type::word ? find(operators, now().text) : nullptr;
  if (again && again->level == Level::comparison) {
    fail("comparisons cannot be chained; write a < b and b < c", now().at);
    return nullptr;
  }
  const Place place = left->at;
  return make(op.op, place, {std::move(left), right});
}

Parser::Made Parser::negation() {
  const DepthGuard nest(*this);
  const Place place = now().at;
  next();
  const Made operand = nest ? loose(Level::logicalNot) : nullptr;
  return operand ? make(Op::logicalNot, place, {operand}) : nullptr;
}

Parser::Made Parser::unary() {
  if (!now().is("-"))
    return power();
  const DepthGuard nest(*this);
  const Place place = now().at;
  next();
  const Made operand = nest ? unary() : nullptr;
  return operand ? make(Op::negate, place, {operand}) : nullptr;
}

Parser::Made Parser::power() {
  Made base = primary();
  if (!base || !now().is("^") || !isClear(base))
    return failed ? nullptr : base;
  const DepthGuard nest(*this);
  next();
  const Made exponent = nest ? unary() : nullptr;
  const Place place = base->at;
  return exponent ? make(Op::power, place, {std::move(base), exponent}) : nullptr;
}

/// Expressions with commas between them, and the bracket behind them.
bool Parser::list(std::vector<Tree> &into, std::string_view close) {
  do {
    Made one = loose(Level::sequence);
    if (!one)
      return false;
    into.push_back(std::move(one));
  } while (take(","));
  return take(close) || unexpected("',' or '" + std::string(close) + "'");
}

/// What stands in brackets is the tree of what is in them.
Parser::Made Parser::brackets() {
  const std::string_view close = now().is("(") ? ")" : "}";
  next();
  Made inside = loose(Level::sequence);
  if (!inside)
    return nullptr;
  const Place end = now().at;
  if (!take(close)) {
    unexpected("an operator or '" + std::string(close) + "'");
    return nullptr;
  }
  if (inside->op != Op::select)
    inside->close = end;
  return inside;
}

/// A name of the model, or a function or law that it does not redefine.
Parser::Made Parser::named() {
  const Token &word = now();
  next();
  Op op = Op::name;
  std::vector<Tree> args;
  if (take("(")) {
    if (!defined.contains(word.text))
      op = pamela::named(functions, word.text) ? Op::call
           : pamela::named(laws, word.text)    ? Op::law
                                               : Op::name;
    if (!list(args, ")"))
      return nullptr;
  }
  const Foreign *other = defined.contains(word.text) ? nullptr : find(foreign, word.text);
  if (other && startsPrimary()) {
    fail("'" + std::string(word.text) + "' is no word of a model: " + other->instead, word.at);
    return nullptr;
  }
  return make(op, word.at, std::move(args), word.text);
}

} // namespace quincunx::pamela
