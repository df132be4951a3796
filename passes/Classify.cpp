// Which class of work an instruction is. Classes follow what a processor does, not what LLVM calls
// it; address arithmetic, phis, unconditional jumps and casts that vanish cost nothing. It gives no
// costs (lib/cost).
#include "IrFlow.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

bool classifyCall(const llvm::CallBase &call, InstructionClass &kind) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (intrinsic == nullptr) {
    kind = InstructionClass::call;
    return true;
  }
  if (llvm::isa<llvm::AnyMemIntrinsic>(call)) {
    kind = InstructionClass::memory;
    return true;
  }
  switch (intrinsic->getIntrinsicID()) {
  case llvm::Intrinsic::sqrt:
    kind = InstructionClass::fdivide;
    return true;
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    kind = InstructionClass::fmultiply;
    return true;
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::trunc:
    kind = InstructionClass::fadd;
    return true;
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    kind = InstructionClass::add;
    return true;
  default:
    return false; // markers for the optimiser
  }
}

InstructionClass arithmetic(unsigned opcode) {
  using llvm::Instruction;
  switch (opcode) {
  case Instruction::Mul:
    return InstructionClass::multiply;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return InstructionClass::divide;
  case Instruction::FMul:
    return InstructionClass::fmultiply;
  case Instruction::FDiv:
  case Instruction::FRem:
    return InstructionClass::fdivide;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
  case Instruction::FCmp:
    return InstructionClass::fadd;
  default:
    return InstructionClass::add;
  }
}

} // namespace

bool classify(const llvm::Instruction &i, InstructionClass &kind) {
  using llvm::Instruction;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
    return classifyCall(*call, kind);
  switch (i.getOpcode()) {
  case Instruction::Load:
    kind = llvm::cast<llvm::LoadInst>(i).isAtomic() ? InstructionClass::atomic
                                                    : InstructionClass::load;
    return true;
  case Instruction::Store:
    kind = llvm::cast<llvm::StoreInst>(i).isAtomic() ? InstructionClass::atomic
                                                     : InstructionClass::store;
    return true;
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::Fence:
    kind = InstructionClass::atomic;
    return true;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    kind = InstructionClass::convert;
    return true;
  case Instruction::Ret:
  case Instruction::Switch:
  case Instruction::IndirectBr:
  case Instruction::Resume:
    kind = InstructionClass::jump;
    return true;
  case Instruction::PHI:
  case Instruction::Alloca:
  case Instruction::GetElementPtr:
  case Instruction::LandingPad:
  case Instruction::Unreachable:
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return false;
  default:
    break;
  }
  if (i.isTerminator()) {
    kind = InstructionClass::branch;
    return i.getNumSuccessors() > 1; // most unconditional jumps fall through in the end
  }
  if (i.isCast())
    return false; // moves and extensions are folded into their users
  if (i.getType()->isVectorTy()) {
    kind = InstructionClass::vector;
    return true;
  }
  kind = arithmetic(i.getOpcode());
  return true;
}

} // namespace quincunx
