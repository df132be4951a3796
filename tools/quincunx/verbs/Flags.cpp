// quincunx flags: what to add to a build. It builds nothing.
#include "Verbs.h"

#include "arguments/CompilerFlags.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct FlagsArguments {
  bool plain = false;
  int clang = 0; ///< 0: the newest there is
};

int printFlags(const FlagsArguments &options) {
  if (options.plain) {
    std::cout << plainFlags() << '\n';
    return finishOutput("the flags");
  }
  const Result<ConfigFile> config = configFor(options.clang);
  if (!config)
    return fail(config.error());
  std::cout << instrumentingFlags(*config) << '\n';
  return finishOutput("the flags");
}

} // namespace

void addFlags(CLI::App &app, int &status) {
  const auto o = std::make_shared<FlagsArguments>();
  CLI::App *verb = app.add_subcommand("flags", "Print what to add to the flags of a build");
  CLI::Option *plain = verb->add_flag(
      "--plain", o->plain,
      "Of the plain program, which is timed: its lines, and nothing that changes its code");
  verb->add_option("--clang", o->clang,
                   "For this major version (default: the newest that is there)")
      ->type_name("VERSION")
      ->excludes(plain);
  verb->footer("Examples:\n"
               "  clang-22 $(quincunx flags) -O2 -g -o prog prog.c\n"
               "  clang-22 $(quincunx flags --plain) -O2 -o prog-plain prog.c\n"
               "  CC=clang-22 CXX=clang++-22 CFLAGS=\"-O2 -g $(quincunx flags)\" ./configure\n"
               "  clang-19 $(quincunx flags --clang 19) -O2 -g -o prog prog.c\n"
               "Linking needs them as much as compiling does.");
  verb->callback([o, &status] { status = printFlags(*o); });
}

} // namespace quincunx::tool
