// quincunx-print.so, for opt: print<quincunx> and print<quincunx;use=FILE>, analysis printers.
// The idea: like LLVM's own printers it writes to stderr and changes nothing. It is a plugin of its
// own because it holds all of lib/, which compilers that only record have no use for.
// Reference: docs/19-without-runs.md.
#include "ModuleMap.h"
#include "Regions.h"

#include "passes/Compat.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

#include <sstream>

namespace quincunx {

namespace {

class PrintRegionsPass : public llvm::PassInfoMixin<PrintRegionsPass> {
public:
  explicit PrintRegionsPass(std::string corpus) : file(std::move(corpus)) {}

  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &manager) {
    auto &functions = manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(m).getManager();
    std::ostringstream text;
    if (const Status printed = print(m, functions, text); !printed)
      m.getContext().emitError("quincunx: " + printed.error().text);
    llvm::errs() << text.str();
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  Status print(const llvm::Module &m, llvm::FunctionAnalysisManager &manager,
               std::ostream &out) const {
    std::optional<MeasuredRegions> measured;
    if (!file.empty()) {
      Result<MeasuredRegions> read = MeasuredRegions::read(file);
      if (!read)
        return read.error();
      measured.emplace(std::move(*read));
    }
    Result<std::vector<MappedFunction>> all = readMaps(m, manager);
    if (!all)
      return all.error();
    return measured ? measured->print(*all, out) : printGuessed(std::move(*all), out);
  }

  std::string file; ///< a corpus; empty: what the compiler guesses
};

bool parseName(llvm::StringRef name, llvm::ModulePassManager &passes) {
  if (!name.consume_front("print<quincunx") || !name.consume_back(">"))
    return false;
  llvm::StringRef option = name;
  if (name.consume_front(";use=") ? !name.empty() : name.empty()) {
    passes.addPass(PrintRegionsPass(name.str()));
    return true;
  }
  if (option.consume_front(";"))
    llvm::errs() << "quincunx: unknown option '" << option << "'; known: use=FILE\n";
  return false;
}

} // namespace

} // namespace quincunx

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "quincunx-print", "1", [](llvm::PassBuilder &builder) {
            builder.registerPipelineParsingCallback(
                [](llvm::StringRef name, llvm::ModulePassManager &passes,
                   llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
                  return quincunx::parseName(name, passes);
                });
          }};
}
