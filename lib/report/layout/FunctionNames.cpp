// Finds the shortest name of each function that no other has. The idea: all begin as short as can
// be; those that share a name say more of it, step by step, until each is alone: parameters, more
// of the template arguments, what the compiler made of one constructor or destructor, the place,
// and the linkage name, which is never shared. So a name depends on the program alone, and not on
// what a table happens to show.
#include "quincunx/report/FunctionNames.h"

#include "ShortName.h"
#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace quincunx {

namespace {

/// A function of the program.
struct Named {
  std::string linkage, demangled;
  ProgramNames::Place place;
};

std::vector<Named> demangled(const ProgramNames &program) {
  std::vector<Named> all;
  for (const auto &[linkage, place] : program.all())
    all.push_back({linkage, demangle(linkage), place});
  return all;
}

/// What a lambda stands in.
std::string_view aroundLambda(std::string_view lambda) {
  return lambda.substr(0, std::min(lambda.rfind("::{lambda"), lambda.rfind("::$_")));
}

/// The lines of lambdas; 0 where a line does not tell which one it is.
std::unordered_map<std::string, uint32_t> lambdasIn(const std::vector<Named> &all) {
  std::unordered_map<std::string, uint32_t> lines;
  for (const Named &named : all)
    if (const std::string lambda(lambdaOf(named.demangled)); !lambda.empty()) {
      const auto [at, fresh] = lines.try_emplace(lambda, named.place.line);
      if (!fresh &&
          at->second != named.place.line) // instances of a generic lambda start on one line
        at->second = 0;
    }
  std::map<std::pair<std::string_view, uint32_t>, size_t> onLine;
  for (const auto &[lambda, line] : lines)
    ++onLine[{aroundLambda(lambda), line}];
  for (auto &[lambda, line] : lines)
    if (onLine[{aroundLambda(lambda), line}] > 1)
      line = 0;
  return lines;
}

using Templates = NameDetail::Templates;
constexpr NameDetail instances{Templates::none, false};
constexpr NameDetail details[] = {{Templates::few, false},  {Templates::few, true},
                                  {Templates::some, false}, {Templates::some, true},
                                  {Templates::all, false},  {Templates::all, true}};

/// What one function of the source is, of which the compiler made several; `other` is of another of
/// them. Empty: they are not that. Reference: Itanium C++ ABI, 5.1.4.3.
std::string variantOf(const std::string &linkage, const std::string &other) {
  const auto at = std::ranges::mismatch(linkage, other).in1;
  if (at == linkage.begin() || at == linkage.end() || (at[-1] != 'C' && at[-1] != 'D'))
    return {};
  switch (*at) {
  case '0':
    return " [deleting]";
  case '1':
    return " [complete object]";
  case '2':
    return " [base object]";
  default:
    return {};
  }
}

std::string withPlace(std::string name, const Named &named) {
  if (named.place.line == 0)
    return name;
  return std::move(name) + " (" + named.place.file + ":" + std::to_string(named.place.line) + ")";
}

} // namespace

struct FunctionNames::Known {
  std::unordered_map<std::string, std::string> shown; // by linkage name
  std::unordered_map<std::string, uint32_t> lambdas;
  std::unordered_map<std::string, std::string> together; // instances, by linkage name

  std::string text(const std::string &demangled, const NameDetail &detail) const {
    return shortName(demangled, detail, [&](std::string_view lambda) {
      const auto at = lambdas.find(std::string(lambda));
      return at == lambdas.end() ? 0 : at->second;
    });
  }

  using Entry = const Named *;
  /// Gives those a name whose text nobody else has; the others are left.
  template <class Text>
  std::vector<Entry> settle(const std::vector<Entry> &open, std::unordered_set<std::string> &taken,
                            const Text &textOf) {
    std::vector<std::string> texts;
    std::unordered_map<std::string, size_t> times;
    for (const Entry e : open)
      ++times[texts.emplace_back(textOf(*e))];
    std::vector<Entry> left;
    for (size_t i = 0; i < open.size(); ++i)
      if (times[texts[i]] == 1 && taken.insert(texts[i]).second)
        shown.emplace(open[i]->linkage, texts[i]);
      else
        left.push_back(open[i]);
    return left;
  }

  /// Instances of a template start at one place, and differ in its arguments alone.
  void findInstances(const std::vector<Named> &all) {
    std::map<std::tuple<std::string, std::string, uint32_t>, std::vector<const Named *>> alike;
    for (const Named &named : all)
      if (named.place.line != 0)
        if (const std::string name = shortName(named.demangled, instances);
            name != shortName(named.demangled))
          alike[{name, named.place.file, named.place.line}].push_back(&named);
    std::map<std::string, size_t> times;
    const auto nameOf = [&](const Named &one) { return text(one.demangled, instances); };
    for (const auto &[key, members] : alike)
      if (members.size() > 1)
        ++times[nameOf(*members.front())];
    for (const auto &[key, members] : alike)
      if (members.size() > 1)
        for (const std::string name = nameOf(*members.front()); const Named *member : members)
          together.emplace(member->linkage, times[name] == 1 ? name : withPlace(name, *member));
  }

