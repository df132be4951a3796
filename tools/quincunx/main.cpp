// quincunx(1): reads the command line and hands over to one file per verb. No logic of its own.
#include "arguments/UsageError.h"
#include "system/FileSizeSignal.h"
#include "system/HeapPages.h"
#include "system/OutOfMemory.h"
#include "system/WrappedNotes.h"
#include "verbs/Verbs.h"

/// Says what is wrong with the command line, or shows the help that was asked for.
static int explain(const CLI::App &app, const CLI::ParseError &e, int argc, char **argv) {
  using namespace quincunx;
  std::ostringstream wrong;
  if (app.exit(e, std::cout, wrong) == 0)
    return tool::ok;
  std::cerr << tool::usageError(app, e, {argv + (argc > 0 ? 1 : 0), argv + argc}) << '\n';
  return tool::usage;
}

int main(int argc, char **argv) {
  using namespace quincunx::tool;
  ignoreFileSizeSignal();
  endWhenOutOfMemory();
  keepHeapPages();
  const WrappedNotes notes;
  CLI::App app{"Predict how long programs take, as a distribution over their inputs.", "quincunx"};
  app.set_version_flag("--version", "quincunx " QUINCUNX_VERSION);
  app.require_subcommand(1);
  int status = ok;
  addProfile(app, status);
  addRun(app, status);
  addReport(app, status);
  addAnnotate(app, status);
  addExplain(app, status);
  addWhatIf(app, status);
  addCompare(app, status);
  addCheck(app, status);
  addCritical(app, status);
  addScale(app, status);
  addReplay(app, status);
  addExport(app, status);
  addHtml(app, status);
  addLsp(app, status);
  addCorpus(app, status);
  addModel(app, status);
  addValidate(app, status);
  addCalibrate(app, status);
  addLaw(app, status);
  addEval(app, status);
  addSimulate(app, status);
  addFmt(app, status);
  addFlags(app, status);
  addDoctor(app, status);
  addCompletion(app, status);
  // After the verbs, which would inherit it: each has examples of its own.
  app.footer(
      "Build:    clang-22 $(quincunx flags) -O2 -g -o prog prog.c\n"
      "          clang-22 -O2 -g -o prog-plain prog.c\n"
      "Profile:  quincunx profile -o prog.qx --plain ./prog-plain -- ./prog {} ::: inputs/*\n"
      "Ask:      quincunx explain prog.qx\n"
      "See also: quincunx VERB --help, man quincunx; quincunx doctor when something is amiss");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    return explain(app, e, argc, argv);
  }
  return status;
}
