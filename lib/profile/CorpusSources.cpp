// Reads the source lines of a corpus's maps. They are most of a map and few want them, so
// Corpus::maps() leaves them out. What it checked is not checked again.
#include "quincunx/profile/CorpusSources.h"

#include "Codec.h"
#include "Database.h"

#include "quincunx/map/Image.h"

namespace quincunx {

Result<std::vector<MapSources>> readSources(const Corpus &corpus) {
  Database database;
  if (const Status s = database.open(corpus.path(), /*writable=*/false); !s)
    return s.error();
  std::vector<MapSources> out;
  Query query(database, "SELECT bytes FROM map ORDER BY hash");
  while (query.row()) {
    RawMap raw;
    if (const Status s = decompress(query.blob(0), mostBytes(query.blob(0)), raw.bytes); !s)
      return s.error();
    Result<MapSources> sources = decodeSources(raw);
    if (!sources)
      return sources.error();
    out.push_back(std::move(*sources));
  }
  if (const Status s = query.status(); !s)
    return s.error();
  return out;
}

} // namespace quincunx
