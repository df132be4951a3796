// Trees as text.
// The idea: an expression stands in brackets where it binds less tightly than its place asks, and
// where what follows would be taken for a part of it. What does not fit on a line has each part on
// one of its own. Reference: docs/12-pamela.md, "Grammar" and "Layout".
#include "Printer.h"

#include "Operators.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quincunx::pamela {

namespace {

Level levelOf(const Node &n) {
  if (const Word *w = find(operators, n.op))
    return w->level;
  switch (n.op) {
  case Op::negate:
    return Level::unary;
  case Op::logicalNot:
    return Level::logicalNot;
  case Op::power:
    return Level::power;
  case Op::number:
    return std::signbit(n.value) ? Level::unary : Level::primary;
  default:
    return Level::primary;
  }
}

bool isChain(const Node &n) { return find(operators, n.op) != nullptr; }
bool isSum(const Node &n) {
  return n.op == Op::sum || n.op == Op::max || n.op == Op::min ||
         (n.op == Op::any && isSum(*n.args[1]));
}

bool needsBrackets(const Node &n, Level least, const Follow &follow) {
  return levelOf(n) < least || (isSum(n) && follow.factor) ||
         (n.op == Op::branch && (follow.operand || (follow.otherwise && n.args.size() == 2)));
}

} // namespace

void Printer::separate(bool broken, size_t indent) {
  if (broken)
    out.newline(indent);
  else
    out.gap();
}

void Printer::expression(const Tree &tree, Level least, size_t tail, Follow follow) {
  if (out.measuring() && out.tooWide())
    return;
  if (needsBrackets(*tree, least, follow))
    brackets(tree, tail, false);
  else
    plain(*tree, tail, follow);
}

/// Braces around processes, which have lines of their own, else parentheses.
void Printer::brackets(const Tree &tree, size_t tail, bool broken) {
  const Node &n = *tree;
  const bool process = n.op == Op::sequence || n.op == Op::parallel || n.op == Op::seq ||
                       n.op == Op::par || n.op == Op::any;
  if (!process && !broken) {
    out.put("(");
    expression(tree, Level::sequence, tail + 1);
    out.put(")");
    return;
  }
  const auto write = [&] { brackets(tree, tail, false); };
  broken = broken || (!flat && !out.measuring() && !out.fits(write, tail));
  const bool outer = std::exchange(flat, flat || !broken);
  const size_t base = out.indent();
  out.put("{");
  separate(broken, base + 2);
  if (broken && isChain(n) && levelOf(n) <= Level::parallel)
    chain(n, true, 0, {});
  else
    expression(tree, Level::sequence, broken ? 0 : tail + 2);
  separate(broken, base);
  out.put("}", n.close);
  flat = outer;
}

void Printer::plain(const Node &n, size_t tail, const Follow &follow) {
  const bool splits = !((n.op == Op::number || n.op == Op::name) && n.args.empty()) &&
                      n.op != Op::negate && n.op != Op::logicalNot && n.op != Op::power;
  const bool broken = splits && !flat && !out.measuring() &&
                      !out.fits([&] { parts(n, false, tail, follow); }, tail);
  const bool outer = std::exchange(flat, flat || (splits && !broken));
  parts(n, broken, tail, follow);
  flat = outer;
}

void Printer::parts(const Node &n, bool broken, size_t tail, const Follow &follow) {
  if (isChain(n))
    return chain(n, broken, tail, follow);
  if (const Task *t = find(tasks, n.op)) {
    out.put(t->text, n.at);
    out.put("(");
    return list(n.args, broken, ")", tail);
  }
  switch (n.op) {
  case Op::number:
    return out.put(exact(n.value), n.at);
  case Op::negate:
    out.put("-", n.at);
    return expression(n.args[0], Level::unary, tail, follow);
  case Op::logicalNot:
    out.put("not ", n.at);
    return expression(n.args[0], Level::logicalNot, tail, follow);
  case Op::power:
    expression(n.args[0], Level::primary, 1, {.factor = true, .operand = true});
    out.put("^");
    return expression(n.args[1], Level::unary, tail, follow);
  case Op::vector:
    out.put("[", n.at);
    return list(n.args, broken, "]", tail);
  case Op::branch:
    return branch(n, broken, tail, follow);
  case Op::select:
    return select(n, broken, tail);
  case Op::any:
    return any(n, broken, tail, follow);
  case Op::name:
  case Op::call:
  case Op::law:
    return named(n, broken, tail);
  default:
    return repetition(n, broken, tail, follow);
  }
}

void Printer::named(const Node &n, bool broken, size_t tail) {
  out.put(n.text, n.at);
  if (n.args.empty())
    return;
  out.put("(");
  list(n.args, broken, ")", tail);
}

/// any body, or any (k) body; k is 1 where it is not said.
void Printer::any(const Node &n, bool broken, size_t tail, const Follow &follow) {
  out.put("any ", n.at);
  const Node &k = *n.args[0];
  if (k.op != Op::number || k.value != 1) {
    out.put("(");
    expression(n.args[0], Level::sequence, 3);
    out.put(")");
    return body(n.args[1], broken, tail, follow);
  }
  return needsBrackets(*n.args[1], Level::primary, follow)
             ? brackets(n.args[1], tail, broken)
             : expression(n.args[1], Level::primary, tail, follow);
}

