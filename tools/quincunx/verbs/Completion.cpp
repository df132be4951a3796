// quincunx completion: scripts that have a shell complete verbs, options and the words that options
// take. The idea: everything is read from the command line that the tool itself parses, so that the
// scripts cannot lag behind it; what an option takes is in its type name, "run|request" or
// "FILE|none", of which words in lower case stand for themselves. Files are the shell's business.
#include "Verbs.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

namespace quincunx::tool {

namespace {

struct Option {
  std::vector<std::string> names; ///< with their dashes; none: an argument
  bool hasValue = false;
  std::vector<std::string> words; ///< that the value may be
  bool takesOthers = false;       ///< values beside these
  std::string description;
};

struct Verb {
  std::string path; ///< "corpus add"; empty: the program itself
  std::string name, description;
  std::vector<Option> options;
  std::vector<std::string> verbs;
};

/// Of "FILE|none" the words that are typed as they are.
void readType(const std::string &type, Option &option) {
  std::istringstream pieces(type);
  for (std::string piece; std::getline(pieces, piece, '|');)
    if (piece.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos)
      option.words.push_back(piece);
    else
      option.takesOthers = true;
}

Option optionOf(const CLI::Option &from) {
  Option option;
  for (const std::string &name : from.get_lnames())
    option.names.push_back("--" + name);
  for (const std::string &name : from.get_snames())
    option.names.push_back("-" + name);
  option.hasValue = from.get_type_size_max() != 0;
  option.description = from.get_description();
  if (option.hasValue)
    readType(from.get_type_name(), option);
  return option;
}

void collect(const CLI::App &app, const std::string &path, std::vector<Verb> &all) {
  Verb verb{path, app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option *option : app.get_options())
    verb.options.push_back(optionOf(*option));
  const auto below = app.get_subcommands([](const CLI::App *) { return true; });
  for (const CLI::App *of : below)
    verb.verbs.push_back(of->get_name());
  all.push_back(std::move(verb));
  for (const CLI::App *of : below)
    collect(*of, (path.empty() ? "" : path + " ") + of->get_name(), all);
}

std::string joined(const std::vector<std::string> &words, const std::string &between = " ") {
  std::string out;
  for (const std::string &word : words)
    out += (out.empty() ? "" : between) + word;
  return out;
}

/// In single quotes; `doubled`: characters that get a backslash before them.
std::string quoted(const std::string &text, const std::string &doubled, const char *quote) {
  std::string out;
  for (const char c : text)
    if (c == '\'')
      out += quote;
    else
      out += (doubled.find(c) == std::string::npos ? "" : "\\") + std::string(1, c);
  return "'" + out + "'";
}
/// For bash and zsh, in which a quote ends the text and begins another.
std::string shellQuoted(const std::string &text, const std::string &doubled = "") {
  return quoted(text, doubled, "'\\''");
}
std::string fishQuoted(const std::string &text) { return quoted(text, "\\", "\\'"); }

/// Paths of all verbs as patterns, each behind the verb that it is below: `" corpus"|"corpus add"`.
std::string pathPatterns(const std::vector<Verb> &all) {
  std::vector<std::string> patterns;
  for (const Verb &verb : all)
    if (!verb.path.empty())
      patterns.push_back(
          '"' + (verb.path.find(' ') == std::string::npos ? " " + verb.path : verb.path) + '"');
  return joined(patterns, "|");
}

/// All that may stand where a word begins.
std::vector<std::string> wordsOf(const Verb &verb) {
  std::vector<std::string> words = verb.verbs;
  for (const Option &option : verb.options) {
    const auto &more = option.names.empty() ? option.words : option.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

void printBash(const std::vector<Verb> &all, std::ostream &out) {
  out << "# Completion of quincunx for bash, made by: quincunx completion bash\n"
         "_quincunx() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} verb= words= i\n"
         "  local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$current\" = = ]; then current=\n"
         "  elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$verb ${COMP_WORDS[i]}\" in\n"
         "    *\" --\") return ;; # the command of the user\n"
         "    "
      << pathPatterns(all)
      << ") verb=${verb:+$verb }${COMP_WORDS[i]} ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$verb:$before\" in\n";
  for (const Verb &verb : all)
    for (const Option &option : verb.options)
      for (const std::string &name : option.names)
        if (option.hasValue)
          out << "  " << shellQuoted(verb.path + ":" + name)
              << ") words=" << shellQuoted(joined(option.words)) << " ;;\n";
  out << "  *)\n"
         "    case \"$verb\" in\n";
  for (const Verb &verb : all)
    out << "    " << shellQuoted(verb.path) << ") words=" << shellQuoted(joined(wordsOf(verb)))
        << " ;;\n";
  out << "    esac ;;\n"
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _quincunx quincunx # files where nothing else is known\n";
}

/// What _arguments is told of one name of an option.
std::string zshOption(const Option &option, const std::string &name) {
  const std::string files = option.takesOthers || option.words.empty() ? "_files" : "";
  const std::string words = option.words.empty() ? "" : "(" + joined(option.words) + ")";
  // Words and files together: the action is code.
  const std::string action =
      !words.empty() && !files.empty()
          ? "{_alternative \"words:word:" + words + "\" \"files:file:_files\"}"
          : words + files;
  if (name.empty())
    return shellQuoted("*: :" + action);
  const bool isLong = name.starts_with("--");
  return shellQuoted("*" + name +
                     (!option.hasValue ? ""
                      : isLong         ? "="
                                       : "+")) +
         shellQuoted("[") + shellQuoted(option.description, "[]:\\") +
         shellQuoted("]" + (option.hasValue ? ":value:" + action : ""));
}

void printZsh(const std::vector<Verb> &all, std::ostream &out) {
  out << "#compdef quincunx\n"
         "# Completion of quincunx for zsh, made by: quincunx completion zsh\n"
         "_quincunx() {\n"
         "  local verb= i depth=1\n"
         "  local -a verbs\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case \"$verb ${words[i]}\" in\n"
         "    *\" --\") _files; return ;; # the command of the user\n"
         "    "
      << pathPatterns(all)
      << ") verb=\"${verb:+$verb }${words[i]}\"; depth=$i ;;\n"
         "    esac\n"
         "  done\n"
         "  words=(\"${(@)words[depth,-1]}\")\n"
         "  ((CURRENT -= depth - 1))\n"
         "  case \"$verb\" in\n";
  for (const Verb &verb : all) {
    out << "  " << shellQuoted(verb.path) << ")\n";
    if (!verb.verbs.empty()) {
      out << "    verbs=(";
      for (const Verb &below : all)
        if (below.path == (verb.path.empty() ? "" : verb.path + " ") + below.name &&
            !below.path.empty())
          out << "\n      " << shellQuoted(below.name + ":")
              << shellQuoted(below.description, ":\\");
      out << ")\n    [[ $PREFIX == -* ]] || { _describe verb verbs; return; }\n";
    }
    out << "    _arguments";
    bool hasArgument = false;
    for (const Option &option : verb.options) {
      for (const std::string &name : option.names)
        out << " \\\n      " << zshOption(option, name);
      if (option.names.empty() && !hasArgument) {
        out << " \\\n      " << zshOption(option, "");
        hasArgument = true;
      }
    }
    out << " ;;\n";
  }
  out << "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _quincunx ]; then _quincunx \"$@\"; else compdef _quincunx "
         "quincunx; fi\n";
}

void printFish(const std::vector<Verb> &all, std::ostream &out) {
  out << "# Completion of quincunx for fish, made by: quincunx completion fish\n"
         "function __quincunx_at\n"
         "  set -l verb ''\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    if test \"$word\" = --\n"
         "      return 1 # the command of the user\n"
         "    end\n"
         "    switch \"$verb $word\"\n"
         "      case";
  for (const Verb &verb : all)
    if (!verb.path.empty())
      out << " " << fishQuoted((verb.path.find(' ') == std::string::npos ? " " : "") + verb.path);
  out << "\n"
         "        set verb (string trim -- \"$verb $word\")\n"
         "    end\n"
         "  end\n"
         "  test \"$verb\" = \"$argv[1]\"\n"
         "end\n";
  for (const Verb &verb : all) {
    const std::string begin =
        "complete -c quincunx -n " + fishQuoted("__quincunx_at " + fishQuoted(verb.path));
    for (const Verb &below : all)
      if (!below.path.empty() &&
          below.path == (verb.path.empty() ? "" : verb.path + " ") + below.name)
        out << begin << " -f -a " << below.name << " -d " << fishQuoted(below.description) << "\n";
    for (const Option &option : verb.options) {
      out << begin;
      for (const std::string &name : option.names)
        out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      const bool hasWords = !option.words.empty();
      if (!option.names.empty() && option.hasValue)
        out << (hasWords && !option.takesOthers ? " -x" : " -r");
      if (hasWords)
        out << " -a " << fishQuoted(joined(option.words));
      out << " -d " << fishQuoted(option.description) << "\n";
    }
  }
}

int print(const CLI::App &app, const std::string &shell) {
  std::vector<Verb> all;
  collect(app, "", all);
  if (shell == "bash")
    printBash(all, std::cout);
  else if (shell == "zsh")
    printZsh(all, std::cout);
  else
    printFish(all, std::cout);
  return finishOutput("the script");
}

} // namespace

void addCompletion(CLI::App &app, int &status) {
  const auto shell = std::make_shared<std::string>();
  CLI::App *verb = app.add_subcommand("completion", "Print a script that completes command lines");
  verb->add_option("shell", *shell, "The shell it is for")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
      ->type_name("bash|zsh|fish");
  verb->footer(
      "Examples:\n"
      "  quincunx completion bash > ~/.local/share/bash-completion/completions/quincunx\n"
      "  source <(quincunx completion bash)    # in this shell\n"
      "  quincunx completion zsh > ~/.zfunc/_quincunx    # a folder in $fpath, before compinit\n"
      "  quincunx completion fish > ~/.config/fish/completions/quincunx.fish");
  verb->callback([&app, shell, &status] { status = print(app, *shell); });
}

} // namespace quincunx::tool
