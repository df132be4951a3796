// quincunx annotate: sources with what they cost, on the terminal or as comments in the files. Here
// are files and their versions; lib/estimate counts, lib/report writes. A source that is not the
// one that was compiled would get its figures on the wrong lines, so it is refused unless forced.
#include "Verbs.h"

#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/SourceFiles.h"
#include "quincunx/profile/CorpusSources.h"
#include "quincunx/report/Annotate.h"

#include "arguments/RowGroups.h"
#include "record/ShellWords.h"
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

struct Options {
  CorpusOptions corpus;
  std::vector<std::string> files;
  bool inPlace = false, force = false, json = false;
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

/// Which compiled versions of a file its text stands for.
struct SourceVersion {
  std::vector<Md5> md5; ///< empty: any
  bool countsComments = false;
};

/// Our own comments do not make a file another one, and may have been compiled with it.
Result<SourceVersion> versionOf(const std::string &file, const std::string &text,
                                const std::string &path, const std::vector<SourceFile> &sources,
                                bool force) {
  const Md5 whole = md5(text), bare = md5(withoutComments(text)), unknown{};
  std::optional<SourceVersion> found;
  for (const SourceFile &s : sources) {
    if (s.path != path)
      continue;
    if (s.md5 == whole)
      return SourceVersion{{whole}, true};
    if (s.md5 == bare)
      found = SourceVersion{{bare}, false};
    else if (s.md5 == unknown && !found)
      found = SourceVersion{{unknown}, false};
  }
  if (found)
    return *found;
  if (force)
    return SourceVersion{};
  return Error{
      "changed since it was compiled, so that its lines are not those of the corpus; build and run "
      "again, or use --force",
      file};
}

/// Everything that is read once for all files.
struct Context {
  PricedCorpus priced;
  std::vector<SourceFile> sources;
  std::vector<MapSources> lines;
  Observed observed;

  /// Gives the runs, or the requests that take their place.
  Status read(LineObserver &observer) const {
    if (observed.request.empty())
      return priced.corpus.forEachRun([&](Run &&run) { return observer.add(run); });
    return forEachRequest(
        priced.corpus, priced.maps, {observed.request, 0, 0, 0},
        {[&](const Run &request, double weight) { return observer.add(request, weight); }});
  }
};

Result<Annotation> annotationOf(const Context &c, const std::string &path,
                                const SourceVersion &version) {
  LineObserver lines(c.priced.maps, c.lines, c.priced.machine, path, version.md5);
  if (const Status read = c.read(lines); !read)
    return read.error();
  const Result<FileFigures> figures = lines.finish(c.observed.program.moments.mean);
  if (!figures)
    return figures.error();
  Annotation a{c.observed.unit, *figures, {}, version.countsComments, c.priced.names};
  std::set<size_t> groups;
  for (const FunctionFigures &g : c.observed.groups)
    groups.insert(g.number);
  const auto add = [&](const FunctionFigures &f) {
    const auto &md5s = version.md5;
    if (f.file == path &&
        (md5s.empty() || std::find(md5s.begin(), md5s.end(), f.md5) != md5s.end()))
      a.functions.push_back(&f);
  };
  for (const FunctionFigures &f : c.observed.functions)
    if (!groups.contains(f.group))
      add(f);
  std::ranges::for_each(c.observed.groups, add);
  return a;
}

/// A source as it stands, and its figures.
struct Listed {
  std::string text;
  Annotation annotation;
};

Result<Listed> readSource(const Context &c, const std::string &file, const Options &options) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return text.error();
  const Result<std::string> path = matchSource(file, c.sources);
  if (!path)
    return path.error();
  const Result<SourceVersion> version = versionOf(file, *text, *path, c.sources, options.force);
  if (!version)
    return version.error();
  const Result<Annotation> a = annotationOf(c, *path, *version);
  if (!a)
    return a.error();
  return Listed{*text, *a};
}

Status annotateFile(const Context &c, const std::string &file, const Options &options) {
  const Result<Listed> source = readSource(c, file, options);
  if (!source)
    return source.error();
  const auto &[text, a] = *source;
  if (options.inPlace) {
    const std::string fresh = commented(text, a);
    std::cout << escape(file) << ": " << a.functions.size()
              << (a.functions.size() == 1 ? " function\n" : " functions\n");
    return fresh == text ? Status(Done{}) : replaceFile(file, fresh);
  }
  std::cout << escape(file) << ": " << c.observed.used()
            << (c.observed.request.empty() ? " runs, " : " requests, ") << escape(c.observed.unit)
            << " (machine " << escape(c.observed.machine) << ")\n";
  printAnnotated(text, a, readersDisplay(), std::cout);
  std::cout << "\n";
  return Done{};
}

int printJson(const Context &c, const Options &options) {
  std::vector<AnnotatedFile> files;
  int status = ok;
  for (const std::string &file : options.files)
    if (Result<Listed> source = readSource(c, file, options))
      files.push_back({file, std::move(source->annotation)});
    else
      status = fail(source.error());
  if (const Status s = printAnnotatedJson(files, c.observed, options.corpus.path, std::cout); !s)
    return fail(s.error());
  return finishOutput("the listing", status);
}

int runAnnotate(const Options &options) {
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  std::vector<SourceFile> sources = sourceFiles(priced->maps);
  Result<std::vector<MapSources>> lines = readSources(priced->corpus);
  if (!lines)
    return fail(lines.error());
  const Result<IsForeign> isForeign = groupRows(*priced, options.corpus, options.files);
  if (!isForeign)
    return fail(isForeign.error());
  foldForeign(*lines, priced->maps, *isForeign);
  Result<Observed> observed = observe(*priced);
  if (!observed)
    return fail(observed.error());
  const Context context{std::move(*priced), std::move(sources), std::move(*lines),
                        std::move(*observed)};
  if (options.json)
    return printJson(context, options);
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
    printNext(std::cout, joinWords({"explain", options.corpus.path}));
  return finishOutput("the listing", status);
}

} // namespace

void addAnnotate(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("annotate", "Show sources with what their lines cost");
  verb->footer("Examples:\n"
               "  quincunx annotate prog.qx src/prog.c\n"
               "  quincunx annotate --machine unit prog.qx src/*.c | less -R\n"
               "  quincunx annotate --json prog.qx prog.c | jq '.files[0].lines[0]'\n"
               "  quincunx annotate --in-place prog.qx src/prog.c && git diff");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("files", options->files, "Source files")->required()->type_name("FILE");
  CLI::Option *inPlace =
      verb->add_flag("--in-place", options->inPlace,
                     "Write percentiles as comments above functions; a second run updates them");
  verb->add_flag("--json", options->json, "Figures of lines at full precision, for programs")
      ->excludes(inPlace);
  verb->add_flag("--force", options->force, "Also sources that changed since they were compiled");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(
      *verb, options->corpus,
      "Figures of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runAnnotate(*options); });
}

} // namespace quincunx::tool
