// What leaves a corpus: runs and timings that nobody wants, and texts that name people. Both give
// the space back, so that nothing is left to be found in free pages. Counts and maps are not
// changed.
#include "CorpusImpl.h"
#include "Schema.h"

#include <cassert>
#include <utility>

namespace quincunx {

Result<size_t> Corpus::remove(const std::vector<std::string> &identities) {
  assert(impl->writable && "a corpus opened for reading is not written");
  Transaction transaction(impl->database);
  if (!transaction.status())
    return transaction.status().error();
  size_t removed = 0;
  for (const std::string &identity : identities) {
    for (const char *sql :
         {"DELETE FROM request_feature WHERE request IN (SELECT request.id FROM "
          "request JOIN marked ON marked.id = request.marked JOIN run ON "
          "run.id = marked.run WHERE identity = ?)",
          "DELETE FROM request_counts WHERE request IN (SELECT request.id FROM "
          "request JOIN marked ON marked.id = request.marked JOIN run ON "
          "run.id = marked.run WHERE identity = ?)",
          "DELETE FROM request WHERE marked IN (SELECT marked.id FROM marked "
          "JOIN run ON run.id = marked.run WHERE identity = ?)",
          "DELETE FROM marked WHERE run = (SELECT id FROM run WHERE identity=?)",
          "DELETE FROM feature WHERE run = (SELECT id FROM run WHERE identity=?)",
          "DELETE FROM text_feature WHERE run = (SELECT id FROM run WHERE identity=?)",
          "DELETE FROM counts WHERE run = (SELECT id FROM run WHERE identity=?)",
          "DELETE FROM strands WHERE run = (SELECT id FROM run WHERE identity=?)",
          "DELETE FROM run WHERE identity = ?"})
      if (const Status s = Query(impl->database, sql).bind(identity).run(); !s)
        return s.error();
    removed += static_cast<size_t>(impl->database.changes());
  }
  for (const char *sql : {"DELETE FROM frame WHERE id NOT IN (SELECT frame FROM counts UNION "
                          "SELECT frame FROM request_counts)",
                          "DELETE FROM image WHERE id NOT IN (SELECT image FROM counts UNION "
                          "SELECT image FROM request_counts)"})
    if (const Status s = impl->database.execute(sql); !s)
      return s.error();
  impl->current.clear();
  if (const Status s = transaction.commit(); !s)
    return s.error();
  // Giving space back needs space: when there is none, the file stays as long as it is.
  static_cast<void>(impl->database.execute("VACUUM"));
  return removed;
}

Result<size_t> Corpus::removeTimings() {
  assert(impl->writable && "a corpus opened for reading is not written");
  const Result<int64_t> removed = number(impl->database, "SELECT count(*) FROM repetition");
  if (!removed)
    return removed.error();
  {
    Transaction transaction(impl->database);
    Status s = transaction.status();
    if (s)
      s = impl->database.execute("DELETE FROM sample; DELETE FROM sampled; DELETE FROM place;"
                                 "DELETE FROM repetition; DELETE FROM timed; DELETE FROM start_up;"
                                 "DELETE FROM timed_program; DELETE FROM calibration");
    if (s)
      s = transaction.commit();
    if (!s)
      return s.error();
  }
  static_cast<void>(impl->database.execute("VACUUM")); // as above
  return static_cast<size_t>(*removed);
}

/// Sets a column of every row of a table to the file name of what it held.
static Status shorten(Database &database, const std::string &table, const std::string &column) {
  const std::string select = "SELECT DISTINCT " + column + " FROM " + table;
  std::vector<std::string> values;
  Query query(database, select.c_str());
  while (query.row())
    values.push_back(query.text(0));
  if (Status s = query.status(); !s)
    return s;
  const std::string update = "UPDATE " + table + " SET " + column + " = ? WHERE " + column + " = ?";
  Query change(database, update.c_str());
  for (const std::string &value : values)
    if (const std::string name = fileName(value); name != value)
      if (Status s = change.bind(name).bind(value).run(); !s)
        return s;
  return Done{};
}

Status Corpus::scrub() {
  assert(impl->writable && "a corpus opened for reading is not written");
  {
    Transaction transaction(impl->database);
    Status s = transaction.status();
    if (s)
      s = impl->database.execute(
          "UPDATE run SET arguments = NULL, standard_input = NULL, host = NULL;"
          // the identity of an input follows from its arguments
          "UPDATE timed SET arguments = NULL, standard_input = NULL, "
          "identity = lower(hex(randomblob(16)));"
          "DELETE FROM fact WHERE name = 'command'");
    for (const auto &[table, column] :
         {std::pair{"run", "label"}, std::pair{"timed", "label"}, std::pair{"map", "path"},
          std::pair{"image", "path"}, std::pair{"timed_program", "path"}})
      if (s)
        s = shorten(impl->database, table, column);
    if (s)
      s = transaction.commit();
    if (!s)
      return s;
  }
  return impl->database.execute("VACUUM"); // so that the old text is not left in free pages
}

} // namespace quincunx
