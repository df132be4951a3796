// Reads .machine files: prices of classes of instructions, events and callees, and what a
// calibration found out about a program.
// The idea: a line per class or event, `load 4` or `load moments(4,9,3,12)` (mean, variance,
// skewness, kurtosis), `callee NAME` before the cost of a call, `byte NAME` of a byte that calls
// move, `name` and `unit` once each, `#` to the end of a line is a comment. What is left out costs
// nothing. What no cost can be (negative, kurtosis below 1 + skewness^2) is an error with its line.
// Reference: docs/13-machines.md. It does not know which instruction belongs to which class
// (passes/), nor how often events happen.
#include "quincunx/cost/Machine.h"

#include "Builtin.h"
#include "quincunx/base/Nearest.h"
#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

namespace quincunx {

std::span<const std::string> machineClasses() {
  static const std::string words[] = {"construct", "add",     "multiply", "divide", "fadd",
                                      "fmultiply", "fdivide", "convert",  "load",   "store",
                                      "atomic",    "branch",  "jump",     "call",   "vector",
                                      "memory",    "other"};
  return words;
}

std::span<const std::string> machineEvents() {
  static const std::string words[] = {"mispredict",     "l2Hit",    "l3Hit", "memoryAccess",
                                      "prefetchedLine", "pageWalk", "fault", "start"};
  return words;
}

namespace {

Cumulants costIn(const std::vector<std::pair<std::string, Cumulants>> &costs,
                 const std::string &word) {
  for (const auto &[known, k] : costs)
    if (known == word)
      return k;
  return {};
}

} // namespace

Cumulants Machine::cost(const std::string &className) const { return costIn(classes, className); }
Cumulants Machine::event(const std::string &eventName) const { return costIn(events, eventName); }

bool Machine::constant() const {
  const auto isConstant = [](const auto &c) { return c.second.k2 == 0; };
  return std::all_of(classes.begin(), classes.end(), isConstant) &&
         std::all_of(events.begin(), events.end(), isConstant) &&
         std::all_of(callees.begin(), callees.end(), isConstant) &&
         std::all_of(bytes.begin(), bytes.end(), isConstant);
}

namespace {

std::string_view trim(std::string_view s) {
  const char *blank = " \t\r";
  const size_t from = s.find_first_not_of(blank);
  if (from == std::string_view::npos)
    return {};
  return s.substr(from, s.find_last_not_of(blank) - from + 1);
}

std::string quoted(std::string_view s) {
  std::string q("'");
  q += escape(s);
  q += '\'';
  return q;
}

std::optional<double> number(std::string_view s) {
  s = trim(s);
  if (s.starts_with('+'))
    s.remove_prefix(1);
  double x = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), x);
  if (error != std::errc() || end != s.data() + s.size() || !std::isfinite(x))
    return std::nullopt;
  return x;
}

Error wrong(std::string text) { return Error{std::move(text)}; }

/// "4,9,3,12": mean, variance, skewness, kurtosis.
Result<Moments> parseFour(std::string_view inside) {
  std::vector<double> x;
  for (size_t from = 0; from <= inside.size();) {
    const size_t comma = std::min(inside.find(',', from), inside.size());
    const auto value = number(inside.substr(from, comma - from));
    if (!value)
      return wrong(quoted(trim(inside.substr(from, comma - from))) + " is not a number");
    x.push_back(*value);
    from = comma + 1;
  }
  if (x.size() != 4)
    return wrong("moments(mean, variance, skewness, kurtosis) takes four numbers, not " +
                 std::to_string(x.size()));
  const Moments m{x[0], x[1], x[2], x[3]};
  if (m.variance < 0)
    return wrong("no cost has a negative variance");
  if (m.variance == 0 && m.skewness != 0)
    return wrong("a cost with variance 0 is a constant: its skewness is 0");
  if (m.variance > 0 && m.variance * m.variance < std::numeric_limits<double>::min())
    return wrong("a variance of " + exact(m.variance) +
                 " is too small for a fourth moment: "
                 "write 0, and skewness 0");
  const std::optional<Moments> possible = admissibleAsPrinted(m);
  if (!possible)
    return wrong("no cost has these moments: kurtosis is at least 1 + skewness^2");
  return *possible;
}

