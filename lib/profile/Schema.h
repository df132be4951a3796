// The format of a corpus: its tables and their version. Private to the room. It knows no contents.
#pragma once

#include "Database.h"

#include <string>

namespace quincunx {

/// Makes sure that an open database is a corpus this version reads; an empty file that may be
/// written becomes one. `path` is for messages.
Status checkSchema(Database &database, const std::string &path, bool writable);

/// The only value of a query that has one; 0 when it has none.
int64_t number(const Database &database, const char *query);

} // namespace quincunx
