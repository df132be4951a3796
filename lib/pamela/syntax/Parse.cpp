// Parses files as definitions.
// The idea: a definition ends where the next keyword of one stands, so nothing has to. Reference:
// docs/12-pamela.md, "Grammar". Expressions are in Parser.cpp, files in ModelFiles.cpp.
#include "quincunx/pamela/Parse.h"

#include "ModelFiles.h"
#include "Parser.h"
#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx::pamela {

namespace {

/// Each use of a name looks through them.
constexpr size_t maxArguments = 200;

/// ">=" the least value, "<=" the largest one, with "and" between them where there are both.
bool range(Parser &in, Definition &d) {
  const Place at = in.now().at;
  bool hasMost = in.take("<=");
  if (!hasMost && !in.take(">="))
    return true;
  if (!hasMost) {
    d.least = in.operand();
    if (!d.least)
      return false;
    hasMost = in.take("and");
    if (hasMost && !in.take("<="))
      return in.unexpected("'<=' and the largest value of '" + d.name + "'");
  }
  if (hasMost && !(d.most = in.operand()))
    return false;
  if (d.kind != Kind::numeric || !d.parameter || !d.arguments.empty())
    return in.fail("only a numeric parameter without arguments has a range", at);
  return (!in.now().is(">=") && !in.now().is("<=")) ||
         in.fail("a range is >= a and <= b, in this order", in.now().at);
}

bool definition(Parser &in, Model &model) {
  Definition d;
  d.at = in.now().at;
  d.kind = in.now().is("numeric")   ? Kind::numeric
           : in.now().is("process") ? Kind::process
                                    : Kind::resource;
  in.next();
  d.parameter = in.take("parameter");
  d.name = in.name("what is defined");
  if (d.name.empty())
    return false;
  if (in.take("(")) {
    do {
      d.arguments.emplace_back(in.name("an argument"));
      if (d.arguments.back().empty())
        return false;
      if (d.arguments.size() > maxArguments)
        return in.fail("'" + d.name + "' has more than " + std::to_string(maxArguments) +
                           " arguments; make it several definitions",
                       d.at);
    } while (in.take(","));
    if (!in.now().is(")"))
      return in.unexpected("',' or ')'");
    in.next();
  }
  if (!range(in, d))
    return false;
  if (in.take("=")) {
    d.body = in.expression();
    if (!d.body)
      return false;
  } else if (!d.parameter)
    return in.unexpected("'=' and what '" + d.name + "' is (only a parameter can do without)");
  model.definitions.push_back(std::move(d));
  return true;
}

/// The definitions of a file, and where it includes others those of them.
Status file(const ModelFiles &sources, size_t number, Model &model) {
  const ModelFile &s = *sources.files[number];
  Parser in(s.tokens, s.name, sources.defined);
  size_t included = 0;
  while (in.now().type != Token::Type::end) {
    const Place place = in.now().at;
    if (in.take("include")) {
      if (in.now().type != Token::Type::quoted) {
        in.unexpected("the name of a file in quotes");
        return in.error();
      }
      if (number == 0)
        model.includes.emplace_back(place, in.now().text);
      in.next();
      if (const std::optional<size_t> other = s.includes[included++])
        if (const Status ok = file(sources, *other, model); !ok)
          return ok;
    } else if (in.now().is("numeric") || in.now().is("process") || in.now().is("resource")) {
      if (!definition(in, model))
        return in.error();
    } else {
      in.unexpected(model.definitions.empty()
                        ? "a definition, which begins with numeric, process or resource"
                        : "an operator or the next definition (numeric, process or resource)");
      return in.error();
    }
  }
  return Done{};
}

} // namespace

Result<Model> parseText(std::string text, const std::string &name) {
  const Result<ModelFiles> sources = readModelFiles(std::move(text), name);
  if (!sources)
    return sources.error();
  Model model;
  if (const Status ok = file(*sources, 0, model); !ok)
    return ok.error();
  for (const std::unique_ptr<ModelFile> &s : sources->files)
    model.files.push_back(s->name);
  model.comments = std::move(sources->files[0]->comments);
  return model;
}

Result<Model> parse(const std::string &path) {
  Result<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  return parseText(std::move(*text), path);
}

std::string pointOut(const Error &error, std::string_view text) {
  constexpr size_t most = 100;
  for (unsigned line = 1; line < error.line; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (error.line == 0 || error.column == 0 || error.column > text.size() + 1)
    return "";
  // Of a long line the part around the place.
  size_t before = error.column - 1;
  const size_t cut = before > most / 2 && text.size() > most ? before - most / 2 : 0;
  before -= cut;
  std::string shown(text.substr(cut, most));
  std::ranges::replace(shown, '\t', ' ');
  while (!shown.empty() && (shown.back() == '\r' || shown.back() == ' '))
    shown.pop_back();
  before = std::min(before, shown.size());
  return "  " + escape(shown) + "\n  " +
         std::string(columns(escape(std::string_view(shown).substr(0, before))), ' ') + "^\n";
}

} // namespace quincunx::pamela
