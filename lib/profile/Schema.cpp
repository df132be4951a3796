// The schema below is the format of corpora (docs/11-formats.md explains it); `PRAGMA user_version`
// is its version. The idea: a run is one row with what people ask about in plain columns, and one
// blob per image for its counts, packed against a frame that runs share (Codec.cpp). Whether a file
// is a corpus is decided here; what its rows hold is checked by those who read them.
#include "Schema.h"

#include "quincunx/base/Text.h"

#include <initializer_list>
#include <iterator>

namespace quincunx {

namespace {

constexpr int64_t applicationId = 0x51754E78; // "QuNx"
constexpr int64_t formatVersion = 6;
constexpr int64_t versionWithoutChecksums = 5; // is the same otherwise
constexpr int64_t oldestVersion = 3;           // has neither timings nor features that are texts

const char *const schema = R"sql(
-- What holds for the whole corpus: command, machine, ...
CREATE TABLE fact (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Map sections of images. hash: 32 hex digits, the name by which counts refer to it.
CREATE TABLE map (
  hash TEXT PRIMARY KEY,
  path TEXT NOT NULL,                    -- of the image when the map was read
  counter_count INTEGER NOT NULL,        -- 64-bit words in the image's counter section
  counters_minus_map INTEGER NOT NULL,   -- distance of the two sections in bytes
  size INTEGER NOT NULL,                 -- bytes of the map section
  bytes BLOB NOT NULL                    -- the section, one zstd frame
);

-- One execution each. Times in seconds, of the instrumented program.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  arguments TEXT,                        -- JSON array of strings; NULL: not stored
  standard_input TEXT,                   -- path; NULL: none or not stored
  outcome TEXT NOT NULL,                 -- finished, timed-out, crashed or cut-short
  exit_status INTEGER NOT NULL,          -- exit code, or -signal
  start REAL,                            -- seconds since the epoch
  wall REAL, user REAL, system REAL,
  peak_memory REAL,                      -- bytes
  cycles REAL, instructions REAL, branch_misses REAL, -- user mode; NULL: not measured
  processes INTEGER NOT NULL             -- process records added up
);

-- Covariates of runs.
CREATE TABLE feature (
  run INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Images as runs met them.
CREATE TABLE image (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,                    -- of the map
  path TEXT NOT NULL,
  counter_count INTEGER NOT NULL
);
CREATE INDEX image_by_hash ON image(hash);

-- Sets of counters that runs have in common, see "Frames" in the documentation.
CREATE TABLE frame (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,                    -- of the map
  size INTEGER NOT NULL,                 -- counters in it
  bytes BLOB NOT NULL
);
CREATE INDEX frame_by_hash ON frame(hash);

-- The count vector of one image in one run, packed against a frame.
CREATE TABLE counts (
  run INTEGER NOT NULL REFERENCES run(id),
  image INTEGER NOT NULL REFERENCES image(id),
  frame INTEGER NOT NULL REFERENCES frame(id),
  hit INTEGER NOT NULL,                  -- counters that are not zero
  bytes BLOB NOT NULL,
  inherited BLOB,                        -- the same for counters at fork; NULL: all zero
  recorders BLOB,                        -- words of recorders, see "Frames"; NULL: all zero
  PRIMARY KEY (run, image)
);

-- Requests of one marked function in one process of a run.
CREATE TABLE marked (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  hash TEXT NOT NULL,                    -- of the map of the function's image
  counter INTEGER NOT NULL,              -- the function's first counter in that image
  begun INTEGER NOT NULL,                -- requests
  ended INTEGER NOT NULL,                -- of them; the others were open at the end, or left by longjmp
  sums BLOB                              -- over all that ended, zstd; NULL: not known
);
CREATE INDEX marked_by_run ON marked(run);

-- The sample: requests of which the counts were kept.
CREATE TABLE request (
  id INTEGER PRIMARY KEY,
  marked INTEGER NOT NULL REFERENCES marked(id),
  number INTEGER NOT NULL,               -- in the order in which requests ended, from 0
  wall REAL NOT NULL                     -- seconds
);
CREATE INDEX request_by_marked ON request(marked);

-- Covariates of requests.
CREATE TABLE request_feature (
  request INTEGER NOT NULL REFERENCES request(id),
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (request, name)
) WITHOUT ROWID;

-- The count vector of one image in one request, like that of a run.
CREATE TABLE request_counts (
  request INTEGER NOT NULL REFERENCES request(id),
  image INTEGER NOT NULL REFERENCES image(id),
  frame INTEGER NOT NULL REFERENCES frame(id),
  bytes BLOB NOT NULL,
  PRIMARY KEY (request, image)
);
)sql";

/// What format 4 has beyond format 3; the first ones of format 4 have no page faults.
const char *const faultSchema = R"sql(
-- Minor page faults of an execution; NULL: not known.
ALTER TABLE run ADD COLUMN page_faults REAL;
)sql";
const char *const timingSchema = R"sql(
-- The plain program that was timed: one row, or none.
CREATE TABLE timed_program (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  path TEXT NOT NULL,
  md5 TEXT NOT NULL,                     -- of its bytes, 32 hex digits
  processor_model TEXT NOT NULL,
  parallel INTEGER NOT NULL,             -- 1: uses several processors at once
  pinned INTEGER                         -- the processor it was kept on; NULL: any
);

-- Inputs of it.
CREATE TABLE timed (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  arguments TEXT,                        -- JSON array of strings; NULL: not stored
  standard_input TEXT                    -- path; NULL: none or not stored
);

-- Its executions, of the plain program. Times in seconds.
CREATE TABLE repetition (
  identity TEXT PRIMARY KEY,
  timed INTEGER NOT NULL REFERENCES timed(id),
  round INTEGER NOT NULL,                -- from 1; a round runs every input once
  exit_status INTEGER NOT NULL,
  start REAL NOT NULL,                   -- seconds since the epoch
  wall REAL NOT NULL, user REAL NOT NULL, system REAL NOT NULL,
  minor_faults INTEGER NOT NULL, major_faults INTEGER NOT NULL, -- of pages
  voluntary_switches INTEGER NOT NULL, involuntary_switches INTEGER NOT NULL,
  peak_memory REAL NOT NULL,             -- bytes
  cycles REAL, instructions REAL, branch_misses REAL, cache_misses REAL -- user mode; NULL: not measured
) WITHOUT ROWID;
CREATE INDEX repetition_by_timed ON repetition(timed);

-- What they were found to say of prices: one row, or none.
CREATE TABLE calibration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  machine TEXT NOT NULL                  -- the text of a .machine file, with its fit to the program
);

