// quincunx fmt: models in the one layout that all models have. Here are files; lib/pamela parses
// and prints. It changes no meaning, and checks none.
#include "Verbs.h"

#include "arguments/ModelFile.h"
#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"
#include "system/ReplaceFile.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct FmtArguments {
  std::vector<std::string> files;
  bool check = false, inPlace = false;
};

/// `changes`: its layout is another one.
int format(const std::string &path, const FmtArguments &o, bool &changes) {
  const Result<std::string> text = readTextFile(path);
  if (!text)
    return fail(text.error());
  const Result<pamela::Model> model = pamela::parseText(*text, path);
  if (!model)
    return failInModel(model.error());
  const std::string laidOut = print(*model);
  changes = laidOut != *text;
  if (o.check) {
    if (changes)
      std::cout << escapeWhole(path) << '\n';
  } else if (!o.inPlace)
    std::cout << laidOut;
  else if (changes)
    if (const Status written = replaceFile(path, laidOut); !written)
      return fail(written.error());
  return ok;
}

int run(const FmtArguments &o) {
  int status = ok;
  for (const std::string &path : o.files) {
    bool changes = false;
    if (format(path, o, changes) != ok || (o.check && changes))
      status = failed;
  }
  return finishOutput("the models", status);
}

} // namespace

void addFmt(CLI::App &app, int &status) {
  const auto o = std::make_shared<FmtArguments>();
  CLI::App *verb = app.add_subcommand("fmt", "Lay out models (.pam) in the one way all have");
  verb->add_option("files", o->files, "Models")->required()->type_name("FILE");
  CLI::Option *inPlace = verb->add_flag("-i,--in-place", o->inPlace, "Change the files");
  verb->add_flag("--check", o->check,
                 "Change nothing; name the files that would change, and fail when there are any")
      ->excludes(inPlace);
  verb->footer("Examples:\n"
               "  quincunx fmt model.pam\n"
               "  quincunx fmt -i models/*.pam\n"
               "  quincunx fmt --check models/*.pam\n"
               "Without -i and --check the models go to the standard output.");
  verb->callback([o, &status] { status = run(*o); });
}

} // namespace quincunx::tool
