// Budgets for services: JUnit XML as Jenkins and GitLab read it, SARIF 2.1.0 (OASIS, 2020), and the
// workflow commands of GitHub Actions. A budget is a test case; one that nobody can tell of is
// skipped, or open, unless it is to fail.
#include "BudgetText.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"
#include "report/layout/Markup.h"

#include <algorithm>
#include <ostream>

namespace quincunx {

namespace {

using nlohmann::ordered_json;

/// `text` with other words for some characters.
std::string replaced(const std::string &text,
                     std::initializer_list<std::pair<char, const char *>> words) {
  std::string out;
  for (const char c : text) {
    const auto *found = std::ranges::find(words, c, [](const auto &w) { return w.first; });
    out += found == words.end() ? std::string(1, c) : found->second;
  }
  return out;
}

std::string commandText(const std::string &text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}
std::string commandProperty(const std::string &text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

/// A path as a reference (RFC 3986).
std::string uri(const std::string &path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') ||
                         std::string("-._~/+").find(c) != std::string::npos;
    const auto byte = static_cast<uint8_t>(c);
    out += isPlain ? std::string(1, c) : "%" + hexDigits({&byte, 1});
  }
  return out;
}

ordered_json location(const std::string &folder, const BudgetPlace &place) {
  ordered_json at{{"artifactLocation", {{"uri", uri(pathFrom(folder, place.file))}}}};
  if (place.line > 0)
    at["region"] = {{"startLine", place.line}};
  return {{"physicalLocation", at}};
}

ordered_json rule(const char *id, const char *text) {
  return {{"id", id}, {"shortDescription", {{"text", text}}}};
}

ordered_json resultOf(const BudgetReport &r, const CheckedBudget &b) {
  const bool fails = r.fails(b), isBroken = b.answer == BudgetAnswer::broken;
  ordered_json result{{"ruleId", isBroken ? "budget-broken" : "budget-open"},
                      {"ruleIndex", isBroken ? 0 : 1},
                      {"kind", fails ? "fail" : "open"},
                      {"level", fails ? "error" : "none"},
                      {"message", {{"text", sentenceOf(b)}}}};
  const BudgetPlace place = placeOf(b);
  result["locations"] =
      ordered_json::array({location(r.folder, place.file.empty() ? BudgetPlace{r.corpus} : place)});
  if (!b.budget.file.empty() && place.file != b.budget.file)
    result["relatedLocations"] =
        ordered_json::array({location(r.folder, {b.budget.file, b.budget.line})});
  return result;
}

} // namespace

std::string junitOf(const BudgetReport &r) {
  const auto failures = std::ranges::count_if(r.budgets, [&](const auto &b) { return r.fails(b); });
  const auto skipped = std::ranges::count_if(r.budgets, [&](const auto &b) {
    return b.answer == BudgetAnswer::cannotTell && !r.fails(b);
  });
  const std::string numbers = " tests=\"" + std::to_string(r.budgets.size()) + "\" failures=\"" +
                              std::to_string(failures) + "\" errors=\"0\"";
  std::string s =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"quincunx check\"" + numbers +
      ">\n  <testsuite name=\"" + markup(escape(r.corpus)) + "\"" + numbers + " skipped=\"" +
      std::to_string(skipped) + "\" time=\"0\">\n";
  for (const CheckedBudget &b : r.budgets) {
    const std::string where =
        b.budget.file.empty() ? "command line" : pathFrom(r.folder, b.budget.file);
    s += "    <testcase classname=\"" + markup(escape(where)) + "\" name=\"" +
         markup(escape(b.budget.text, mostSaid)) + "\" time=\"0\"";
    const std::string text = markup(sentenceOf(b));
    if (r.fails(b))
      s += "><failure type=\"" + std::string(wordFor(b.answer)) + "\" message=\"" + text + "\">" +
           text + "</failure></testcase>\n";
    else if (b.answer == BudgetAnswer::cannotTell)
      s += "><skipped message=\"" + text + "\"/></testcase>\n";
    else
      s += "/>\n";
  }
  return s + "  </testsuite>\n</testsuites>\n";
}

std::string sarifOf(const BudgetReport &r) {
  ordered_json results = ordered_json::array();
  for (const CheckedBudget &b : r.budgets)
    if (b.answer != BudgetAnswer::holds)
      results.push_back(resultOf(r, b));
  ordered_json driver{{"name", "quincunx"}, {"version", r.version}};
  driver["rules"] = ordered_json::array(
      {rule("budget-broken", "A budget of cost is broken"),
       rule("budget-open", "It cannot be told whether a budget of cost holds")});
  ordered_json run;
  run["tool"]["driver"] = std::move(driver);
  run["results"] = std::move(results);
  ordered_json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"}};
  document["runs"] = ordered_json::array({std::move(run)});
  return jsonText(document) + "\n";
}

void printAnnotations(const BudgetReport &r, std::ostream &out) {
  for (const CheckedBudget &b : r.budgets) {
    if (b.answer == BudgetAnswer::holds)
      continue;
    const BudgetPlace place = placeOf(b);
    std::string at;
    if (!place.file.empty())
      at = "file=" + commandProperty(escape(pathFrom(r.folder, place.file))) +
           ",line=" + std::to_string(place.line) + ",";
    out << (r.fails(b) ? "::error " : "::warning ") << at << "title=Budget "
        << (b.answer == BudgetAnswer::broken ? "broken" : "cannot be told")
        << "::" << commandText(sentenceOf(b)) << "\n";
  }
}

} // namespace quincunx
