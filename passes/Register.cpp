// See Register.h. With optimisation the same small inliner runs before it that -fprofile-generate
// uses: counters inside tiny C++ functions would cost twice as much as the functions.
#include "Register.h"

#include "Arms.h"
#include "Compat.h"
#include "Remarks.h"
#include "Requests.h"
#include "source/SourceBudgets.h"
#include "strands/Waits.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"

namespace quincunx {

namespace {

/// Thresholds and passes are those of LLVM's own pre-instrumentation inliner.
void addPreInliner(llvm::ModulePassManager &passes) {
  llvm::InlineParams params;
  params.DefaultThreshold = 75;
  params.HintThreshold = 325;
  llvm::ModuleInlinerWrapperPass inliner(
      params, /*MandatoryFirst=*/true,
      llvm::InlineContext{llvm::ThinOrFullLTOPhase::None, llvm::InlinePass::EarlyInliner});
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  clean.addPass(llvm::EarlyCSEPass());
  clean.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  clean.addPass(llvm::InstCombinePass());
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(std::move(inliner));
  passes.addPass(llvm::GlobalDCEPass());
}

/// Puts the sums of functions that call themselves in the order in which the optimiser puts them
/// before it makes loops of recursion: `f(n - 1) + a + b` ends in the addition to the call then.
struct ReassociateRecursionPass : llvm::PassInfoMixin<ReassociateRecursionPass> {
  static llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &manager) {
    const bool callsItself = llvm::any_of(f.users(), [&](const llvm::User *u) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(u);
      return call != nullptr && call->getFunction() == &f && call->getCalledOperand() == &f;
    });
    return callsItself ? llvm::ReassociatePass().run(f, manager) : llvm::PreservedAnalyses::all();
  }
};

bool parseName(llvm::StringRef name, llvm::ModulePassManager &passes) {
  if (!name.consume_front("quincunx"))
    return false;
  Options options;
  if (!name.empty()) {
    if (!name.consume_front("<") || !name.consume_back(">"))
      return false;
    if (const std::string wrong = options.set(name); !wrong.empty()) {
      llvm::errs() << "quincunx: " << wrong << '\n';
      return false;
    }
  }
  passes.addPass(NoteBudgetsPass());
  if (!options.use.empty())
    passes.addPass(RemarksPass(options.use));
  if (options.records()) {
    passes.addPass(MarkRequestsPass());
    passes.addPass(InstrumentPass(options));
  }
  return true;
}

} // namespace

void registerPasses(llvm::PassBuilder &builder, const Options *options) {
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::ModulePassManager &passes,
         llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) { return parseName(name, passes); });
  builder.registerPipelineStartEPCallback(
      [options](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        if (options->records())
          passes.addPass(MarkArmsPass());
        if (options->strands)
          passes.addPass(MarkWaitsPass(options->loops));
      });
  compat::atEarlySimplification(
      builder, [options](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
        passes.addPass(NoteBudgetsPass());
        if (!options->use.empty())
          passes.addPass(RemarksPass(options->use));
        if (!options->records())
          return;
        passes.addPass(MarkRequestsPass());
        // What is always inlined may have no definition anywhere to which a jump could be recorded.
        if (level.isOptimizingForSize())
          passes.addPass(llvm::AlwaysInlinerPass());
        else if (level != llvm::OptimizationLevel::O0)
          addPreInliner(passes);
        // Counters after a recursive call would keep it from becoming the loop that it is
        // otherwise.
        if (level != llvm::OptimizationLevel::O0) {
          llvm::FunctionPassManager loops;
          loops.addPass(ReassociateRecursionPass());
          loops.addPass(llvm::TailCallElimPass());
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(loops)));
        }
        passes.addPass(InstrumentPass(*options));
      });
}

} // namespace quincunx
