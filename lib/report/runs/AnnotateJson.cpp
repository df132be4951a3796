// Figures of the lines of sources as JSON. The text of the sources is not in it.
#include "quincunx/report/Annotate.h"

#include "report/runs/RunDocument.h"

namespace quincunx {

namespace {

ordered_json linesOf(const FileFigures &figures) {
  ordered_json lines = ordered_json::array();
  for (const auto &[line, f] : figures)
    lines.push_back({{"line", line},
                     {"mean", number(f.mean)},
                     {"meanCounts", toJson(f.meanCounts)},
                     {"allKnown", !f.notAllKnown},
                     {"p99", toJson(f.p99)},
                     {"cost", {{"p50", toJson(f.costP50)}, {"p99", toJson(f.costP99)}}},
                     {"share", number(f.share)}});
  return lines;
}

} // namespace

Status printAnnotatedJson(const std::vector<AnnotatedFile> &files, const Observed &observed,
                          const std::string &corpus, std::ostream &out) {
  ordered_json j = documentOf("annotate", observed, corpus);
  j["files"] = ordered_json::array();
  for (const AnnotatedFile &file : files)
    j["files"].push_back({{"file", file.name}, {"lines", linesOf(file.annotation.lines)}});
  return write(std::move(j), observed.notes, out);
}

} // namespace quincunx
