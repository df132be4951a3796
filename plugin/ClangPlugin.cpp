// The Clang half: reads -fplugin-arg-quincunx-..., asks for source locations, and hooks the pass
// into code generation. It looks at no syntax tree (attributes are plugin/Attributes.cpp).
#include "Register.h"
#include "Settings.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include "llvm/TargetParser/Triple.h"

namespace quincunx {

namespace {

class Action : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    clang::CodeGenOptions &options = compiler.getCodeGenOpts();
    if (settings().records() && (options.hasProfileClangInstr() || options.hasProfileIRInstr() ||
                                 options.hasProfileCSIRInstr()))
      error(compiler,
            "quincunx and -fprofile-generate (or -fprofile-instr-generate) count the same edges; "
            "use one or the other");
    if (const std::string wrong = unsupported(compiler); settings().records() && !wrong.empty()) {
      error(compiler, "quincunx records programs of x86-64 Linux, not " + wrong +
                          "; compile this without --config=quincunx.cfg");
      return std::make_unique<clang::ASTConsumer>();
    }
    // Lines without -g: locations in the IR, none in the object. Checksums of sources come with
    // version 5.
    if (options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo) {
      options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
      options.DwarfVersion = 5;
    }
    options.PassBuilderCallbacks.push_back(
        [](llvm::PassBuilder &builder) { registerPasses(builder, &settings()); });
    return std::make_unique<clang::ASTConsumer>();
  }

  bool ParseArgs(const clang::CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    for (const std::string &argument : arguments)
      if (const std::string wrong = settings().set(argument); !wrong.empty()) {
        error(compiler, "quincunx: " + wrong);
        return false;
      }
    if (const std::string wrong = settings().conflict(); !wrong.empty()) {
      error(compiler, "quincunx: " + wrong);
      return false;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  /// What the runtime cannot run in; nothing when it can.
  static std::string unsupported(const clang::CompilerInstance &compiler) {
    const llvm::Triple &target = compiler.getTarget().getTriple();
    if (target.getArch() != llvm::Triple::x86_64 || target.isX32() || !target.isOSLinux())
      return target.str();
    if (compiler.getTargetOpts().CodeModel == "kernel")
      return "kernels (-mcmodel=kernel)";
    return {};
  }

  static void error(const clang::CompilerInstance &compiler, const std::string &text) {
    clang::DiagnosticsEngine &engine = compiler.getDiagnostics();
    engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << text;
  }
};

const clang::FrontendPluginRegistry::Add<Action> registration("quincunx",
                                                              "count what the control flow does");

} // namespace

} // namespace quincunx
