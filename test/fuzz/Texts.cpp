// See Texts.h.
#include "Texts.h"

#include <algorithm>
#include <cctype>

namespace quincunx::fuzz {

namespace {

constexpr std::string_view numbers[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "5",
                                        "10",
                                        "100",
                                        "0.5",
                                        "0.3",
                                        "0.1",
                                        "1e-3",
                                        "1.5",
                                        "1e9",
                                        "inf",
                                        "1e18",
                                        "1e16",
                                        "2147483648",
                                        "1e19",
                                        "1e308",
                                        "5e-324",
                                        "20",
                                        "7",
                                        "20000",
                                        "1e5",
                                        "9007199254740991",
                                        "9007199254740992",
                                        "9007199254740993"};

constexpr std::string_view vocabulary[] = {
    "numeric",  "process",     "resource",  "parameter",   "include", "seq",   "par",
    "any",      "if",          "else",      "switch",      "sum",     "delay", "use",
    "fcfs",     "mod",         "div",       "and",         "not",     "or",    "inf",
    "max",      "min",         "||",        "==",          "!=",      "<=",    ">=",
    "(",        ")",           "{",         "}",           "[",       "]",     ",",
    ";",        ":",           "=",         "<",           ">",       "+",     "-",
    "*",        "/",           "^",         "n0",          "p0",      "r0",    "i",
    "x",        "main",        "moments",   "exponential", "normal",  "gamma", "lognormal",
    "uniform",  "bernoulli",   "histogram", "gcd",         "floor",   "log2",  "sqrt",
    "unitvec",  "\"mrm.pam\"", "\"",        "|",           ".",       "1e999", "1e",
    "\xc3\xa4", "\x01",        "% %\n",     "%\n"};

constexpr std::string_view binary[] = {
    "+", "-", "*", "/", "^", "mod", "div", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
constexpr std::string_view oneArgument[] = {"floor", "ceil", "abs",     "sqrt",        "exp",
                                            "log",   "log2", "unitvec", "exponential", "bernoulli"};
constexpr std::string_view twoArguments[] = {"normal",    "uniform", "gamma", "lognormal",
                                             "histogram", "max",     "min",   "gcd"};

template <class T, size_t n> const T &pick(const T (&all)[n], size_t which) {
  return all[which % n];
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Of a sign that two characters may make, and of a number such as 1e-3.
bool goesOn(std::string_view text, size_t at, size_t end) {
  if (text[at] == '|')
    return text[end] == '|';
  if (std::isdigit(static_cast<unsigned char>(text[at])) == 0)
    return text[end] == '=' && std::string_view("=!<>").find(text[at]) != std::string_view::npos;
  return text[end - 1] == 'e' && (text[end] == '-' || text[end] == '+');
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text[at] == '%')
      end = std::min(text.find('\n', at), text.size() - 1) + 1;
    else if (text[at] == '"')
      end = std::min(text.find_first_of("\"\n", at + 1), text.size() - 1) + 1;
    else if (isWord(text[at]))
      while (end < text.size() && (isWord(text[end]) || text[end] == '.' || goesOn(text, at, end)))
        ++end;
    else if (end < text.size() && goesOn(text, at, end))
      ++end;
    if (text[at] != ' ' && text[at] != '\n')
      words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

} // namespace

void Texts::put(std::string_view words) {
  for (const std::string &w : wordsOf(words))
    out.push_back(w);
}

void Texts::range(int depth) {
  put("( " + indices.back() + " =");
  const std::string hidden = indices.back();
  indices.pop_back();
  number(oneIn(3) ? depth - 1 : 0);
  put(",");
  number(oneIn(2) ? depth - 1 : 0);
  put(")");
  indices.push_back(hidden);
}

void Texts::choices(int depth, bool processes) {
  const auto one = [&] { processes ? process(depth - 1) : number(depth - 1); };
  const bool selector = oneIn(2);
  put("switch");
  if (selector) {
    put("(");
    number(depth - 1);
    put(")");
  }
  put("{");
  for (size_t i = 0, n = 1 + below(3); i < n; ++i) {
    selector ? number(0) : put(oneIn(5) ? "0.5" : "0.3");
    put(":");
    one();
    if (i + 1 < n)
      put(",");
  }
  if (oneIn(2)) {
    put(", else :");
    one();
  }
  put("}");
}

void Texts::number(int depth) {
  const auto list = [&](size_t n) {
    for (size_t i = 0; i < n; ++i) {
      if (i != 0)
        put(",");
      number(depth - 1);
    }
  };
  if (depth > 0 && oneIn(50)) { // of the wrong kind
    put("{");
    process(depth - 1);
    return put("}");
  }
  if (depth <= 0 || oneIn(6)) {
    if (!indices.empty() && oneIn(2))
      return put(indices[below(indices.size())]);
    if (known > 0 && oneIn(2))
      return put("n" + std::to_string(below(known)));
    return put(oneIn(3) ? pick(numbers, random()) : numbers[below(10)]);
  }
  switch (below(12)) {
  case 0:
    put(oneIn(3) ? "not (" : "- (");
    number(depth - 1);
    return put(")");
  case 1:
    put(pick(oneArgument, random()));
    put("(");
    number(depth - 1);
    return put(")");
  case 2:
    put(pick(twoArguments, random()));
    put("(");
    list(2);
    return put(")");
  case 3:
    put(oneIn(2) ? "moments (2, 1, 2, 9" : "moments (");
    if (out.back() == "(")
      list(4);
    return put(")");
  case 4:
    put("[");
    list(1 + below(3));
    return put("]");
  case 5:
  case 6:
    indices.push_back(oneIn(2) ? "i" : "j");
    put(oneIn(2) ? "sum" : oneIn(2) ? "max" : "min");
    range(depth);
    put("(");
    number(depth - 1);
    put(")");
    return indices.pop_back();
  case 7:
    put("( if (");
    number(depth - 1);
    put(")");
    number(depth - 1);
    put("else");
    number(depth - 1);
    return put(")");
  case 8:
    return choices(depth, false);
  case 9:
    put("f (");
    list(2);
    return put(")");
  default: {
    const bool brace = oneIn(4);
    put(brace ? "{" : "(");
    number(depth - 1);
    put(pick(binary, oneIn(2) ? below(3) : random()));
    number(depth - 1);
    return put(brace ? "}" : ")");
  }
  }
}

void Texts::resource(int depth) {
  if (known > 0 && oneIn(2))
    return put("r" + std::to_string(below(known)));
  put("fcfs (");
  oneIn(4) ? number(depth - 1) : put(oneIn(2) ? "0" : "1");
  put(",");
  oneIn(8) ? number(depth - 1) : put(oneIn(4) ? "2" : "1");
  put(")");
}

void Texts::process(int depth) {
  const auto braced = [&] {
    put("{");
    process(depth - 1);
    put("}");
  };
  const auto parts = [&](std::string_view sign) {
    put("{");
    for (size_t i = 0, n = 2 + below(3); i < n; ++i) {
      if (i != 0)
        put(sign);
      process(depth - 1);
    }
    put("}");
  };
  if (depth <= 0 || oneIn(6)) {
    if (known > 0 && oneIn(3))
      return put("p" + std::to_string(below(known)));
    put("delay (");
    number(1);
    return put(")");
  }
  switch (below(9)) {
  case 0:
    return parts(";");
  case 1:
    return parts("||");
  case 2:
  case 3: {
    indices.push_back(oneIn(2) ? "i" : "k");
    const bool any = oneIn(4);
    put(any ? "any" : "");
    put(oneIn(2) && !any ? "seq" : "par");
    range(depth);
    braced();
    return indices.pop_back();
  }
  case 4:
    put("any (");
    number(oneIn(3) ? 1 : 0);
    put(")");
    return parts("||");
  case 5:
    put("if (");
    number(depth - 1);
    put(")");
    braced();
    if (!oneIn(2))
      return;
    put("else");
    return braced();
  case 6:
    return choices(depth, true);
  case 7:
    put("g (");
    number(depth - 1);
    put(", fcfs (0, 1))");
    return;
  default:
    put("use (");
    resource(depth);
    put(",");
    number(depth - 1);
    return put(")");
  }
}

std::string Texts::model() {
  out.clear();
  indices.clear();
  put("numeric parameter N = 3 numeric f(x, y) = x + y * ");
  indices = {"x", "y"};
  known = 0;
  number(2);
  put("process g(x, r) = use(r, x);");
  indices = {"x"};
  process(2);
  indices.clear();
  const size_t definitions = 1 + below(3);
  const int depth = 1 + static_cast<int>(below(4));
  for (size_t i = 0; i < definitions; ++i) {
    const std::string n = std::to_string(i);
    put("numeric n" + n + " =");
    number(depth);
    put("resource r" + n + " =");
    known = oneIn(20) ? i + 1 : i; // by itself, sometimes
    resource(1);
    put("process p" + n + " =");
    process(depth);
    known = i + 1;
  }
  put("process main =");
  process(depth + 1);
  return written(out);
}

std::string Texts::written(const Words &words) {
  static constexpr std::string_view comments[] = {"% c\n", "\n% own\n", "%\n\n", "\n\n% a % b\n"};
  const size_t often = 2 + below(oneIn(2) ? 80 : 10);
  const bool withComments = oneIn(2);
  std::string text;
  for (const std::string &w : words) {
    text += w;
    if (w[0] == '%' && !w.ends_with('\n'))
      text += '\n';
    text += withComments && oneIn(often) ? pick(comments, random()) : oneIn(9) ? "\n" : " ";
  }
  return text;
}

void Texts::change(Words &words, const Words &other) {
  const size_t at = below(words.size());
  const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
  const auto some = [&](const Words &of) {
    const size_t first = below(of.size()), n = 1 + below(std::min<size_t>(of.size() - first, 12));
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(first);
    return Words(begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  switch (below(9)) {
  case 0:
    words.erase(place);
    return;
  case 1:
    *place = pick(vocabulary, random());
    return;
  case 2:
    *place = pick(numbers, random());
    return;
  case 3:
    words.emplace(place, pick(vocabulary, random()));
    return;
  case 4:
    std::swap(*place, words[below(words.size())]);
    return;
  case 5: {
    const Words taken = some(other);
    words.insert(place, taken.begin(), taken.end());
    return;
  }
  case 6: { // numbers where numbers are
    const auto digit = std::find_if(place, words.end(), [](const std::string &w) {
      return std::isdigit(static_cast<unsigned char>(w[0])) != 0;
    });
    if (digit != words.end())
      *digit = pick(numbers, random());
    return;
  }
  case 7: { // many of one
    const Words taken = oneIn(2) ? some(words) : Words{*place};
    Words many;
    for (size_t i = 0, n = 1 + below(oneIn(50) ? 600 : 8); i < n; ++i)
      many.insert(many.end(), taken.begin(), taken.end());
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), many.begin(), many.end());
    return;
  }
  default:
    (*place)[below(place->size())] ^= static_cast<char>(1U << below(8));
  }
}

std::string Texts::changed(std::string_view text, std::string_view other) {
  Words words = wordsOf(text);
  const Words others = wordsOf(other);
  for (size_t i = 0, n = 1 + below(4); i < n && !words.empty() && !others.empty(); ++i)
    change(words, others);
  std::erase_if(words, [](const std::string &w) { return w.empty(); });
  return written(words);
}

} // namespace quincunx::fuzz
