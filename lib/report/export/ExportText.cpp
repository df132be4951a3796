// Makes nodes and gives them their lines. The idea: the printer puts comments where they stood in a
// source. So every node gets a line of its own, in the order in which it will be printed, and a
// comment the line in front of its node.
#include "ExportText.h"

#include "quincunx/pamela/Print.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

using pamela::Node;
using pamela::Op;
using pamela::Tree;

Tree node(Op op, std::vector<Tree> args, std::string text) {
  return std::make_shared<const Node>(Node{op, 0, std::move(text), std::move(args), {}, {}});
}
Tree constant(double x) {
  return std::make_shared<const Node>(Node{Op::number, x, {}, {}, {}, {}});
}
Tree named(std::string name, std::vector<Tree> args) {
  return node(Op::name, std::move(args), std::move(name));
}

Tree plus(const Tree &a, double x) {
  if (x == 0)
    return a;
  if (a->op == Op::number)
    return constant(a->value + x);
  if (a->op == Op::add && a->args[0]->op == Op::number)
    return plus(a->args[1], a->args[0]->value + x);
  if ((a->op == Op::add || a->op == Op::subtract) && a->args[1]->op == Op::number)
    return plus(a->args[0], (a->op == Op::add ? 1 : -1) * a->args[1]->value + x);
  return x < 0 ? node(Op::subtract, {a, constant(-x)}) : node(Op::add, {a, constant(x)});
}

Tree shares(const Cumulants &rate) {
  const Moments m = moments(rate);
  return node(Op::law,
              {constant(m.mean), constant(m.variance), constant(m.skewness), constant(m.kurtosis)},
              "moments");
}
Tree randomNumber(const Cumulants &k) { return k.k2 == 0 ? constant(k.k1) : shares(k); }

Tree average(const Tree &n) {
  return node(Op::law, {n, constant(0), constant(0), constant(3)}, "moments");
}

Tree repeat(Op op, const std::string &index, double from, const Tree &n, Tree body) {
  const bool isWhole = n->op != Op::number || n->value == std::round(n->value);
  const Tree last = plus(n, from - 1);
  return node(op,
              {constant(from), isWhole || op != Op::seq ? last : average(last), std::move(body)},
              index);
}

Tree inTurn(std::vector<Tree> all) {
  if (all.empty())
    return node(Op::delay, {constant(0)});
  return all.size() == 1 ? all[0] : node(Op::sequence, std::move(all));
}

void ModelText::addLines(const std::string &comment) {
  for (size_t from = 0; from <= comment.size();) {
    const size_t to = std::min(comment.find('\n', from), comment.size());
    all.comments.push_back({" " + comment.substr(from, to - from), {0, ++line, 1}});
    from = to + 1;
  }
}

void ModelText::comment(const std::string &text) {
  if (!all.definitions.empty())
    ++line; // a blank one
  addLines(text);
}

void ModelText::add(pamela::Definition definition, const NodeComments &comments,
                    const std::string &behind) {
  definition.at = {0, ++line, 1};
  if (definition.body)
    definition.body = placed(definition.body, comments);
  all.definitions.push_back(std::move(definition));
  if (!behind.empty())
    all.comments.push_back({" " + behind, {0, line, 2}});
}

Tree ModelText::placed(const Tree &tree, const NodeComments &comments) {
  Node copy = *tree;
  if (const auto own = comments.find(tree.get()); own != comments.end())
    addLines(own->second);
  copy.at = {0, ++line, 1};
  copy.close = {};
  for (Tree &t : copy.args)
    if (t)
      t = placed(t, comments);
  return std::make_shared<const Node>(std::move(copy));
}

std::string ModelText::text() const { return pamela::print(all); }

} // namespace quincunx
