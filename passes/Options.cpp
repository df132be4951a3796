// Reads the options of the pass and matches the names of functions with them. What is wrong with an
// option is a text: the compiler and opt have different ways to say it.
#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

namespace quincunx {

std::string Options::setRecord(llvm::StringRef tiers) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::SplitString(tiers, words, ",;");
  if (words.empty())
    words.push_back("");
  calls &= chosen;
  chosen = true;
  for (llvm::StringRef word : words)
    if (word == "calls")
      calls = true;
    else if (word == "runs")
      runs = true;
    else if (word == "predictor")
      predictor = true;
    else if (word == "strands")
      strands = true;
    else if (word == "blocks")
      blocks = true;
    else if (word != "counts")
      return "unknown record tier '" + (word.empty() ? "(nothing)" : word.str()) +
             "'; known: counts, calls, runs, predictor, strands, blocks";
  return strands && !calls ? "record tier 'strands' reads the clock of 'calls'; record both" : "";
}

std::string Options::set(llvm::StringRef argument) {
  const auto [key, value] = argument.split('=');
  if (key == "record")
    return setRecord(value);
  if (key == "use" && !value.empty()) {
    use.push_back(value.str());
    return "";
  }
  if (key == "loop") {
    const auto [file, line] = value.rsplit(':');
    SourceLine at{file.str()};
    if (file.empty() || line.getAsInteger(10, at.line) || at.line == 0)
      return argument.str() + " is no place; write FILE:LINE, as in loop=main.c:30";
    loops.push_back(std::move(at));
    return "";
  }
  if (key != "only" && key != "skip")
    return "unknown option '" + argument.str() +
           "'; known: -fplugin-arg-quincunx-record=counts|calls|runs|predictor|strands|blocks, "
           "only=REGEX, skip=REGEX, loop=FILE:LINE, use=FILE";
  std::string reason;
  if (!llvm::Regex(value).isValid(reason))
    return key.str() + "=" + value.str() + " is not a regular expression: " + reason;
  (key == "only" ? only : skip).push_back(value.str());
  return "";
}

std::string Options::conflict() const {
  return loops.empty() || strands || !records()
             ? ""
             : "option 'loop' is of the record tier 'strands'; add "
               "-fplugin-arg-quincunx-record=counts,calls,strands";
}

Selection::Selection(const Options &o)
    : only(o.only.begin(), o.only.end()), skip(o.skip.begin(), o.skip.end()) {}

bool Selection::wants(const llvm::Function &f) const {
  if (only.empty() && skip.empty())
    return true;
  const std::string object = f.getName().str(), source = llvm::demangle(object);
  const auto named = [&](const std::vector<llvm::Regex> &list) {
    return llvm::any_of(list,
                        [&](const llvm::Regex &r) { return r.match(object) || r.match(source); });
  };
  return (only.empty() || named(only)) && !named(skip);
}

} // namespace quincunx
