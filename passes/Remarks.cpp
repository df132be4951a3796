// A remark per function with code, for -Rpass-analysis=quincunx and -fsave-optimization-record, and
// a warning (-Wpass-failed, as of loops that cannot be vectorised) for each broken budget. A
// line of the summary belongs to a function of its name; where several files have one, to that of
// this file.
#include "Remarks.h"

#include "source/SourceBudgets.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quincunx {

namespace {

constexpr llvm::StringLiteral doneName = "quincunx.remarks";
constexpr llvm::StringLiteral firstWords = "# quincunx summary 1\t";
constexpr llvm::StringLiteral budgetWords = "# quincunx budgets 1\t";
/// Fields of a line: name, file, line, basis, calls per run, mean, sd, p50, p90, p99.
constexpr size_t fieldCount = 10;
/// And of one of budgets: name of the function, file of the budget, its text, answer, the answer in
/// words.
constexpr size_t budgetFieldCount = 5;
using Fields = llvm::SmallVector<llvm::StringRef, fieldCount>;

struct Summary {
  llvm::SmallVector<std::unique_ptr<llvm::MemoryBuffer>, 1> texts;
  std::string unit;
  llvm::StringMap<llvm::SmallVector<Fields, 1>> functions;
  llvm::StringMap<llvm::SmallVector<Fields, 1>> budgets; ///< by function
};

/// Returns what is wrong; nothing: it could be read.
std::string read(const std::string &file, Summary &s) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return "cannot read the summary: " + buffer.getError().message();
  s.texts.push_back(std::move(*buffer));
  auto [first, rest] = s.texts.back()->getBuffer().split('\n');
  const bool isOfBudgets = first.consume_front(budgetWords);
  if (!isOfBudgets && !first.consume_front(firstWords))
    return "not a summary; write it with quincunx model --summary or check --summary";
  if (!isOfBudgets) {
    llvm::StringRef unit = first.split('\t').second.split('\t').first;
    unit.consume_front("in ");
    s.unit = unit.str();
  }
  const size_t count = isOfBudgets ? budgetFieldCount : fieldCount;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  rest.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t i = 1; i < lines.size(); ++i) { // behind the headings
    Fields fields;
    lines[i].split(fields, '\t');
    if (fields.size() != count)
      return "line " + std::to_string(i + 2) + " has " + std::to_string(fields.size()) +
             " fields and not " + std::to_string(count);
    (isOfBudgets ? s.budgets : s.functions)[fields[0]].push_back(std::move(fields));
  }
  return "";
}

/// Null when there is none.
const Fields *lineOf(const Summary &s, const llvm::Function &f) {
  const auto at = s.functions.find(f.getName());
  if (at == s.functions.end())
    return nullptr;
  const llvm::DISubprogram *place = f.getSubprogram();
  const llvm::StringRef path = place ? place->getFilename() : f.getParent()->getSourceFileName();
  for (const Fields &fields : at->second)
    if (fields[1] == llvm::sys::path::filename(path))
      return &fields;
  return at->second.size() == 1 && (f.hasExternalLinkage() || at->second.front()[1] == "-")
             ? &at->second.front()
             : nullptr;
}

/// Five digits are enough for a reader; the same text goes into YAML.
std::string figure(llvm::StringRef number) {
  double value = 0;
  if (number.getAsDouble(value))
    return number.str();
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

/// At the function, and where the budget stands.
void warnOfBudgets(llvm::Module &m, const Summary &s) {
  if (s.budgets.empty())
    return;
  llvm::StringSet<> said; // instances of a template have one budget
  forEachBudget(m, [&](const SourceBudget &b) {
    const llvm::Function *f = m.getFunction(b.function);
    llvm::DISubprogram *within = f != nullptr ? f->getSubprogram() : nullptr;
    const auto answers = s.budgets.find(b.function);
    if (f == nullptr || f->isDeclaration() || answers == s.budgets.end())
      return;
    const auto found = llvm::find_if(answers->second, [&](const Fields &l) {
      return l[1] == llvm::sys::path::filename(b.file->getFilename()) && l[2] == b.text &&
             l[3] == "broken";
    });
    if (found == answers->second.end() ||
        !said.insert((b.file->getFilename() + ":" + llvm::Twine(b.line) + (*found)[4]).str())
             .second)
      return;
    llvm::DiagnosticLocation at;
    if (within != nullptr)
      at = llvm::DebugLoc(
          llvm::DILocation::get(m.getContext(), b.line, b.column,
                                llvm::DILexicalBlockFile::get(m.getContext(), within, b.file, 0)));
    llvm::DiagnosticInfoOptimizationFailure warning("quincunx", "Budget", at, &f->front());
    warning << (*found)[4];
    m.getContext().diagnose(warning);
  });
}

} // namespace

llvm::PreservedAnalyses RemarksPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &) {
  if (m.getNamedMetadata(doneName) != nullptr) // the pass may be registered twice
    return llvm::PreservedAnalyses::all();
  m.getOrInsertNamedMetadata(doneName);
  Summary s;
  for (const std::string &file : files)
    if (const std::string wrong = read(file, s); !wrong.empty()) {
      m.getContext().emitError("quincunx: " + file + ": " + wrong);
      return llvm::PreservedAnalyses::all();
    }
  warnOfBudgets(m, s);
  for (llvm::Function &f : m) {
    const Fields *line = f.isDeclaration() ? nullptr : lineOf(s, f);
    if (line == nullptr)
      continue;
    llvm::OptimizationRemarkEmitter emitter(&f);
    emitter.emit([&] {
      using Argument = llvm::ore::NV;
      const Fields &l = *line;
      llvm::OptimizationRemarkAnalysis remark(
          "quincunx", "CostPerCall", llvm::DiagnosticLocation(f.getSubprogram()), &f.front());
      remark << Argument("Basis", l[3]) << " cost of one call in " << Argument("Unit", s.unit)
             << ": mean " << Argument("Mean", figure(l[5])) << ", sd "
             << Argument("Deviation", figure(l[6])) << ", p50 " << Argument("P50", figure(l[7]))
             << ", p90 " << Argument("P90", figure(l[8])) << ", p99 "
             << Argument("P99", figure(l[9]));
      if (l[4] != "-")
        remark << "; " << Argument("CallsPerRun", figure(l[4])) << " calls per run";
      return remark;
    });
  }
  return llvm::PreservedAnalyses::all();
}

} // namespace quincunx
