// Which class of work an instruction is. Classes follow what a processor does, not what LLVM calls
// it; address arithmetic, phis, unconditional jumps and casts that vanish cost nothing. It gives no
// costs (lib/cost).
#include "IrFlow.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// Intrinsics that become instructions; nothing for markers for the optimiser.
std::optional<InstructionClass> classOfIntrinsic(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
  case Intrinsic::sqrt:
    return InstructionClass::fdivide;
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return InstructionClass::fmultiply;
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::rint:
  case Intrinsic::trunc:
    return InstructionClass::fadd;
  case Intrinsic::abs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::bswap:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::ctpop:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return InstructionClass::add;
  default:
    return std::nullopt;
  }
}

std::optional<InstructionClass> classOfCall(const llvm::CallBase &call) {
  if (llvm::isa<llvm::AnyMemIntrinsic>(call))
    return InstructionClass::memory;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return classOfIntrinsic(intrinsic->getIntrinsicID());
  if (call.isInlineAsm())
    return std::nullopt; // costs what it holds (assembly/Assembly.h)
  return InstructionClass::call;
}

/// Loads, stores and what orders them; nothing for anything else.
std::optional<InstructionClass> classOfAccess(const llvm::Instruction &i) {
  using llvm::Instruction;
  switch (i.getOpcode()) {
  case Instruction::Load:
    return llvm::cast<llvm::LoadInst>(i).isAtomic() ? InstructionClass::atomic
                                                    : InstructionClass::load;
  case Instruction::Store:
    return llvm::cast<llvm::StoreInst>(i).isAtomic() ? InstructionClass::atomic
                                                     : InstructionClass::store;
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::Fence:
    return InstructionClass::atomic;
  default:
    return std::nullopt;
  }
}

/// Phis, addresses and other parts of instructions.
bool isFree(const llvm::Instruction &i) {
  using llvm::Instruction;
  switch (i.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Alloca:
  case Instruction::GetElementPtr:
  case Instruction::LandingPad:
  case Instruction::Unreachable:
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return true;
  default:
    return false;
  }
}

/// Jumps and branches; nothing for unconditional branches, as most fall through in the end.
std::optional<InstructionClass> classOfTerminator(const llvm::Instruction &i) {
  using llvm::Instruction;
  switch (i.getOpcode()) {
  case Instruction::Ret:
  case Instruction::Switch:
  case Instruction::IndirectBr:
  case Instruction::Resume:
    return InstructionClass::jump;
  default:
    return i.getNumSuccessors() > 1 ? std::optional(InstructionClass::branch) : std::nullopt;
  }
}

/// Conversions that cost something; others are folded into their users.
std::optional<InstructionClass> classOfCast(const llvm::Instruction &i) {
  using llvm::Instruction;
  switch (i.getOpcode()) {
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return InstructionClass::convert;
  default:
    return std::nullopt;
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

std::optional<InstructionClass> classify(const llvm::Instruction &i) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
    return classOfCall(*call);
  if (const auto access = classOfAccess(i))
    return access;
  if (isFree(i))
    return std::nullopt;
  if (i.isTerminator())
    return classOfTerminator(i);
  if (i.isCast())
    return classOfCast(i);
  if (i.getType()->isVectorTy())
    return InstructionClass::vector;
  return arithmetic(i.getOpcode());
}

} // namespace quincunx
