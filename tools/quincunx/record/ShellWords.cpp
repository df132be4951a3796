// Splits and joins command lines: blanks between words; single quotes, double quotes and
// backslashes as in POSIX sh (2.2). What joinWords() writes, splitWords() reads. Nothing is
// expanded.
#include "ShellWords.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace quincunx::tool {

Result<std::vector<std::string>> splitWords(std::string_view line) {
  std::vector<std::string> out;
  bool inWord = false;
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && (c == ' ' || c == '\t')) {
      inWord = false;
      continue;
    }
    if (!inWord)
      out.emplace_back();
    inWord = true;
    const bool escapes = quote == '\0' || (quote == '"' && i + 1 < line.size() &&
                                           std::strchr("\"\\$`", line[i + 1]) != nullptr);
    if (c == quote && quote != '\0')
      quote = '\0';
    else if (quote == '\0' && (c == '\'' || c == '"'))
      quote = c;
    else if (c == '\\' && escapes && i + 1 < line.size())
      out.back() += line[++i];
    else
      out.back() += c;
  }
  if (quote != '\0')
    return Error{std::string("a ") + quote + " is not closed"};
  return out;
}

std::string joinWords(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words) {
    out += out.empty() ? "" : " ";
    const bool isPlain =
        !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
          return std::isalnum(c) || std::strchr("_-./:,+=@%{}#", c) != nullptr;
        });
    if (isPlain) {
      out += word;
      continue;
    }
    out += '\'';
    for (char c : word)
      out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

} // namespace quincunx::tool
