// Opens a corpus with its lines.
#include "SourceReader.h"

#include "RowGroups.h"

#include "quincunx/map/SourceFiles.h"
#include "quincunx/profile/CorpusSources.h"

namespace quincunx::tool {

Result<FileFigures> SourceReader::linesOf(const SourceVersion &version,
                                          const Observed &observed) const {
  LineObserver observer(priced.maps, lines, priced.machine, version.path, version.md5,
                        observed.runs.size());
  const Status read = observed.request.empty()
                          ? priced.corpus.forEachRun([&](Run &&run) { return observer.add(run); })
                          : forEachRequest(priced.corpus, priced.maps, {observed.request, 0, 0, 0},
                                           {[&](const Run &request, double weight) {
                                             return observer.add(request, weight);
                                           }});
  if (!read)
    return read.error();
  return observer.finish(observed.program.moments.mean);
}

Result<SourceReader> openSources(const CorpusOptions &options,
                                 const std::vector<std::string> &named) {
  Result<PricedCorpus> priced = openPriced(options);
  if (!priced)
    return priced.error();
  std::vector<SourceFile> files = sourceFiles(priced->maps);
  Result<std::vector<MapSources>> lines = readSources(priced->corpus);
  if (!lines)
    return lines.error();
  const Result<IsForeign> isForeign = groupRows(*priced, options, named);
  if (!isForeign)
    return isForeign.error();
  foldForeign(*lines, priced->maps, *isForeign);
  return SourceReader{std::move(*priced), std::move(files), std::move(*lines), *isForeign};
}

} // namespace quincunx::tool
