// Cycles of calls: among the functions seen here, and through code that is not: whatever is called
// from outside, or by pointer, may be called again by whatever is called outside, or by pointer;
// but not by memcpy and its like.
#include "Recursion.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

namespace quincunx {

namespace {

using Nodes = llvm::SmallPtrSet<const llvm::CallGraphNode *, 32>;

/// All that these call, and what those call in turn.
Nodes reached(llvm::SmallVector<const llvm::CallGraphNode *, 32> todo) {
  Nodes seen;
  while (!todo.empty())
    for (const auto &call : *todo.pop_back_val())
      if (seen.insert(call.second).second)
        todo.push_back(call.second);
  return seen;
}

/// Is it a library function for memory, strings or numbers? Those call nothing of the program's.
bool isPlainLibrary(const llvm::Function &f, const llvm::TargetLibraryInfo &library) {
  llvm::LibFunc known = llvm::NotLibFunc;
  if (!f.isDeclaration() || !library.getLibFunc(f, known))
    return false;
  const llvm::StringRef name = f.getName();
  for (const char *prefix :
       {"mem", "str", "malloc", "calloc", "realloc", "free", "_Zn", "_Zd", "__cxa_atexit"})
    if (name.starts_with(prefix))
      return true;
  return f.getReturnType()->isFloatingPointTy();
}

} // namespace

Recursion::Recursion(llvm::Module &m) {
  llvm::CallGraph graph(m);
  for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle)
    if (cycle.hasCycle())
      for (const llvm::CallGraphNode *node : *cycle)
        cycles.insert(node->getFunction());
  recursive = cycles;
  const Nodes entered = reached({graph.getExternalCallingNode()});
  const llvm::TargetLibraryInfoImpl functions{llvm::Triple(m.getTargetTriple())};
  const llvm::TargetLibraryInfo library(functions);
  for (const llvm::Function &f : m)
    if (isPlainLibrary(f, library))
      plain.insert(&f);
  // Those that reach code outside: grown until nothing changes, callees before callers mostly.
  Nodes leaving{graph.getCallsExternalNode()};
  for (bool changed = true; changed;) {
    changed = false;
    for (auto part = llvm::scc_begin(&graph); !part.isAtEnd(); ++part)
      for (const llvm::CallGraphNode *node : *part)
        if (!leaving.contains(node) && !plain.contains(node->getFunction()) &&
            llvm::any_of(*node, [&](const auto &call) { return leaving.contains(call.second); }))
          changed |= leaving.insert(node).second;
  }
  for (const auto &[function, node] : graph)
    if (function != nullptr && entered.contains(node.get()) && leaving.contains(node.get()))
      recursive.insert(function);
}

} // namespace quincunx
