// The format of a corpus: its tables and their version. It knows no contents.
#pragma once

#include "Database.h"

#include <string>

namespace quincunx {

/// Makes sure that an open database is a corpus this version reads; an empty file that may be
/// written becomes one, and an older one that may be written becomes one of this format. `path` is
/// for messages.
Status checkSchema(Database &database, const std::string &path, bool writable);

/// Has it the tables for timings? An older one that was not upgraded has none.
bool hasTimings(const Database &database);
/// Has it the table for features that are texts? An older one that was not upgraded has none.
bool hasTextFeatures(const Database &database);
/// Has it the column for builds of images? An older one that was not upgraded has none.
bool hasBuilds(const Database &database);
/// Has it the tables for samples? An older one that was not upgraded has none.
bool hasSamples(const Database &database);
/// Has it the columns that say where runs were made? An older one that was not upgraded has none.
bool hasOrigins(const Database &database);
/// Has it the column for page faults of runs? An older one that was not upgraded has none.
bool hasPageFaults(const Database &database);

/// Has it the table for strands? An older one that was not upgraded has none.
bool hasStrands(const Database &database);

/// The only value of a query that has one; 0 when it has none.
Result<int64_t> number(const Database &database, const char *query);

} // namespace quincunx
