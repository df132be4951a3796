// Groups by whose code it is.
#include "RowGroups.h"

#include "quincunx/map/FunctionGroups.h"

namespace quincunx::tool {

namespace {

void group(std::vector<Map> &maps, const IsForeign &isForeign) {
  groupFunctions(maps, [&](const Scope &, const std::string &path) {
    return isForeign(path) ? FunctionGroup{"code of headers", true} : FunctionGroup{};
  });
}

} // namespace

Status groupRows(std::vector<Map> &maps, const ForeignOptions &options) {
  const Result<IsForeign> isForeign = foreignFiles(options, maps, {});
  if (!isForeign)
    return isForeign.error();
  group(maps, *isForeign);
  return Done{};
}

Status groupRows(PricedCorpus &priced, const CorpusOptions &options) {
  const Result<IsForeign> isForeign = foldForeign(priced, options);
  if (!isForeign)
    return isForeign.error();
  group(priced.maps, *isForeign);
  return Done{};
}

} // namespace quincunx::tool
