// Trip counts as text. ScalarEvolution's own printing is meant for compiler writers; this one uses
// the function's arguments (by name with -g, else arg0, arg1, ...), the indices of
// outer loops (i0, i1, ... in the order of the map's loops) and values computed before the loop
// (@line). Guards that only widen or narrow a number are left out. It does not simplify.
#include "IrFlow.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"

namespace quincunx {

namespace {

class Printer {
public:
  explicit Printer(const llvm::LoopInfo &info) : order(info.getLoopsInPreorder()) {}
  bool known = true;

  std::string print(const llvm::SCEV *s) {
    using namespace llvm;
    if (const auto *c = dyn_cast<SCEVConstant>(s))
      return std::to_string(c->getAPInt().getSExtValue());
    if (const auto *cast = dyn_cast<SCEVIntegralCastExpr>(s))
      return print(cast->getOperand());
    if (const auto *n = dyn_cast<SCEVAddExpr>(s))
      return list(*n, " + ");
    if (const auto *n = dyn_cast<SCEVMulExpr>(s))
      return list(*n, " * ");
    if (const auto *d = dyn_cast<SCEVUDivExpr>(s))
      return "(" + print(d->getLHS()) + " div " + print(d->getRHS()) + ")";
    if (const auto *n = dyn_cast<SCEVMinMaxExpr>(s))
      return bound(*n, isa<SCEVSMaxExpr>(s) || isa<SCEVUMaxExpr>(s) ? "max" : "min");
    if (const auto *n = dyn_cast<SCEVSequentialMinMaxExpr>(s))
      return bound(*n, "min");
    if (const auto *r = dyn_cast<SCEVAddRecExpr>(s))
      return recurrence(*r);
    if (const auto *u = dyn_cast<SCEVUnknown>(s))
      return value(u->getValue());
    known = false;
    return "?";
  }

private:
  template <class Node> std::string list(const Node &node, const char *between) {
    std::string text = "(";
    for (const llvm::SCEV *operand : node.operands())
      text += (text.size() > 1 ? between : "") + print(operand);
    return text + ")";
  }
  template <class Node> std::string bound(const Node &node, const char *name) {
    std::string text = std::string(name) + "(";
    bool first = true;
    for (const llvm::SCEV *operand : node.operands()) {
      text += (first ? "" : ", ") + print(operand);
      first = false;
    }
    return text + ")";
  }
  std::string recurrence(const llvm::SCEVAddRecExpr &r) {
    const auto it = std::find(order.begin(), order.end(), r.getLoop());
    if (!r.isAffine() || it == order.end()) {
      known = false;
      return "?";
    }
    return "(" + print(r.getOperand(0)) + " + " + print(r.getOperand(1)) + " * i" +
           std::to_string(it - order.begin()) + ")";
  }
  static std::string nameOf(const llvm::Argument &a) {
    if (const llvm::DISubprogram *place = a.getParent()->getSubprogram())
      for (const llvm::DINode *node : place->getRetainedNodes())
        if (const auto *variable = llvm::dyn_cast_or_null<llvm::DILocalVariable>(node);
            variable != nullptr && variable->getArg() == a.getArgNo() + 1)
          return variable->getName().str();
    return a.hasName() ? a.getName().str() : "arg" + std::to_string(a.getArgNo());
  }
  std::string value(const llvm::Value *v) {
    if (const auto *a = llvm::dyn_cast<llvm::Argument>(v))
      return nameOf(*a);
    if (const auto *i = llvm::dyn_cast<llvm::Instruction>(v); i != nullptr && i->getDebugLoc())
      return "@" + std::to_string(i->getDebugLoc().getLine());
    known = false;
    return "?";
  }

  llvm::SmallVector<llvm::Loop *, 4> order;
};

} // namespace

std::string tripExpression(const llvm::SCEV *trips, const llvm::LoopInfo &loops) {
  if (llvm::isa<llvm::SCEVCouldNotCompute>(trips))
    return "";
  Printer printer(loops);
  std::string text = printer.print(trips);
  return printer.known ? text : "";
}

} // namespace quincunx
