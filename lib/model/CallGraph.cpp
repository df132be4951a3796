// The call graph by names and told pointers.
#include "quincunx/model/CallGraph.h"

#include "Components.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace quincunx {

namespace {

using Names = std::multimap<std::string_view, uint32_t>;

const std::string *fileOf(const Function &f) {
  const uint32_t file = f.scopes.empty() ? noIndex : f.scopes[0].file;
  return file < f.files.size() ? &f.files[file].path : nullptr;
}

bool sameFile(const Function &a, const Function &b) {
  const std::string *x = fileOf(a), *y = fileOf(b);
  return x && y && *x == *y;
}

/// The function that `caller` means by a name: the only one, or of several that of its file.
uint32_t named(const Names &names, const std::string &name, const Function &caller,
               const std::vector<const Function *> &functions) {
  const auto [from, to] = names.equal_range(name);
  if (from == to || std::next(from) == to)
    return from == to ? noIndex : from->second;
  uint32_t found = noIndex;
  for (auto i = from; i != to; ++i)
    if (sameFile(*functions[i->second], caller)) {
      if (found != noIndex)
        return noIndex;
      found = i->second;
    }
  return found;
}

} // namespace

CallGraph::CallGraph(const std::vector<Map> &maps) {
  std::vector<Names> ofMap(maps.size());
  Names all;
  for (uint32_t m = 0; m < maps.size(); ++m) {
    first.push_back(static_cast<uint32_t>(functions.size()));
    for (const Function &f : maps[m].functions) {
      const auto number = static_cast<uint32_t>(functions.size());
      ofMap[m].emplace(f.name, number);
      all.emplace(f.name, number);
      functions.push_back(&f);
      imageOf.push_back(m);
    }
  }
  calls.resize(functions.size());
  starts.resize(functions.size());
  pointers.resize(functions.size());
  for (uint32_t f = 0; f < functions.size(); ++f)
    for (const Call &call : functions[f]->calls) {
      const Names &own = ofMap[imageOf[f]];
      const auto add = [&](const std::string &name, std::vector<CallSite> &to) {
        if (name.empty())
          return;
        const uint32_t callee =
            named(own.contains(name) ? own : all, name, *functions[f], functions);
        if (callee != noIndex)
          to.push_back({call.block, callee, call.at.scope});
      };
      add(call.callee, calls[f]);
      add(call.starts, starts[f]);
    }
  findComponents();
}

void CallGraph::setPointers(std::vector<std::vector<PointerSite>> sites) {
  pointers = std::move(sites);
  findComponents();
}

void CallGraph::findComponents() {
  std::vector<std::vector<uint32_t>> all(functions.size());
  for (uint32_t f = 0; f < functions.size(); ++f) {
    for (const CallSite &call : calls[f])
      all[f].push_back(call.callee);
    for (const PointerSite &site : pointers[f])
      all[f].insert(all[f].end(), site.callees.begin(), site.callees.end());
  }
  components = componentsOf(all);
  recursive.clear();
  componentOf.resize(functions.size());
  for (const std::vector<uint32_t> &members : components) {
    for (const uint32_t f : members)
      componentOf[f] = static_cast<uint32_t>(recursive.size());
    const uint32_t f = members.back();
    recursive.push_back(members.size() > 1 || std::ranges::find(all[f], f) != all[f].end());
  }
}

} // namespace quincunx
