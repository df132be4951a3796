// Nodes of models that are made from programs, and such models as text with comments. Reference:
// docs/12-pamela.md, "From programs".
#pragma once

#include "quincunx/estimate/Model.h"
#include "quincunx/pamela/Ast.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

pamela::Tree node(pamela::Op op, std::vector<pamela::Tree> args, std::string text = {});
pamela::Tree constant(double x);
pamela::Tree named(std::string name, std::vector<pamela::Tree> args = {});
/// a + x, where sums with numbers are carried out.
pamela::Tree plus(const pamela::Tree &a, double x);
/// How often a condition is true, as cumulants per evaluation.
pamela::Tree shares(const Cumulants &rate);
/// A number, or moments(...).
pamela::Tree randomNumber(const Cumulants &k);
/// How often on average: a number of turns that has no spread.
pamela::Tree average(const pamela::Tree &n);
/// `index` = 1 .. n, or 0 .. n - 1. Turns whose number is not whole are as many on average.
pamela::Tree repeat(pamela::Op op, const std::string &index, double from, const pamela::Tree &n,
                    pamela::Tree body);
/// What follows each other; nothing is delay(0).
pamela::Tree inTurn(std::vector<pamela::Tree> all);

/// Lines of comment for nodes, known by their address.
using NodeComments = std::map<const pamela::Node *, std::string>;

/// A model that grows from its first line on.
class ModelText {
public:
  /// Lines in front of what follows.
  void comment(const std::string &text);
  void add(pamela::Definition definition, const NodeComments &comments = {},
           const std::string &behind = {});
  std::string text() const;
  const pamela::Model &model() const { return all; }

private:
  void addLines(const std::string &comment);
  pamela::Tree placed(const pamela::Tree &tree, const NodeComments &comments);
  pamela::Model all;
  uint32_t line = 0;
};

} // namespace quincunx
