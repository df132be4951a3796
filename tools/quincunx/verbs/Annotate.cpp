// quincunx annotate: sources with what they cost, on the terminal or as comments in the files. Here
// are files and their versions; lib/estimate counts, lib/report writes. A source that is not the
// one that was compiled would get its figures on the wrong lines, so it is refused unless forced.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/map/SourceFiles.h"
#include "quincunx/report/Annotate.h"

#include "arguments/SourceReader.h"
#include "system/NextStep.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

struct AnnotateArguments {
  CorpusOptions corpus;
  std::vector<std::string> files;
  bool inPlace = false, force = false, json = false, html = false;
};

Result<std::string> readFile(const std::string &path) {
  std::error_code ignored;
  if (const fs::file_status s = fs::status(path, ignored);
      fs::exists(s) && !fs::is_regular_file(s)) // a FIFO would hold us up, a device never end
    return Error{fs::is_directory(s) ? "is a directory" : "is not a file", path};
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return Error{std::strerror(errno), path};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Everything that is read once for all files.
struct Context {
  SourceReader sources;
  Observed observed;
};

Result<AnnotatedFile> readSource(const Context &c, const std::string &file,
                                 const AnnotateArguments &options) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return text.error();
  const Result<std::string> path = matchSource(file, c.sources.files);
  if (!path)
    return path.error();
  std::optional<SourceVersion> version = versionOf(*text, *path, c.sources.files);
  if (!version && options.force)
    version = SourceVersion{*path, {}, false};
  if (!version)
    return Error{
        "changed since it was compiled, so that its lines are not those of the corpus; build and "
        "run again, or use --force",
        file};
  Result<FileFigures> lines = c.sources.linesOf(*version, c.observed);
  if (!lines)
    return lines.error();
  return AnnotatedFile{file,
                       *text,
                       {c.observed, std::move(*lines), functionsIn(c.observed, *version),
                        version->countsComments, c.sources.priced.names}};
}

Status annotateFile(const Context &c, const std::string &file, const AnnotateArguments &options) {
  const Result<AnnotatedFile> source = readSource(c, file, options);
  if (!source)
    return source.error();
  const auto &[name, text, a] = *source;
  if (options.inPlace) {
    const std::string fresh = commented(text, a);
    std::cout << escape(file) << ": " << a.functions.size()
              << (a.functions.size() == 1 ? " function\n" : " functions\n");
    return fresh == text ? Status(Done{}) : replaceFile(file, fresh);
  }
  std::cout << escape(file) << ": " << c.observed.used()
            << (c.observed.request.empty() ? " runs, " : " requests, ") << "costs in "
            << escape(c.observed.unit) << " (machine " << escape(c.observed.machine) << ")\n";
  printAnnotated(text, a, readersDisplay(), std::cout);
  std::cout << "\n";
  return Done{};
}

/// Those of functions that ran, but for code of others; of these the ones that are here. An error
/// when none is.
Result<std::vector<std::string>> ownFiles(const Context &c) {
  std::set<std::string> all;
  for (const FunctionFigures &f : c.observed.functions)
    if (!f.file.empty() && !c.sources.isForeign(f.file))
      all.insert(f.file);
  std::vector<std::string> here;
  std::string missing;
  for (const std::string &file : all) {
    std::error_code none;
    if (fs::exists(file, none))
      here.push_back(file);
    else if (missing.empty())
      missing = escape(file);
  }
  const Error notHere{std::to_string(all.size() - here.size()) + " of " +
                      std::to_string(all.size()) + " sources are not here" +
                      (missing.empty() ? "" : " (" + missing + ")") +
                      "; name them, as `quincunx annotate prog.qx src/*.c`"};
  if (here.empty())
    return notHere;
  if (here.size() < all.size())
    std::cerr << "quincunx: " << printable(notHere.text) << "\n";
  return here;
}

int printDocument(const Context &c, const AnnotateArguments &options) {
  std::vector<AnnotatedFile> files;
  int status = ok;
  for (const std::string &file : options.files)
    if (Result<AnnotatedFile> source = readSource(c, file, options))
      files.push_back(std::move(*source));
    else
      status = fail(source.error());
  if (options.html)
    printAnnotatedHtml(files, c.observed, options.corpus.path, std::cout);
  else if (const Status s = printAnnotatedJson(files, c.observed, options.corpus.path, std::cout);
           !s)
    return fail(s.error());
  return finishOutput("the listing", status);
}

int runAnnotate(AnnotateArguments options) {
  Result<SourceReader> sources = openSources(options.corpus, options.files);
  if (!sources)
    return fail(sources.error());
  const PricedCorpus &priced = sources->priced;
  Result<Observed> observed = priced.requests
                                  ? observe(priced)
                                  : observeWithTotals(priced.corpus, priced.maps, priced.machine);
  if (!observed)
    return fail(observed.error());
  const Context context{std::move(*sources), std::move(*observed)};
  if (options.files.empty()) {
    Result<std::vector<std::string>> own = ownFiles(context);
    if (!own)
      return fail(own.error());
    options.files = std::move(*own);
  }
  if (options.json || options.html)
    return printDocument(context, options);
  int status = ok;
  bool listed = false;
  for (const std::string &file : options.files)
    if (const Status s = annotateFile(context, file, options); !s)
      status = fail(s.error());
    else
      listed = !options.inPlace;
  for (const Note &n : context.observed.notes)
    if (listed)
      std::cout << "note: " << printable(n.text) << "\n";
  if (listed)
    printNext(std::cout, questionFor(options.corpus, "explain"));
  return finishOutput("the listing", status);
}

} // namespace

void addAnnotate(CLI::App &app, int &status) {
  auto options = std::make_shared<AnnotateArguments>();
  CLI::App *verb = app.add_subcommand("annotate", "Show sources with what their lines cost");
  verb->footer("Examples:\n"
               "  quincunx annotate prog.qx | less -R\n"
               "  quincunx annotate prog.qx src/prog.c\n"
               "  quincunx annotate --machine unit prog.qx src/*.c | less -R\n"
               "  quincunx annotate --html prog.qx > prog.html\n"
               "  quincunx annotate --json prog.qx prog.c | jq '.files[0].lines[0]'\n"
               "  quincunx annotate --in-place prog.qx src/prog.c && git diff");
  addCorpusArgument(*verb, options->corpus);
  CLI::Option *files =
      verb->add_option("files", options->files,
                       "Source files (default: those of functions that ran, but for headers of the "
                       "system)")
          ->type_name("FILE");
  CLI::Option *inPlace =
      verb->add_flag("--in-place", options->inPlace,
                     "Write percentiles as comments above functions; a second run updates them")
          ->needs(files);
  CLI::Option *json =
      verb->add_flag("--json", options->json, "Figures of lines at full precision, for programs")
          ->excludes(inPlace);
  verb->add_flag("--html", options->html, "The listing for a browser, lines in colours")
      ->excludes(inPlace)
      ->excludes(json);
  verb->add_flag("--force", options->force, "Also sources that changed since they were compiled");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(
      *verb, options->corpus,
      "Figures of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runAnnotate(*options); });
}

} // namespace quincunx::tool
