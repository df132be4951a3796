// Reads the golden tables of test/data/golden: a comment line, a line of column names, rows of
// text.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace quincunx::test {

using Row = std::map<std::string, std::string>;

inline std::vector<std::string> split(const std::string &s, char at) {
  std::vector<std::string> parts;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, at);)
    parts.push_back(part);
  return parts;
}

/// The cells of a line; a cell in double quotes may hold commas.
inline std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

inline std::vector<Row> readCsv(const std::string &name) {
  std::ifstream in(std::string(QUINCUNX_TEST_DATA) + "/golden/" + name);
  std::string line;
  std::getline(in, line); // the definition
  const auto clean = [](std::string s) {
    while (!s.empty() && s.back() == '\r')
      s.pop_back();
    return s;
  };
  std::getline(in, line);
  const std::vector<std::string> columns = cellsOf(clean(line));
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cellsOf(clean(line));
    Row row;
    for (size_t i = 0; i < columns.size() && i < cells.size(); ++i)
      row[columns[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

inline std::vector<double> numbers(const std::string &s) {
  std::vector<double> x;
  for (const std::string &part : split(s, ';'))
    x.push_back(std::stod(part));
  return x;
}

} // namespace quincunx::test
