// Usage errors. The idea: the words that name verbs, up to the first that names none, tell whose
// options and verbs could have been meant.
#include "UsageError.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx::tool {

namespace {

/// A verb, or verbs within verbs, as it is typed.
struct Verb {
  const CLI::App *app;
  std::string name;
  std::string unknown; ///< a word that stands where a verb is missing
};

std::vector<const CLI::App *> verbsOf(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}

Verb verbOf(const CLI::App &app, const std::vector<std::string> &words) {
  Verb verb{&app, app.get_name(), {}};
  for (const std::string &word : words) {
    const auto verbs = verbsOf(*verb.app);
    if (verbs.empty() || word.starts_with('-'))
      break;
    const auto next = std::ranges::find(verbs, word, &CLI::App::get_name);
    if (next == verbs.end()) {
      verb.unknown = word;
      break;
    }
    verb.app = *next;
    verb.name += " " + word;
  }
  return verb;
}

std::string meant(const std::string &word, const std::vector<std::string> &candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

std::string unknownVerb(const Verb &verb) {
  std::vector<std::string> names;
  for (const CLI::App *of : verbsOf(*verb.app))
    names.push_back(of->get_name());
  return "there is no '" + verb.name + " " + verb.unknown + "'" + meant(verb.unknown, names);
}

/// The first word that looks like an option and is none.
std::string misspelt(const Verb &verb, const std::vector<std::string> &words) {
  std::vector<std::string> names;
  for (const CLI::Option *option : verb.app->get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  for (const std::string &word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name == "--")
      break;
    if (name.starts_with("--") && std::ranges::find(names, name) == names.end())
      return meant(name, names);
  }
  return {};
}

} // namespace

std::string usageError(const CLI::App &app, const CLI::ParseError &error,
                       const std::vector<std::string> &words) {
  const Verb verb = verbOf(app, words);
  std::string text = error.what();
  if (!verb.unknown.empty())
    text = unknownVerb(verb);
  else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    text += misspelt(verb, words);
  std::ranges::replace(text, '\n', ' ');
  return printable("quincunx: error: " + text + " (see " + verb.name + " --help)");
}

} // namespace quincunx::tool