  explicit Known(const std::vector<Named> &all) : lambdas(lambdasIn(all)) {
    findInstances(all);
    std::vector<Entry> open;
    for (const Named &entry : all)
      open.push_back(&entry);
    std::unordered_set<std::string> taken;
    for (const NameDetail &detail : details)
      open = settle(open, taken, [&](const Named &e) { return text(e.demangled, detail); });
    std::unordered_map<std::string_view, std::vector<Entry>> alike; // by demangled name
    for (const Entry e : open)
      alike[e->demangled].push_back(e);
    const auto textOf = [&](const Named &e, const NameDetail &detail) {
      const std::vector<Entry> &same = alike[e.demangled];
      const Entry other = same.front() != &e ? same.front() : same.back();
      return text(e.demangled, detail) + variantOf(e.linkage, other->linkage);
    };
    for (const NameDetail &detail : std::span(details).first(2))
      open = settle(open, taken, [&](const Named &e) { return textOf(e, detail); });
    open = settle(open, taken, [&](const Named &e) { return withPlace(textOf(e, {}), e); });
    settle(open, taken,
           [&](const Named &e) { return text(e.demangled, {}) + " [" + e.linkage + "]"; });
  }
};

void ProgramNames::add(const std::string &linkageName, const std::string &file, uint32_t line) {
  if (linkageName.empty())
    return;
  Place &place = places[linkageName];
  if (line == 0)
    return;
  if (place.isKnown && (place.line != line || place.file != file))
    place.line = 0;
  else if (!place.isKnown)
    place = {file, line, true};
}

FunctionNames::FunctionNames(NameStyle s) : style(s) {}

FunctionNames::FunctionNames(const ProgramNames &program, NameStyle s)
    : style(s), known(std::make_shared<const Known>(demangled(program))) {}

std::string FunctionNames::brief(const std::string &linkageName) const {
  if (!known)
    return shortName(demangle(linkageName));
  const auto at = known->shown.find(linkageName);
  return at != known->shown.end() ? at->second : known->text(demangle(linkageName), {});
}

std::string FunctionNames::of(const std::string &linkageName) const {
  return style == NameStyle::brief ? brief(linkageName) : demangle(linkageName);
}

std::string FunctionNames::instancesOf(const std::string &linkageName) const {
  if (!known)
    return {};
  const auto at = known->together.find(linkageName);
  return at == known->together.end() ? "" : at->second;
}

namespace {

/// In ASCII, as people type it.
std::string typed(std::string name) {
  constexpr std::string_view sign = "…";
  for (size_t at = 0; (at = name.find(sign, at)) != std::string::npos;)
    name.replace(at, sign.size(), "...");
  return name;
}

} // namespace

bool FunctionNames::isCalled(const std::string &linkageName, const std::string &text) const {
  return text == linkageName || text == demangle(linkageName) ||
         typed(text) == typed(brief(linkageName));
}

bool FunctionNames::mayBeCalled(const std::string &linkageName, const std::string &text) const {
  const std::string demangled = demangle(linkageName), wanted = typed(text);
  const auto isWanted = [&](const NameDetail &detail) {
    return typed(known ? known->text(demangled, detail) : shortName(demangled, detail)) == wanted;
  };
  return std::ranges::any_of(details, isWanted) || isWanted(instances) ||
         typed(instancesOf(linkageName)) == wanted;
}

Result<std::vector<size_t>> FunctionNames::matching(const std::vector<std::string> &linkageNames,
                                                    const std::string &text) const {
  std::vector<size_t> found;
  const auto find = [&](const auto &isMeant) {
    for (size_t i = 0; i < linkageNames.size(); ++i)
      if (isMeant(linkageNames[i]))
        found.push_back(i);
    return !found.empty();
  };
  if (find([&](const std::string &name) { return text.empty() || isCalled(name, text); }) ||
      find([&](const std::string &name) { return mayBeCalled(name, text); }))
    return found;
  const Result<NamePattern> pattern = NamePattern::compile(text);
  if (!pattern)
    return pattern.error();
  find([&](const std::string &name) {
    return pattern->matches(demangle(name)) || pattern->matches(brief(name));
  });
  return found;
}

Error FunctionNames::noneMatches(const std::vector<std::string> &linkageNames,
                                 const std::string &text) const {
  std::vector<std::string> all;
  for (const std::string &name : linkageNames)
    all.push_back(brief(name));
  const std::string near = nearest(text, all);
  return Error{"none of the functions here matches '" + escape(text) + "'" +
               (near.empty() ? "" : "; did you mean '" + escape(near) + "'?")};
}

} // namespace quincunx