/// A number, or moments(...).
Result<Moments> parseMoments(std::string_view s) {
  const std::string_view open = "moments(";
  if (s.starts_with(open) && s.ends_with(')'))
    return parseFour(s.substr(open.size(), s.size() - open.size() - 1));
  if (const auto value = number(s))
    return Moments{*value, 0, 0, 3};
  return wrong(quoted(s) + " is not a cost: write a number or "
                           "moments(mean, variance, skewness, kurtosis)");
}

} // namespace

Result<Cumulants> parseCost(std::string_view s) {
  const Result<Moments> cost = parseMoments(s);
  if (!cost)
    return cost.error();
  if (cost->mean < 0)
    return wrong("no cost is negative");
  return cumulants(*cost);
}

namespace {

bool isOneOf(std::span<const std::string> words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words of one line each that is no cost.
std::span<const std::string> figureWords() {
  static const std::string words[] = {"residual", "error", "growth", "carries",      "scale",
                                      "limit",    "once",  "kernel", "programSpread"};
  return words;
}

/// The present word for one of older files; any other word as it is. Corpora keep the text of
/// machines, so these stay readable.
std::string presentWord(std::string word) {
  static constexpr std::pair<std::string_view, std::string_view> renamed[] = {
      {"near", "l2Hit"},          {"far", "l3Hit"},
      {"beyond", "memoryAccess"}, {"stream", "prefetchedLine"},
      {"walk", "pageWalk"},       {"common", "programSpread"}};
  for (const auto &[before, now] : renamed)
    if (word == before)
      return std::string(now);
  return word;
}

Error unknown(const std::string &word) {
  std::vector<std::string> words(machineClasses().begin(), machineClasses().end());
  words.insert(words.end(), machineEvents().begin(), machineEvents().end());
  words.insert(words.end(), figureWords().begin(), figureWords().end());
  words.insert(words.end(), {"callee", "byte", "name", "unit", "function", "prices", "carried",
                             "calls", "body", "build"});
  const std::string hint = nearest(word, words);
  return wrong("unknown class or event " + quoted(word) +
               (hint.empty() ? "" : "; did you mean " + quoted(hint) + "?"));
}

/// The first word of a line, and what follows.
std::pair<std::string, std::string_view> firstWord(std::string_view line) {
  const size_t blank = std::min(line.find_first_of(" \t"), line.size());
  return {std::string(line.substr(0, blank)), trim(line.substr(blank))};
}

/// "0 main 1.5 -2" behind the word of the line: which of the functions of its name, the name, a
/// number for each block, which become the weights.
Result<ProgramFit::Function> parseBlocks(const std::string &line, std::string_view rest) {
  ProgramFit::Function f;
  auto [ordinal, name] = firstWord(rest);
  std::tie(f.name, rest) = firstWord(name);
  const auto value = number(ordinal);
  if (!value || *value < 0 || *value > 1e6 || *value != std::floor(*value) || f.name.empty())
    return wrong(quoted(line) + " needs which of its name it is (from 0), the name, and " +
                 (line == "function" ? "weights" : "costs") + " of " +
                 (line == "calls" ? "calls" : "blocks"));
  f.ordinal = static_cast<uint32_t>(*value);
  while (!rest.empty()) {
    std::string word;
    std::tie(word, rest) = firstWord(rest);
    const auto weight = number(word);
    if (!weight)
      return wrong(quoted(word) + " is not a number");
    f.weights.push_back(*weight);
  }
  return f;
}

Status parseFunction(std::string_view rest, ProgramFit &fit) {
  Result<ProgramFit::Function> f = parseBlocks("function", rest);
  if (!f)
    return f.error();
  fit.functions.push_back(std::move(*f));
  return Done{};
}

/// "prices", "carried" or "calls", behind the line of the function.
Status parseOfFunction(const std::string &line, std::string_view rest, ProgramFit &fit) {
  Result<ProgramFit::Function> f = parseBlocks(line, rest);
  if (!f)
    return f.error();
  const bool isOfCalls = line == "calls";
  const bool follows = !fit.functions.empty() && fit.functions.back().name == f->name &&
                       fit.functions.back().ordinal == f->ordinal;
  if (!follows || f->weights.empty() ||
      (!isOfCalls && fit.functions.back().weights.size() != f->weights.size()))
    return wrong(quoted(line) + " follows the line of its function, with a cost for each of its " +
                 (isOfCalls ? "calls" : "blocks"));
  std::vector<double> &costs = isOfCalls           ? fit.functions.back().calls
                               : line == "carried" ? fit.functions.back().carried
                                                   : fit.functions.back().prices;
  if (!costs.empty())
    return wrong("'" + line + ' ' + std::to_string(f->ordinal) + ' ' + escape(f->name) +
                 "' is given twice");
  if (std::any_of(f->weights.begin(), f->weights.end(), [](double c) { return c < 0; }))
    return wrong("no cost is negative");
  costs = std::move(f->weights);
  return Done{};
}

/// One of the builds that was fitted to; others have lines of their own.
Status parseBuild(std::string_view rest, ProgramFit &fit) {
  if (rest.empty() || rest.find_first_not_of("0123456789abcdef") != rest.npos)
    return wrong("'build' needs the name of a build, in hex digits");
  fit.builds.emplace_back(rest);
  return Done{};
}

/// "0.15 2e6": an exponent, and the memory in bytes from which on it counts.
Status parseGrowth(std::string_view rest, ProgramFit &fit) {
  const auto [first, second] = firstWord(rest);
  const auto exponent = number(first), base = number(second);
  if (!exponent || !base || *exponent < 0 || *base <= 0)
    return wrong("'growth' needs an exponent, at least 0, and bytes of memory, above 0");
  fit.memoryExponent = *exponent, fit.memoryBase = *base;
  return Done{};
}

Status parseBody(std::string_view rest, ProgramFit &fit) {
  auto [file, more] = firstWord(rest);
  const auto [line, figures] = firstWord(more);
  const auto [factor, deviation] = firstWord(figures);
  const auto at = number(line), value = number(factor), spread = number(deviation);
  if (file.empty() || !at || *at < 0 || *at > UINT32_MAX || *at != std::floor(*at) || !value ||
      *value <= 0 || !spread || *spread < 0)
    return wrong("'body' needs a file, a line, a number above 0 and one not below 0");
  fit.bodies.push_back({std::move(file), static_cast<uint32_t>(*at), *value, *spread});
  return Done{};
}

Status parseResidual(std::string_view rest, ProgramFit &fit) {
  const Result<Moments> residual = parseMoments(rest);
  if (!residual)
    return residual.error();
  if (residual->mean != 0)
    return wrong("a residual has mean 0");
  fit.residual = *residual;
  return Done{};
}

Status parseFigure(const std::string &word, std::string_view rest, Machine &machine) {
  if (word == "residual")
    return parseResidual(rest, machine.fit);
  if (word == "growth")
    return parseGrowth(rest, machine.fit);
  if (word == "once") {
    const auto cost = number(rest);
    if (!cost || *cost < 0)
      return wrong("'once' needs a number that is not below 0");
    machine.fit.once = *cost;
    return Done{};
  }
  if (word == "kernel") {
    const auto share = number(rest);
    if (!share || *share < 0 || *share >= 1)
      return wrong("'kernel' needs a share from 0 to below 1");
    machine.fit.kernelShare = *share;
    return Done{};
  }
  if (word == "carries") {
    machine.fit.carriesMispredictions = rest == "mispredict";
    return rest == "mispredict" ? Status(Done{}) : wrong("'carries' is followed by 'mispredict'");
  }
  const auto value = number(rest);
  if (!value || *value <= 0)
    return wrong(quoted(word) + " needs a number above 0");
  if (word == "limit" && *value < 1)
    return wrong("a limit is at least 1");
  (word == "scale"   ? machine.fit.scale
   : word == "limit" ? machine.fit.limit
   : word == "error" ? machine.fit.medianError
                     : machine.programSpread) = *value;
  return Done{};
}

/// One line of a .machine file, taken into `machine`. `seen` holds the words that had a line.
Status parseLine(std::string_view line, Machine &machine, std::set<std::string> &seen) {
  auto [word, rest] = firstWord(line);
  word = presentWord(std::move(word));
  const bool isClass = isOneOf(machineClasses(), word), isByte = word == "byte",
             isCallee = isByte || word == "callee";
  const bool isText = word == "name" || word == "unit", isFigure = isOneOf(figureWords(), word);
  if (word == "function")
    return parseFunction(rest, machine.fit);
  if (word == "carried" || word == "calls" || word == "prices")
    return parseOfFunction(word, rest, machine.fit);
  if (word == "body")
    return parseBody(rest, machine.fit);
  if (word == "build")
    return parseBuild(rest, machine.fit);
  if (!isClass && !isCallee && !isText && !isFigure && !isOneOf(machineEvents(), word))
    return unknown(word);
  std::string callee;
  if (isCallee) {
    std::tie(callee, rest) = firstWord(rest);
    if (callee.empty())
      return wrong(quoted(word) + " needs the name of a function and a cost");
    word += ' ' + callee;
  }
  if (!seen.insert(word).second)
    return wrong(quoted(word) + " is given twice");
  if (rest.empty())
    return wrong(quoted(word) + " needs a value");
  if (isText) {
    (word == "name" ? machine.name : machine.unit) = rest;
    return Done{};
  }
  if (isFigure)
    return parseFigure(word, rest, machine);
  const Result<Cumulants> cost = parseCost(rest);
  if (!cost)
    return cost.error();
  if (isCallee)
    (isByte ? machine.bytes : machine.callees).emplace(callee, *cost);
  else
    (isClass ? machine.classes : machine.events).emplace_back(word, *cost);
  return Done{};
}

} // namespace

Result<Machine> parseMachine(const std::string &text, const std::string &file) {
  Machine machine{file, "cost units", {}, {}, {}, {}, 0, {}};
  std::set<std::string> seen;
  std::istringstream lines(text);
  std::string line;
  for (unsigned at = 1; std::getline(lines, line); ++at) {
    const std::string_view content = trim(std::string_view(line).substr(0, line.find('#')));
    if (content.empty())
      continue;
    if (const Status status = parseLine(content, machine, seen); !status)
      return Error{status.error().text, file, at};
  }
  if (machine.classes.empty())
    return Error{"a machine needs the cost of at least one class", file};
  return machine;
}

std::vector<std::string> builtinMachineNames() {
  std::vector<std::string> names;
  for (const BuiltinMachine &m : builtinMachines())
    names.emplace_back(m.name);
  return names;
}

Result<Machine> machineByName(const std::string &name) {
  for (const BuiltinMachine &m : builtinMachines())
    if (m.name == name)
      return parseMachine(std::string(m.text), name + ".machine");
  const Result<std::string> text = readTextFile(name);
  if (!text || text->empty()) {
    const std::vector<std::string> names = builtinMachineNames();
    const std::string hint = nearest(name, names);
    return Error{"no machine " + quoted(name) + ": neither a readable .machine file nor built in" +
                 (hint.empty() ? "" : "; did you mean " + quoted(hint) + "?")};
  }
  return parseMachine(*text, name);
}

} // namespace quincunx
