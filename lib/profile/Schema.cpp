// The schema below is the format of corpora (docs/11-formats.md explains it); `PRAGMA user_version`
// is its version. The idea: a run is one row with what people ask about in plain columns, and one
// blob per image for its counts, packed against a frame that runs share (Codec.cpp). Whether a file
// is a corpus is decided here; what its rows hold is checked by those who read them.
#include "Schema.h"

#include "quincunx/base/Text.h"

#include <initializer_list>

namespace quincunx {

namespace {

constexpr int64_t applicationId = 0x51754E78; // "QuNx"
constexpr int64_t formatVersion = 5;
constexpr int64_t versionWithoutTexts = 4;   // is the same otherwise
constexpr int64_t versionWithoutTimings = 3; // is the same otherwise

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

/// Makes the tables of `texts` and sets the version, all or nothing.
Status makeTables(Database &database, std::initializer_list<const char *> texts) {
  Transaction transaction(database);
  if (!transaction.status())
    return transaction.status();
  std::string all = "PRAGMA application_id=" + std::to_string(applicationId) +
                    ";PRAGMA user_version=" + std::to_string(formatVersion) + ";";
  for (const char *text : texts)
    all += text;
  if (Status s = database.execute(all.c_str()); !s)
    return s;
  return transaction.commit();
}

} // namespace

int64_t number(const Database &database, const char *query) {
  Query only(database, query);
  return only.row() ? only.integer(0) : 0;
}

Status checkSchema(Database &database, const std::string &path, bool writable) {
  const int64_t application = number(database, "PRAGMA application_id");
  const int64_t version = number(database, "PRAGMA user_version");
  const bool isEmpty = number(database, "PRAGMA page_count") == 0;
  if (application == 0 && version == 0 && writable && isEmpty)
    return makeTables(database, {schema, faultSchema, timingSchema, textSchema});
  if (application != applicationId)
    return Error{escape(path) +
                 (isEmpty ? " is empty, not a quincunx corpus" : " is not a quincunx corpus")};
  if (version == versionWithoutTimings)
    return writable ? makeTables(database, {faultSchema, timingSchema, textSchema})
                    : Status(Done{});
  if (version == versionWithoutTexts)
    return !writable                 ? Status(Done{})
           : hasPageFaults(database) ? makeTables(database, {textSchema})
                                     : makeTables(database, {faultSchema, textSchema});
  if (version != formatVersion)
    return Error{escape(path) + " has corpus format " + std::to_string(version) +
                 ", this quincunx reads formats " + std::to_string(versionWithoutTimings) + " to " +
                 std::to_string(formatVersion) + "; use the quincunx that wrote it"};
  return Done{};
}

bool hasPageFaults(const Database &database) {
  return number(database, "SELECT count(*) FROM pragma_table_info('run') "
                          "WHERE name = 'page_faults'") != 0;
}

bool hasTextFeatures(const Database &database) {
  return number(database, "PRAGMA user_version") > versionWithoutTexts;
}

bool hasTimings(const Database &database) {
  return number(database, "PRAGMA user_version") != versionWithoutTimings;
}

} // namespace quincunx