/// a + b - c: operands with operators of one level between them, which bind to the left.
void Printer::chain(const Node &n, bool broken, size_t tail, const Follow &follow) {
  const Level level = levelOf(n);
  std::vector<std::pair<std::string_view, const Tree *>>
      parts; // operators are in front of operands
  Level first = tighter(level);
  if (level <= Level::parallel)
    for (const Tree &t : n.args)
      parts.emplace_back(find(operators, n.op)->text, &t);
  else {
    const Node *at = &n;
    for (;; at = at->args[0].get()) {
      parts.emplace_back(find(operators, at->op)->text, &at->args[1]);
      if (level == Level::comparison || levelOf(*at->args[0]) != level || !isChain(*at->args[0]))
        break;
    }
    parts.emplace_back("", &at->args[0]);
    std::ranges::reverse(parts);
  }
  Follow operatorFollows;
  operatorFollows.factor = level == Level::product;
  operatorFollows.operand = level >= Level::logicalOr;
  const size_t base = out.indent() + (out.measuring() || out.fresh() ? 0 : 2);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (out.measuring() && out.tooWide())
      return;
    const bool end = i + 1 == parts.size();
    const std::string_view sign = end ? "" : parts[i + 1].first;
    const size_t behindIt = end ? tail : sign.size() + 1;
    expression(*parts[i].second, i == 0 ? first : tighter(level), behindIt,
               end ? follow : operatorFollows);
    if (end)
      return;
    if (sign != ";")
      out.put(" ");
    out.put(sign);
    separate(broken, base);
  }
}

void Printer::list(const std::vector<Tree> &args, bool broken, std::string_view close,
                   size_t tail) {
  const size_t base = out.indent() + 2;
  if (broken)
    out.newline(base);
  for (size_t i = 0; i < args.size(); ++i) {
    if (out.measuring() && out.tooWide())
      return;
    const bool end = i + 1 == args.size();
    expression(args[i], Level::sequence, end ? tail + 1 : 1);
    out.put(end ? close : ",");
    if (!end)
      separate(broken, base);
  }
}

/// The body of a construct: in braces when it is no primary.
void Printer::body(const Tree &tree, bool broken, size_t tail, const Follow &follow) {
  if (needsBrackets(*tree, Level::primary, follow)) {
    out.put(" ");
    return brackets(tree, tail, broken && levelOf(*tree) <= Level::parallel);
  }
  separate(broken, out.indent() + 2);
  expression(tree, Level::primary, tail, follow);
}

void Printer::repetition(const Node &n, bool broken, size_t tail, const Follow &follow) {
  const Word &construct = *find(repetitions, n.op);
  out.put(construct.text, n.at);
  out.put(" (" + n.text + " = ");
  expression(n.args[0], Level::sequence, 1);
  out.put(", ");
  expression(n.args[1], Level::sequence, 3);
  out.put(")");
  if (construct.level == Level::primary)
    return body(n.args[2], broken, tail, follow);
  separate(broken, out.indent() + 2);
  expression(n.args[2], Level::product, tail, follow);
}

void Printer::branch(const Node &n, bool broken, size_t tail, const Follow &follow) {
  const size_t base = out.indent();
  const bool both = n.args.size() == 3;
  out.put("if (", n.at);
  expression(n.args[0], Level::sequence, 3);
  out.put(")");
  const Follow otherwise{.otherwise = true};
  body(n.args[1], broken, both ? 0 : tail, both ? otherwise : follow);
  if (!both)
    return;
  const Node &first = *n.args[1], &second = *n.args[2];
  if (needsBrackets(first, Level::primary, otherwise) && levelOf(first) <= Level::parallel)
    out.put(" ");
  else
    separate(broken, base);
  out.put("else");
  if (second.op != Op::branch || needsBrackets(second, Level::primary, follow))
    return body(n.args[2], broken, tail, follow);
  out.put(" ");
  expression(n.args[2], Level::primary, tail, follow);
}

void Printer::select(const Node &n, bool broken, size_t tail) {
  const size_t base = out.indent();
  out.put("switch ", n.at);
  if (n.args[0]) {
    out.put("(");
    expression(n.args[0], Level::sequence, 3);
    out.put(") ");
  }
  out.put("{");
  separate(broken, base + 2);
  for (size_t i = 1; i < n.args.size(); i += 2) {
    if (out.measuring() && out.tooWide())
      return;
    const bool last = i + 1 == n.args.size(); // without a value in front of it
    if (last)
      out.put("else");
    else
      expression(n.args[i], Level::sequence, 2);
    out.put(" :");
    const bool end = i + 2 >= n.args.size();
    behind(n.args[last ? i : i + 1], end ? (broken ? 0 : tail + 2) : 1);
    if (!end) {
      out.put(",");
      separate(broken, base + 2);
    }
  }
  separate(broken, base);
  out.put("}", n.close);
}

void Printer::behind(const Tree &tree, size_t tail) {
  const bool splits = isChain(*tree);
  const auto onThisLine = [&] {
    if (splits)
      out.gap();
    else
      out.put(" ");
    expression(tree, Level::sequence, tail);
  };
  if (!splits || flat || out.measuring())
    return onThisLine();
  if (out.fits(onThisLine, tail)) {
    flat = true;
    onThisLine();
    flat = false;
    return;
  }
  out.newline(out.indent() + 2);
  expression(tree, Level::sequence, tail);
}

} // namespace quincunx::pamela
