// A PAMELA+ model as it was written: equations that define numbers, processes and resources, each a
// tree. Trees are immutable and shared; what they mean is for others (Analysis, Simulate).
// Reference: docs/12-pamela.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace quincunx::pamela {

/// Where something begins. `file`: index into Model::files; `line`, `column`: 1-based, 0: made by
/// the program.
struct Place {
  uint32_t file = 0, line = 0, column = 0;
};

enum class Op : uint8_t {
  // Numbers. Any of them may be random.
  number, ///< `value`
  name,   ///< `text`: a definition, a formal argument or an index; `args`: its arguments
  vector, ///< [a, b, ...]
  negate,
  logicalNot,
  add, ///< two arguments, as all that follow
  subtract,
  multiply,
  divide,
  power,
  mod, ///< the remainder that has the sign of the divisor
  div, ///< the quotient rounded down
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  logicalAnd,
  logicalOr,
  call, ///< `text`: a function of Functions.def; `args`
  law,  ///< `text`: a law of Laws.def; `args`
  sum,  ///< `text`: the index; `args`: from, to, body
  max,
  min,
  // Processes.
  delay,    ///< time
  use,      ///< resource, time
  sequence, ///< two or more, one after the other
  parallel, ///< two or more, until the last has ended
  seq,      ///< `text`: the index; `args`: from, to, body
  par,
  any, ///< k, process: a `parallel` or `par` until k of its parts have ended
  // Numbers or processes.
  branch, ///< `if`: condition, then, perhaps else
  /// `args`: selector, then pairs of a value and what it selects, perhaps a last one for all else;
  /// without a selector (its place is null) the values are probabilities.
  select,
  // Resources.
  fcfs, ///< index, multiplicity: served first come, first served
};

struct Node;
using Tree = std::shared_ptr<const Node>;

struct Node {
  Op op = Op::number;
  double value = 0;
  std::string text;
  std::vector<Tree> args;
  Place at;
  /// The bracket behind it when it stood in brackets, or that of a switch: where comments in front
  /// of it belong.
  Place close = {};
  /// Long chains are deep: they are taken apart in a loop. Nodes are made with make_shared<Node>.
  ~Node();
};

enum class Kind : uint8_t { numeric, process, resource };

/// Text behind a % up to the end of the line, without either.
struct Comment {
  std::string text;
  Place at;
};

struct Definition {
  Kind kind = Kind::numeric;
  bool parameter = false; ///< keeps its name in results, also when it has a body
  std::string name;
  std::vector<std::string> arguments;
  Tree body; ///< null: a parameter without a value
  Place at;
  Tree least = nullptr, most = nullptr; ///< the range of a parameter; null: none on that side
};

struct Model {
  std::vector<std::string>
      files; ///< as named on the command line or in `include`; [0] is the main one
  std::vector<Definition> definitions;
  std::vector<Comment> comments;                       ///< of files[0], in their order
  std::vector<std::pair<Place, std::string>> includes; ///< of files[0]
};

/// Do they say the same, wherever they stand?
bool same(const Tree &a, const Tree &b);

} // namespace quincunx::pamela
