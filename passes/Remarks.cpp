// A remark per function with code, for -Rpass-analysis=quincunx and -fsave-optimization-record. A
// line of the summary belongs to a function of its name; where several files have one, to that of
// this file.
#include "Remarks.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quincunx {

namespace {

constexpr llvm::StringLiteral doneName = "quincunx.remarks";
constexpr llvm::StringLiteral firstWords = "# quincunx summary 1\t";
/// Fields of a line: name, file, line, basis, calls per run, mean, sd, p50, p90, p99.
constexpr size_t fieldCount = 10;
using Fields = llvm::SmallVector<llvm::StringRef, fieldCount>;

struct Summary {
  std::unique_ptr<llvm::MemoryBuffer> text;
  std::string unit;
  llvm::StringMap<llvm::SmallVector<Fields, 1>> functions;
  std::string wrong; ///< empty: it could be read
};

Summary read(const std::string &file) {
  Summary s;
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    s.wrong = "cannot read the summary: " + buffer.getError().message();
    return s;
  }
  s.text = std::move(*buffer);
  auto [first, rest] = s.text->getBuffer().split('\n');
  if (!first.consume_front(firstWords)) {
    s.wrong = "not a summary; write it with quincunx model --summary";
    return s;
  }
  llvm::StringRef unit = first.split('\t').second.split('\t').first;
  unit.consume_front("in ");
  s.unit = unit.str();
  llvm::SmallVector<llvm::StringRef, 0> lines;
  rest.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t i = 1; i < lines.size(); ++i) { // behind the headings
    Fields fields;
    lines[i].split(fields, '\t');
    if (fields.size() != fieldCount) {
      s.wrong = "line " + std::to_string(i + 2) + " has " + std::to_string(fields.size()) +
                " fields and not " + std::to_string(fieldCount);
      return s;
    }
    s.functions[fields[0]].push_back(std::move(fields));
  }
  return s;
}

/// Null when there is none.
const Fields *find(const Summary &s, const llvm::Function &f) {
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

} // namespace

llvm::PreservedAnalyses RemarksPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &) {
  if (m.getNamedMetadata(doneName) != nullptr) // the pass may be registered twice
    return llvm::PreservedAnalyses::all();
  m.getOrInsertNamedMetadata(doneName);
  const Summary s = read(file);
  if (!s.wrong.empty()) {
    m.getContext().emitError("quincunx: " + file + ": " + s.wrong);
    return llvm::PreservedAnalyses::all();
  }
  for (llvm::Function &f : m) {
    const Fields *line = f.isDeclaration() ? nullptr : find(s, f);
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
