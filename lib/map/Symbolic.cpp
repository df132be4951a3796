// A recursive descent over what passes/Trips.cpp prints:
//   sum = product {'+' product}       product = atom {('*' | 'div') atom}
//   atom = number | name | '(' sum ')' | ('min' | 'max') '(' sum {',' sum} ')'
// Depth is limited, since a map may come from a stranger.
#include "quincunx/map/Symbolic.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace quincunx {

struct Symbolic::Node {
  char kind = 'n'; ///< n: number, v: unknown, + * / (div), < (min), > (max)
  double number = 0;
  std::string name;
  std::vector<Node> parts;
};

namespace {

constexpr int deepest = 64;

template <class Node> class Reader {
public:
  explicit Reader(const std::string &t) : text(t) {}

  bool sum(Node &out, int depth) {
    if (depth > deepest)
      return fail("less nesting");
    if (!product(out, depth))
      return false;
    while (at("+")) {
      combine(out, '+');
      if (!product(out.parts.emplace_back(), depth))
        return false;
    }
    return true;
  }
  bool end() {
    skip();
    return place == text.size() || fail("the end");
  }
  std::string error;

private:
  static bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool isName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '@' ||
           c == '$' || (c & 0x80) != 0;
  }
  void skip() {
    while (place < text.size() && text[place] == ' ')
      ++place;
  }
  bool at(const std::string &word) {
    skip();
    if (text.compare(place, word.size(), word) != 0)
      return false;
    place += word.size();
    return true;
  }
  bool fail(const std::string &what) {
    if (error.empty())
      error = "trip count '" + escape(text) + "': expected " + what + " at " +
              std::to_string(place + 1);
    return false;
  }
  /// Makes `out` the first operand of an operation; of a sum or product that is one already, as it
  /// is.
  static void combine(Node &out, char kind) {
    if (out.kind == kind && kind != '/')
      return;
    Node first = std::move(out);
    out = Node{};
    out.kind = kind;
    out.parts.push_back(std::move(first));
  }
  bool product(Node &out, int depth) {
    if (!atom(out, depth))
      return false;
    for (char last = 0;;) {
      const char kind = at("*") ? '*' : at("div ") ? '/' : '\0';
      if (kind == 0)
        return true;
      if ((kind == '/' || kind != last) && ++depth > deepest)
        return fail("less nesting");
      last = kind;
      combine(out, kind);
      if (!atom(out.parts.emplace_back(), depth))
        return false;
    }
  }
  bool atom(Node &out, int depth) {
    if (at("("))
      return sum(out, depth + 1) && (at(")") || fail("')'"));
    if (place < text.size() && (isDigit(text[place]) || text[place] == '-'))
      return number(out);
    const size_t from = place;
    while (place < text.size() && isName(text[place]))
      ++place;
    if (place == from)
      return fail("a number, a name or '('");
    out.name = text.substr(from, place - from);
    if ((out.name == "min" || out.name == "max") && at("("))
      return list(out, depth);
    out.kind = 'v';
    return true;
  }
  bool list(Node &out, int depth) {
    out.kind = out.name == "min" ? '<' : '>';
    out.name.clear();
    do
      if (!sum(out.parts.emplace_back(), depth + 1))
        return false;
    while (at(","));
    return at(")") || fail("',' or ')'");
  }
  bool number(Node &out) {
    const char *first = text.data() + place, *last = text.data() + text.size();
    const auto [stop, bad] = std::from_chars(first, last, out.number);
    if (bad != std::errc())
      return fail("a number");
    place += static_cast<size_t>(stop - first);
    return true;
  }

  const std::string &text;
  size_t place = 0;
};

template <class Node> void addUnknowns(const Node &node, std::vector<std::string> &out) {
  if (node.kind == 'v' && std::find(out.begin(), out.end(), node.name) == out.end())
    out.push_back(node.name);
  for (const Node &part : node.parts)
    addUnknowns(part, out);
}

template <class Node, class Value>
std::optional<double> evaluated(const Node &node, const Value &value) {
  if (node.kind == 'n')
    return node.number;
  if (node.kind == 'v')
    return value(node.name);
  std::optional<double> sum;
  for (const Node &part : node.parts) {
    const std::optional<double> x = evaluated(part, value);
    if (!x)
      return std::nullopt;
    if (!sum) {
      sum = x;
      continue;
    }
    switch (node.kind) {
    case '+':
      *sum += *x;
      break;
    case '*':
      *sum *= *x;
      break;
    case '<':
      sum = std::min(*sum, *x);
      break;
    case '>':
      sum = std::max(*sum, *x);
      break;
    default:
      if (*x == 0)
        return std::nullopt;
      sum = std::floor(*sum / *x);
    }
  }
  return sum;
}

} // namespace

Result<Symbolic> Symbolic::parse(const std::string &text) {
  auto node = std::make_shared<Node>();
  Reader<Node> reader(text);
  if (!reader.sum(*node, 0) || !reader.end())
    return Error{reader.error};
  Symbolic s;
  s.root = std::move(node);
  return s;
}

std::vector<std::string> Symbolic::unknowns() const {
  std::vector<std::string> out;
  addUnknowns(*root, out);
  return out;
}

std::optional<double>
Symbolic::at(const std::function<std::optional<double>(const std::string &)> &value) const {
  return evaluated(*root, value);
}

} // namespace quincunx
