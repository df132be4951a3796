// Groups by whose code it is, and instances of one template. Who reads names in full sees each.
#include "RowGroups.h"

#include "quincunx/map/FunctionGroups.h"

namespace quincunx::tool {

namespace {

FunctionGroup headerCode() { return {"header code", true}; }

} // namespace

Status groupRows(std::vector<Map> &maps, const ForeignOptions &options) {
  const Result<IsForeign> isForeign = foreignFiles(options, maps, {});
  if (!isForeign)
    return isForeign.error();
  groupFunctions(maps, [&](const Scope &, const std::string &path) {
    return (*isForeign)(path) ? headerCode() : FunctionGroup{};
  });
  return Done{};
}

Result<IsForeign> groupRows(PricedCorpus &priced, const CorpusOptions &options,
                            const std::vector<std::string> &named) {
  Result<IsForeign> isForeign = foldForeign(priced, options, named);
  if (!isForeign)
    return isForeign.error();
  const FunctionNames &names = priced.names;
  groupFunctions(priced.maps, [&](const Scope &own, const std::string &path) {
    return (*isForeign)(path) ? headerCode()
           : names.isBrief()  ? FunctionGroup{names.instancesOf(own.function), false}
                              : FunctionGroup{};
  });
  return isForeign;
}

} // namespace quincunx::tool
