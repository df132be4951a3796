// quincunx(1): reads the command line and hands over to one file per verb. No logic of its own.
#include "quincunx/base/Text.h"
#include "system/FileSizeSignal.h"
#include "system/OutOfMemory.h"
#include "verbs/Verbs.h"

/// Says what is wrong with the command line, or shows the help that was asked for.
static int explain(const CLI::App &app, const CLI::ParseError &e) {
  using namespace quincunx;
  std::ostringstream wrong;
  const bool isHelp = app.exit(e, std::cout, wrong) == 0;
  const std::string text = wrong.str();
  for (const std::string_view line : fields(text, '\n'))
    if (!line.empty())
      std::cerr << printable(line) << '\n';
  return isHelp ? tool::ok : tool::usage;
}

int main(int argc, char **argv) {
  using namespace quincunx::tool;
  ignoreFileSizeSignal();
  endWhenOutOfMemory();
  CLI::App app{"Predict how long programs take, as a distribution over their inputs.", "quincunx"};
  app.set_version_flag("--version", "quincunx " QUINCUNX_VERSION);
  app.require_subcommand(1);
  int status = ok;
  addRun(app, status);
  addReport(app, status);
  addAnnotate(app, status);
  addExplain(app, status);
  addWhatIf(app, status);
  addCorpus(app, status);
  addModel(app, status);
  addValidate(app, status);
  addCalibrate(app, status);
  addLaw(app, status);
  addEval(app, status);
  addSimulate(app, status);
  addFmt(app, status);
  // After the verbs, which would inherit it: each has examples of its own.
  app.footer("Build with:  clang-22 --config=quincunx.cfg -O2 -o prog prog.c\n"
             "Record with: quincunx run -o prog.qx -- ./prog {} ::: inputs/*\n"
             "Read with:   quincunx report prog.qx\n"
             "See also:    quincunx VERB --help, man quincunx");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    return explain(app, e);
  }
  return status;
}