-- Executions that were ended at the entry point of the program.
CREATE TABLE start_up (
  identity TEXT PRIMARY KEY,
  start REAL NOT NULL,                   -- seconds since the epoch
  wall REAL NOT NULL, user REAL NOT NULL, system REAL NOT NULL
) WITHOUT ROWID;
)sql";

/// What format 5 has beyond format 4.
const char *const textSchema = R"sql(
-- Covariates of runs that are no numbers.
CREATE TABLE text_feature (
  run INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
)sql";

/// What format 6 has beyond format 5, but for its first days.
const char *const buildSchema = R"sql(
-- The linker's build id of the image, or the MD5 of its file, hex digits: images of several builds
-- may have equal maps, as with another -march. NULL: not known.
ALTER TABLE image ADD COLUMN build TEXT;
)sql";

/// What format 6 has beyond format 5, but for its first weeks.
const char *const sampleSchema = R"sql(
-- Executions of the plain program that were sampled. Times in seconds.
CREATE TABLE sampled (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  timed INTEGER NOT NULL REFERENCES timed(id),
  start REAL NOT NULL,                   -- seconds since the epoch
  cpu REAL NOT NULL,                     -- user and system
  interval REAL NOT NULL                 -- in user mode, that a sample stands for
);

-- Lines of the source where samples were taken, or that had called what executed.
CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, -- '' and 0: not known
  object TEXT NOT NULL,                  -- file name of the library that executed; '': the program
  UNIQUE (function, file, line, object)
);

-- How many samples were taken there.
CREATE TABLE sample (
  sampled INTEGER NOT NULL REFERENCES sampled(id),
  place INTEGER NOT NULL REFERENCES place(id),
  count INTEGER NOT NULL,
  PRIMARY KEY (sampled, place)
) WITHOUT ROWID;
)sql";

const char *const originSchema = R"sql(
-- Where a run was made. NULL: not known.
ALTER TABLE run ADD COLUMN tag TEXT;           -- what --tag said
ALTER TABLE run ADD COLUMN source_commit TEXT; -- that git knows of the folder of its sources; "+changes": files differed
ALTER TABLE run ADD COLUMN host TEXT;          -- its name
)sql";

const char *const strandSchema = R"sql(
-- What the threads of one process wrote down of waiting for each other (record=strands).
CREATE TABLE strands (
  run INTEGER NOT NULL REFERENCES run(id),
  process INTEGER NOT NULL,              -- of those of the run that did, from 0
  bytes BLOB NOT NULL,                   -- one zstd frame, see "Strands" in the documentation
  PRIMARY KEY (run, process)
);
)sql";

/// Makes the tables of `texts` and sets the version, all or nothing.
Status makeTables(Database &database, int64_t version, std::initializer_list<const char *> texts) {
  Transaction transaction(database);
  if (!transaction.status())
    return transaction.status();
  std::string all = "PRAGMA application_id=" + std::to_string(applicationId) +
                    ";PRAGMA user_version=" + std::to_string(version) + ";";
  for (const char *text : texts)
    all += text;
  if (Status s = database.execute(all.c_str()); !s)
    return s;
  return transaction.commit();
}

