// Finds the arcs of a block in the successors of its end.
// The idea: the arms of a branch are told by what they hold (Arms.h), the cases of a switch by
// their values. Arcs that have become one way cannot be told apart: nothing is said of them.
#include "SourceWays.h"

#include "Arms.h"
#include "SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"

namespace quincunx {

namespace {

/// By block: the blocks of the source that it is the way to.
using Ways =
    llvm::MapVector<const llvm::BasicBlock *, llvm::SmallSetVector<const llvm::MDNode *, 2>>;

Ways armsOf(const SourceBody &body, const SourceNode &node, const llvm::Instruction &end) {
  if (node.out.size() != 2)
    return {};
  unsigned first = 0; // the successor that is out[0]
  const auto to = [&](unsigned i) { return body.nodes[body.arcs[node.out[i]].to].notes.front(); };
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (joinedWith(*branch).with != Joins::nothing)
      return {};
    const std::optional<unsigned> arm = trueArm(*branch);
    const llvm::MDNode *yes = trueSide(*branch);
    if (!arm || yes == nullptr)
      return {};
    first = to(0) == yes ? *arm : 1 - *arm;
  }
  Ways ways;
  for (const unsigned i : {0u, 1u})
    ways[end.getSuccessor(i == 0 ? first : 1 - first)].insert(to(i));
  return ways;
}

/// Nothing where passes gave the cases other values.
Ways casesOf(const llvm::MDNode &cases, const llvm::SwitchInst &jump) {
  Ways ways;
  ways[jump.getDefaultDest()].insert(llvm::cast<llvm::MDNode>(cases.getOperand(0)));
  unsigned left = 0;
  for (unsigned i = 1; i < cases.getNumOperands(); i += 2) {
    const auto *value = llvm::mdconst::extract<llvm::ConstantInt>(cases.getOperand(i));
    // A narrower switch is one of which the upper bits are known.
    const auto found = jump.findCaseValue(llvm::ConstantInt::get(
        jump.getContext(),
        value->getValue().sextOrTrunc(jump.getCondition()->getType()->getIntegerBitWidth())));
    left += found != jump.case_default();
    ways[found->getCaseSuccessor()].insert(llvm::cast<llvm::MDNode>(cases.getOperand(i + 1)));
  }
  return left == jump.getNumCases() ? ways : Ways();
}

} // namespace

std::vector<std::pair<uint32_t, const llvm::BasicBlock *>>
waysOf(const SourceBody &body, uint32_t n, const llvm::Instruction &end) {
  const SourceNode &node = body.nodes[n];
  Ways ways;
  const auto *cases = optionalField<llvm::MDNode>(*node.notes.back(), NoteField::cases);
  if (llvm::isa<llvm::BranchInst, llvm::InvokeInst>(end))
    ways = armsOf(body, node, end);
  else if (const auto *jump = llvm::dyn_cast<llvm::SwitchInst>(&end); jump && cases != nullptr)
    ways = casesOf(*cases, *jump);
  std::vector<std::pair<uint32_t, const llvm::BasicBlock *>> out;
  for (const auto &[to, notes] : ways)
    if (notes.size() == 1)
      for (const uint32_t arc : node.out)
        if (body.nodes[body.arcs[arc].to].notes.front() == notes.front())
          out.emplace_back(arc, to);
  return out;
}

} // namespace quincunx
