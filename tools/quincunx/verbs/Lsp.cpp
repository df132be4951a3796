// quincunx lsp: what a corpus knows, in an editor. The protocol is lib/report's, the loop that
// serves it that of tools/quincunx/editor.
#include "Verbs.h"

#include "arguments/SelectedBuild.h"
#include "editor/ServeEditor.h"

#include <memory>

namespace quincunx::tool {

void addLsp(CLI::App &app, int &status) {
  auto options = std::make_shared<CorpusOptions>();
  CLI::App *verb = app.add_subcommand("lsp", "Show what a corpus knows in an editor");
  verb->footer("A language server on standard input and output, beside clangd: editors start it.\n"
               "Examples:\n"
               "  quincunx lsp                        # the only *.qx of the workspace\n"
               "  quincunx lsp prog.qx\n"
               "  quincunx lsp --unit counts prog.qx");
  verb->add_option("corpus", options->path,
                   "Corpus file (default: what the editor says, or the only *.qx in its workspace)")
      ->type_name("CORPUS");
  addBuildOption(*verb, options->build);
  addForeignOptions(*verb, options->foreign);
  addPricingOptions(*verb, options->pricing);
  verb->callback([options, &status] { status = serveEditor(*options); });
}

} // namespace quincunx::tool
