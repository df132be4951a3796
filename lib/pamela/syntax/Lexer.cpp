// Cuts text into words in one pass over its bytes.
// The idea: names and numbers are as long as they can be; a sign of two characters goes before one
// of one. Reference: docs/12-pamela.md, "Grammar". It does not read files.
#include "Lexer.h"

#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx::pamela {

namespace {

constexpr size_t maxWords = 4000000;

constexpr std::string_view keywords[] = {
    "numeric", "process", "resource", "parameter", "include", "seq",   "par",
    "any",     "if",      "else",     "switch",    "sum",     "delay", "use",
    "fcfs",    "mod",     "div",      "and",       "not",     "or",    "inf"};
constexpr std::string_view signs[] = {"||", "==", "!=", "<=", ">=", "(", ")", "{", "}", "[", "]",
                                      ",",  ";",  ":",  "=",  "<",  ">", "+", "-", "*", "/", "^"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Lexer {
public:
  Lexer(std::string_view source, const std::string &name, uint32_t number,
        std::vector<Comment> &found)
      : text(source), file(name), fileNumber(number), comments(found) {}

  Result<std::vector<Token>> run() {
    while (skipBlanks(), at < text.size()) {
      if (tokens.size() == maxWords)
        return error("more than 4,000,000 words; split the model or make it shorter");
      const char c = text[at];
      const Status read = c == '%'      ? comment()
                          : isDigit(c)  ? number()
                          : isLetter(c) ? name()
                          : c == '"'    ? quoted()
                                        : sign();
      if (!read)
        return read.error();
    }
    add(Token::Type::end, 0);
    return std::move(tokens);
  }

private:
  Place place() const { return {fileNumber, line, static_cast<uint32_t>(at - lineStart) + 1}; }
  Error error(const std::string &what) const { return Error{what, file, line, place().column}; }
  /// The characters from here on for which `belongs`.
  template <class Belongs> size_t length(size_t from, Belongs belongs) const {
    size_t end = from;
    while (end < text.size() && belongs(text[end]))
      ++end;
    return end - from;
  }
  void add(Token::Type type, size_t bytes) {
    tokens.push_back({type, place(), text.substr(at, bytes), 0});
    at += bytes;
  }
  void skipBlanks() {
    for (; at < text.size() && isBlank(text[at]); ++at)
      if (text[at] == '\n') {
        ++line;
        lineStart = at + 1;
      }
  }

  /// Nobody should be shown a model that holds more than he sees.
  Status visible(std::string_view said, const char *what) const {
    if (printable(said, said.size(), "\\\t") == said)
      return Done{};
    return error(std::string(what) + " holds what cannot be seen (a control or format character, "
                                     "or bytes that are not UTF-8); take it out");
  }

  Status comment() {
    const size_t all = length(at, [](char c) { return c != '\n'; });
    std::string_view said = text.substr(at + 1, all - 1);
    while (!said.empty() && isBlank(said.back()))
      said.remove_suffix(1);
    if (const Status s = visible(said, "a comment"); !s)
      return s;
    comments.push_back({std::string(said), place()});
    at += all;
    return Done{};
  }

  Status number() {
    size_t end = at + length(at, isDigit);
    if (end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1]))
      end += 1 + length(end + 1, isDigit);
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
      size_t digits = end + 1;
      if (digits < text.size() && (text[digits] == '+' || text[digits] == '-'))
        ++digits;
      if (digits < text.size() && isDigit(text[digits]))
        end = digits + length(digits, isDigit);
    }
    if (end < text.size() && (isLetter(text[end]) || text[end] == '.'))
      return error("a number goes on with '" + std::string(1, text[end]) +
                   "'; write numbers like 1, 2.5 or 1e-3, and names with a letter first");
    add(Token::Type::number, end - at);
    if (!parseNumber(tokens.back().text, tokens.back().value)) {
      at -= tokens.back().text.size();
      return error("the number " + describe(tokens.back()) +
                   " is too large or too small to be held");
    }
    return Done{};
  }

  Status name() {
    const size_t bytes = length(at, [](char c) { return isLetter(c) || isDigit(c); });
    const bool reserved = std::ranges::find(keywords, text.substr(at, bytes)) != std::end(keywords);
    add(reserved ? Token::Type::word : Token::Type::name, bytes);
    return Done{};
  }

  Status quoted() {
    const size_t bytes = length(at + 1, [](char c) { return c != '"' && c != '\n'; });
    if (at + 1 + bytes >= text.size() || text[at + 1 + bytes] != '"')
      return error("the file name does not end on this line; put a \" behind it");
    if (const Status s = visible(text.substr(at + 1, bytes), "the name of a file"); !s)
      return s;
    const Place start = place();
    tokens.push_back({Token::Type::quoted, start, text.substr(at + 1, bytes), 0});
    at += bytes + 2;
    return Done{};
  }

  Status sign() {
    for (const std::string_view s : signs)
      if (text.substr(at, s.size()) == s) {
        add(Token::Type::word, s.size());
        return Done{};
      }
    const char c = text[at];
    if (c == '|' || c == '&' || c == '!')
      return error(std::string("unknown sign '") + c + "'; parallel is ||, logic is and, or, not");
    if (c == '.')
      return error("a number has a digit in front of its point");
    // Of a character of several bytes all of them, or the message would not show it.
    const size_t rest = length(at + 1, [](char b) { return (b & 0xc0) == 0x80; });
    return error("unknown character '" + escape(text.substr(at, 1 + std::min<size_t>(rest, 3))) +
                 "'");
  }

  std::string_view text;
  const std::string &file;
  uint32_t fileNumber;
  std::vector<Comment> &comments;
  std::vector<Token> tokens;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1;
};

} // namespace

Result<std::vector<Token>> lex(std::string_view text, const std::string &name, uint32_t file,
                               std::vector<Comment> &comments) {
  return Lexer(text, name, file, comments).run();
}

std::string describe(const Token &token) {
  constexpr size_t most = 40;
  if (token.type == Token::Type::end)
    return "the end of the file";
  return "'" + escape(token.text.substr(0, most)) + (token.text.size() > most ? "..." : "") + "'";
}

} // namespace quincunx::pamela
