// Writes names as people say them. The idea: what is the same in all names of its kind says
// nothing: what a function returns, namespace std, allocators and orders that are taken where none
// are given, inline namespaces. Lambdas have the line they start on in place of a number.
#include "ShortName.h"

#include "DemangledName.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace quincunx {

namespace {

/// Longer names, and those with types that nest deeper, are not what people write.
constexpr size_t longestName = 1 << 14, deepestName = 40;

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Libraries put their version into an inline namespace, which no caller writes: "__cxx11", "__1",
/// "_V2", "v10".
bool isVersion(const NameStep &step) {
  if (step.isTemplate || !step.parameters.empty())
    return false;
  for (const std::string_view start : {"__cxx", "__ndk", "__", "_V", "v"})
    if (step.name.starts_with(start) && isNumber(step.name.substr(start.size())))
      return true;
  return false;
}

/// What a container takes where nothing else is said.
bool isUsual(std::string_view argument) {
  for (const std::string_view name :
       {"std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<",
        "std::default_delete<", "std::__1::allocator<", "std::__1::char_traits<", "std::__1::less<",
        "std::__1::hash<", "std::__1::equal_to<", "std::__1::default_delete<"})
    if (argument.starts_with(name) && closingOf(argument, name.size() - 1) + 1 == argument.size())
      return true;
  return false;
}

/// "string" for basic_string<char>.
std::string characterClass(std::string_view name, const std::vector<std::string> &arguments) {
  static constexpr std::array<std::array<std::string_view, 2>, 5> letters{{{"char", ""},
                                                                           {"wchar_t", "w"},
                                                                           {"char8_t", "u8"},
                                                                           {"char16_t", "u16"},
                                                                           {"char32_t", "u32"}}};
  constexpr std::string_view basic = "basic_";
  if (arguments.size() == 1 && name.starts_with(basic))
    for (const auto &[type, letter] : letters)
      if (arguments.front() == type)
        return std::string(letter).append(name.substr(basic.size()));
  return {};
}

class Shortener {
public:
  Shortener(const NameDetail &wanted, const LambdaLines &where) : detail(wanted), lines(where) {}

  std::string function(const DemangledName &name) {
    std::string out = path(name.steps, detail.parameters);
    if (name.prefix.ends_with("thunk to "))
      out.insert(0, "thunk to ");
    else
      out.insert(0, name.prefix);
    for (const std::string_view clone : name.clones)
      out.append(" [").append(clone).append("]");
    return out;
  }

private:
  bool all() const { return detail.templates == NameDetail::Templates::all; }
  bool none() const { return detail.templates == NameDetail::Templates::none; }

  /// All that a type or an expression consists of: names shortened, other signs as they are.
  std::string type(std::string_view text) {
    std::string out;
    if (++depth > deepestName) {
      --depth;
      return "…";
    }
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      const std::vector<NameStep> steps = stepsOf(text, end, false);
      if (steps.empty() || end == at) {
        out += text[at++];
        continue;
      }
      out += path(steps, false);
      at = end;
    }
    --depth;
    return out;
  }

  std::string types(std::string_view text) {
    std::vector<std::string> each;
    for (const std::string_view argument : splitArguments(text))
      each.push_back(type(argument));
    return joined(each);
  }

  static std::string joined(const std::vector<std::string> &texts) {
    std::string out;
    for (const std::string &text : texts)
      out.append(out.empty() ? "" : ", ").append(text);
    return out;
  }

  /// How many arguments of a template are said.
  size_t mostArguments(bool isStandard) const {
    if (all())
      return SIZE_MAX;
    return (isStandard ? 1 : 3) + (detail.templates == NameDetail::Templates::some ? 1 : 0);
  }

  /// Its name with its template arguments.
  std::string stepText(const NameStep &step, bool isStandard) {
    std::string name(step.name);
    if (step.isConversion())
      name = "operator " + type(step.name.substr(std::string_view("operator ").size()));
    if (!step.isTemplate)
      return name;
    if (none())
      return name + (name.ends_with('<') ? " <…>" : "<…>");
    std::vector<std::string_view> given = splitArguments(step.arguments);
    while (given.size() > 1 && isUsual(given.back()))
      given.pop_back();
    const size_t most = mostArguments(isStandard);
    std::vector<std::string> said;
    for (const std::string_view argument : given)
      if (said.size() < most)
        said.push_back(type(argument));
    if (isStandard && said.size() == given.size())
      if (std::string whole = characterClass(name, said); !whole.empty())
        return whole;
    name += name.ends_with('<') ? " <" : "<";
    return name + joined(said) + (said.size() < given.size() ? ",…>" : ">");
  }

