// Names of functions as people write them.
// The idea: a name is compared as the linker has it, as it is shown, and without what a reader
// leaves out, the first of these that finds something.
#include "FunctionsNamed.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace quincunx {

std::string NameReader::nameOf(const std::string &linkageName) const {
  return shown ? shown(linkageName) : escape(demangle(linkageName));
}

std::string_view withoutParameters(std::string_view name) {
  const size_t close = name.rfind(')');
  if (close == std::string_view::npos)
    return name;
  size_t depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += name[i] == ')';
    if (name[i] == '(' && --depth == 0)
      return i > 0 ? name.substr(0, i) : name;
  }
  return name;
}

namespace {

std::string_view withoutTemplateArguments(std::string_view name) {
  if (!name.ends_with('>') || name.ends_with("operator>") || name.ends_with("->"))
    return name;
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>';
    if (name[i] == '<' && --depth == 0)
      return name.substr(0, i);
  }
  return name;
}

/// "word[abi:cxx11]" without the tag of the library's ABI, which no source has.
std::string_view withoutTag(std::string_view name) {
  const size_t open = name.ends_with(']') ? name.rfind("[abi:") : std::string_view::npos;
  return open == std::string_view::npos ? name : withoutTag(name.substr(0, open));
}

/// Does `whole` end with the name `part`, with namespaces or a return type in front of it?
bool endsWithName(std::string_view whole, std::string_view part) {
  if (!whole.ends_with(part))
    return false;
  const std::string_view before = whole.substr(0, whole.size() - part.size());
  return before.empty() || before.ends_with("::") || before.ends_with(' ');
}

bool isEndOfPath(const std::string &path, const std::string &tail) {
  return path == tail || path.ends_with("/" + tail);
}

/// The single colon that ends a file in front of a name, if any.
size_t qualifierEnd(const std::string &name) {
  for (size_t at = name.find(':'); at != std::string::npos; at = name.find(':', at + 2))
    if (at + 1 < name.size() && name[at + 1] != ':' && at > 0 &&
        !name.substr(0, at).ends_with("[abi"))
      return at;
  return std::string::npos;
}

} // namespace

bool isWrittenAs(std::string_view demangled, std::string_view wanted) {
  const std::string_view base = withoutParameters(demangled);
  return endsWithName(demangled, wanted) || endsWithName(base, wanted) ||
         endsWithName(withoutTemplateArguments(base), wanted) ||
         endsWithName(withoutTag(base), wanted) ||
         endsWithName(withoutTag(withoutTemplateArguments(base)), wanted);
}

std::vector<size_t> functionsNamed(const std::string &name, std::span<const NamedFunction> all,
                                   const NameReader &reader) {
  const size_t colon = qualifierEnd(name);
  const std::string file = colon == std::string::npos ? "" : name.substr(0, colon);
  const std::string bare = colon == std::string::npos ? name : name.substr(colon + 1);
  const auto find = [&](const std::function<bool(const std::string &, bool here)> &isMeant) {
    std::vector<size_t> found;
    for (size_t i = 0; i < all.size(); ++i)
      if (isMeant(all[i].name, file.empty() || isEndOfPath(all[i].file, file) ||
                                   isEndOfPath(all[i].image, file)))
        found.push_back(i);
    return found;
  };
  std::vector<size_t> found = find([&](const std::string &f, bool here) {
    return reader.isCalled(f, name) || (here && reader.isCalled(f, bare));
  });
  if (found.empty())
    found = find([&](const std::string &f, bool here) {
      return reader.mayBeCalled(f, name) || (here && reader.mayBeCalled(f, bare));
    });
  if (found.empty())
    found = find([&](const std::string &f, bool here) {
      return here && isWrittenAs(reader.demangle(f), bare);
    });
  return found;
}

bool areOne(std::span<const NamedFunction> all, std::span<const size_t> found) {
  return std::ranges::all_of(found,
                             [&](size_t i) { return all[i].key() == all[found.front()].key(); });
}

Error severalNamed(const std::string &name, std::span<const NamedFunction> all,
                   std::span<const size_t> found, const NameReader &reader) {
  std::set<std::string> names, files, shortFiles, said;
  std::set<std::tuple<std::string, std::string, std::string>> different;
  for (const size_t i : found) {
    names.insert(reader.nameOf(all[i].name));
    files.insert(all[i].file);
    shortFiles.insert(fileName(all[i].file));
    different.insert(all[i].key());
  }
  for (const size_t i : found) {
    std::string s = reader.nameOf(all[i].name);
    if (names.size() < different.size())
      s = escape(files.size() == 1                   ? all[i].image
                 : shortFiles.size() == files.size() ? fileName(all[i].file)
                                                     : all[i].file) +
          ":" + s;
    said.insert(s);
  }
  std::string list;
  for (const std::string &s : said)
    list += (list.empty() ? "'" : ", '") + s + "'";
  return Error{"'" + escape(name) + "' may be one of these; say which: " + list};
}

Error noneNamed(const std::string &name, const std::set<std::string> &names) {
  const std::string near = nearest(name, std::vector<std::string>(names.begin(), names.end()));
  return Error{"there is no function '" + escape(name) + "'" +
               (near.empty() ? "" : "; did you mean '" + escape(near) + "'?")};
}

} // namespace quincunx