Status create(Database &database) {
  if (Status s = database.addChecksums(); !s)
    return s;
  return makeTables(database, formatVersion,
                    {schema, faultSchema, timingSchema, textSchema, buildSchema, sampleSchema,
                     originSchema, strandSchema});
}

/// What a corpus lacks goes by its tables, not by the version that it says. Its pages get no
/// checksums: their layout would have to change in place, and who is killed then would leave a
/// file of which nobody knows which pages have them.
Status upgrade(Database &database) {
  return makeTables(
      database, database.hasChecksums() ? formatVersion : versionWithoutChecksums,
      {hasPageFaults(database) ? "" : faultSchema, hasTimings(database) ? "" : timingSchema,
       hasTextFeatures(database) ? "" : textSchema, hasBuilds(database) ? "" : buildSchema,
       hasSamples(database) ? "" : sampleSchema, hasOrigins(database) ? "" : originSchema,
       hasStrands(database) ? "" : strandSchema});
}

bool hasColumn(const Database &database, const char *table, const char *name) {
  Query query(database, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
  return query.bind(std::string_view(table)).bind(std::string_view(name)).row();
}

/// A table may make texts of any size from nothing: by expressions in place of what is stored, by
/// values for what is not, by a module of SQLite's in place of a table. Ours does none of it.
const char *const madeUp = R"sql(
SELECT count(*) FROM (
  SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0
  UNION ALL
  SELECT tables.name FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
  WHERE tables.type = 'table' AND tables.rootpage <> 0
    AND (columns.hidden <> 0 OR columns.dflt_value IS NOT NULL)))sql";

bool hasTable(const Database &database, const char *name) {
  Query query(database, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return query.bind(std::string_view(name)).row();
}

} // namespace

Result<int64_t> number(const Database &database, const char *query) {
  Query only(database, query);
  const int64_t value = only.row() ? only.integer(0) : 0;
  if (const Status s = only.status(); !s)
    return s.error();
  return value;
}

Status checkSchema(Database &database, const std::string &path, bool writable) {
  Query tables(database, "SELECT sql FROM sqlite_schema"); // all pages of it, while errors are seen
  if (Status s = tables.run(); !s)
    return s;
  int64_t header[3] = {};
  const char *const pragmas[] = {"PRAGMA application_id", "PRAGMA user_version",
                                 "PRAGMA page_count"};
  for (size_t i = 0; i < std::size(pragmas); ++i) {
    const Result<int64_t> value = number(database, pragmas[i]);
    if (!value)
      return value.error();
    header[i] = *value;
  }
  const auto [application, version, pages] = header;
  const bool isEmpty = pages == 0;
  if (application == 0 && version == 0 && writable && isEmpty)
    return create(database);
  if (application != applicationId)
    return Error{escape(path) +
                 (isEmpty ? " is empty, not a quincunx corpus" : " is not a quincunx corpus")};
  if (version < oldestVersion || version > formatVersion)
    return Error{escape(path) + " has corpus format " + std::to_string(version) +
                 ", this quincunx reads formats " + std::to_string(oldestVersion) + " to " +
                 std::to_string(formatVersion) + "; use the quincunx that wrote it"};
  if (database.hasChecksums() != (version == formatVersion))
    return damagedFile(path, "its header and its format do not agree on checksums");
  const Result<int64_t> notStored = number(database, madeUp);
  if (!notStored)
    return notStored.error();
  if (*notStored != 0)
    return damagedFile(path, "a table holds what is not stored in it");
  const bool isOld =
      !hasPageFaults(database) || !hasTimings(database) || !hasTextFeatures(database);
  if (isOld && version >= versionWithoutChecksums)
    return damagedFile(path, "a table is missing");
  const bool isComplete = !isOld && hasBuilds(database) && hasSamples(database) &&
                          hasOrigins(database) && hasStrands(database);
  return writable && !isComplete ? upgrade(database) : Status(Done{});
}

bool hasPageFaults(const Database &database) { return hasColumn(database, "run", "page_faults"); }

bool hasBuilds(const Database &database) { return hasColumn(database, "image", "build"); }

bool hasOrigins(const Database &database) { return hasColumn(database, "run", "host"); }

bool hasTextFeatures(const Database &database) { return hasTable(database, "text_feature"); }

bool hasSamples(const Database &database) { return hasTable(database, "sample"); }

bool hasStrands(const Database &database) { return hasTable(database, "strands"); }

bool hasTimings(const Database &database) { return hasTable(database, "repetition"); }

} // namespace quincunx