  std::string parametersOf(const NameStep &step) {
    if (step.parameters.empty())
      return {};
    const std::string_view inside = step.parameters.substr(1, step.parameters.size() - 2);
    return "(" + types(inside) + ")" + std::string(step.qualifiers);
  }

  /// "lambda:12", "lambda#1" where the line is not known.
  std::string lambdaText(const NameStep &step, std::string_view whole) {
    const uint32_t line = lines ? lines(whole) : 0;
    if (step.name.starts_with("$_") && line == 0)
      return std::string(step.name); // may be a class without a name as well
    std::string out = "lambda";
    if (line != 0)
      out.append(":").append(std::to_string(line));
    else if (const size_t hash = step.name.rfind('#'); hash != std::string_view::npos)
      out.append(step.name.substr(hash, step.name.size() - 1 - hash));
    return out;
  }

  /// Is the step left out? Namespaces are, where they say nothing.
  bool isSilent(const std::vector<NameStep> &steps, size_t i, bool isStandard) const {
    if (i + 1 == steps.size())
      return false;
    if (i > 0 && isVersion(steps[i]))
      return isStandard || !all();
    return !all() && ((i == 0 && isStandard) || steps[i].name == "(anonymous namespace)");
  }

  std::string path(const std::vector<NameStep> &steps, bool withParameters) {
    const bool isStandard = steps.front().name == "std" || steps.front().name == "__gnu_cxx";
    std::string out, outer;
    for (size_t i = 0; i < steps.size(); ++i) {
      const NameStep &step = steps[i];
      if (isSilent(steps, i, isStandard))
        continue;
      const bool isLast = i + 1 == steps.size();
      if (step.isUnnamed()) {
        lambda(steps, i, out, outer, withParameters);
        continue;
      }
      out.append(out.empty() ? "" : "::").append(constructor(steps, i, isStandard));
      if (isLast && withParameters)
        out += parametersOf(step);
    }
    if (outer.empty() || depth > 0) // an argument is told by its line alone
      return out;
    return out + " in " + outer;
  }

  /// Its text; constructors and destructors are called as their class is.
  std::string constructor(const std::vector<NameStep> &steps, size_t i, bool isStandard) {
    const std::string_view name = steps[i].name;
    const bool isDestructor = name.starts_with('~');
    if (i > 0 && isStandard && steps[i - 1].isTemplate &&
        name.substr(isDestructor ? 1 : 0) == steps[i - 1].name) {
      const std::string shown = stepText(steps[i - 1], true);
      if (shown.find('<') == std::string::npos)
        return (isDestructor ? "~" : "") + shown;
    }
    return stepText(steps[i], isStandard);
  }

  /// Begins what stands in a lambda anew: what it stands in comes behind. Its own operator() is
  /// the lambda.
  void lambda(const std::vector<NameStep> &steps, size_t &i, std::string &out, std::string &outer,
              bool withParameters) {
    const NameStep &step = steps[i];
    const std::string_view whole(
        steps.front().name.data(),
        static_cast<size_t>(step.name.data() + step.name.size() - steps.front().name.data()));
    if (!out.empty()) {
      if (withParameters && i > 0)
        out += parametersOf(steps[i - 1]);
      outer = outer.empty() ? out : out + " in " + outer;
    }
    out = lambdaText(step, whole);
    if (i + 1 == steps.size() || steps[i + 1].name != "operator()")
      return;
    const NameStep &body = steps[++i];
    if (body.isTemplate)
      out.append("<").append(none() ? "…" : types(body.arguments)).append(">");
    if (withParameters && i + 1 == steps.size())
      out += parametersOf(body);
  }

  const NameDetail &detail;
  const LambdaLines &lines;
  size_t depth = 0;
};

} // namespace

std::string shortName(const std::string &demangled, const NameDetail &detail,
                      const LambdaLines &lines) {
  if (demangled.size() > longestName)
    return demangled;
  const auto name = DemangledName::parse(demangled);
  return name ? Shortener(detail, lines).function(*name) : demangled;
}

std::string_view lambdaOf(std::string_view demangled) {
  const auto name = demangled.size() > longestName ? std::nullopt : DemangledName::parse(demangled);
  if (!name || name->steps.size() < 2 || name->steps.back().name != "operator()")
    return {};
  const std::vector<NameStep> &steps = name->steps;
  const NameStep &lambda = steps[steps.size() - 2];
  const char *const from = steps.front().name.data();
  if (!lambda.isUnnamed())
    return {};
  return {from, static_cast<size_t>(lambda.name.data() + lambda.name.size() - from)};
}

} // namespace quincunx
