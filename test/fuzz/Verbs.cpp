// See Verbs.h. Streams are taken over while a verb is at work: std::cout by its buffer, stdout and
// stderr as the variables that they are in this C library, so that the descriptors below stay free
// for reports of sanitizers.
#include "Verbs.h"

#include "Target.h"

#include "quincunx/base/Text.h"

#include "verbs/Verbs.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace quincunx::fuzz {

namespace {

/// What is written to `stream` while this lives.
class Written {
public:
  explicit Written(std::FILE *&of) : stream(of), before(of) { of = open_memstream(&text, &size); }
  ~Written() {
    std::fclose(stream);
    stream = before;
    std::free(text);
  }
  Written(const Written &) = delete;
  Written &operator=(const Written &) = delete;
  std::string all() {
    std::fflush(stream);
    return {text, size};
  }

private:
  std::FILE *&stream;
  std::FILE *before;
  char *text = nullptr;
  size_t size = 0;
};

void add(CLI::App &app, const std::string &verb, int &status) {
  static constexpr std::pair<const char *, void (*)(CLI::App &, int &)> verbs[] = {
      {"annotate", tool::addAnnotate}, {"corpus", tool::addCorpus}, {"explain", tool::addExplain},
      {"model", tool::addModel},       {"report", tool::addReport}, {"validate", tool::addValidate},
      {"whatif", tool::addWhatIf}};
  std::ranges::find(verbs, verb, [](const auto &v) {
    return std::string(v.first);
  })->second(app, status);
}

/// Control characters but those of lines and tables; DEL is one that JSON allows.
bool isPlain(const std::string &text, bool json) {
  return validUtf8(text) == text && std::ranges::all_of(text, [&](char c) {
           return static_cast<unsigned char>(c) >= ' ' ? c != 127 || json : c == '\n' || c == '\t';
         });
}

/// Has it a word that is what a NaN is printed as?
bool saysNan(const std::string &text) {
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word == "nan" || word == "-nan")
      return true;
  return false;
}

} // namespace

Ran call(const std::vector<std::string> &words) {
  std::ios::sync_with_stdio(false); // as verbs do, which would set the buffer of std::cout
  Ran ran;
  CLI::App app{"", "quincunx"};
  add(app, words.front(), ran.status);
  Written out(stdout), err(stderr);
  std::stringbuf streamed;
  std::streambuf *const before = std::cout.rdbuf(&streamed);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend()); // as CLI11 wants it
    app.parse(reversed);
  } catch (const CLI::ParseError &e) {
    ran.status = app.exit(e) == 0 ? tool::ok : tool::usage;
  }
  std::cout.rdbuf(before);
  ran.out = out.all() + streamed.str();
  ran.err = err.all();
  return ran;
}

Ran judgedCall(const std::vector<std::string> &words) {
  Ran ran = call(words);
  std::string line;
  for (const std::string &word : words)
    line += escape(word) + " ";
  const auto lines = std::ranges::count(ran.err, '\n');
  if (ran.status < 0 || ran.status > 2)
    wrong(line + "ends with status " + std::to_string(ran.status));
  if (ran.status != 0 && (lines != 1 || !ran.err.starts_with("quincunx: ")))
    wrong(line + "is refused, but not in one line", ran.err);
  const bool json = std::ranges::find(words, "--json") != words.end();
  for (const std::string *text : {&ran.out, &ran.err})
    if (!isPlain(*text, json))
      wrong(line + "says what no terminal should show", escape(*text));
  if (saysNan(ran.out))
    wrong(line + "says that a figure is no number", ran.out);
  if (ran.status == 0 && json && !nlohmann::json::accept(ran.out))
    wrong(line + "gives no JSON", ran.out);
  return ran;
}

} // namespace quincunx::fuzz
