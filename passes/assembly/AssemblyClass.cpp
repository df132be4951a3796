// Which class of work a machine instruction is. The tables of a target say what jumps and what
// touches memory; what is computed they do not say, so x86's mnemonics are looked up here. An
// instruction is of one class: an addition that loads its operand is an addition. What only moves
// is a load or a store, and what is not known `other`.
#include "Assembly.h"

#include "llvm/ADT/STLExtras.h"

namespace quincunx {

namespace {

/// Flags that x86's parser leaves at an instruction with a prefix (X86BaseInfo.h).
constexpr unsigned repeatFlags = 4 | 8, lockFlag = 16;

using Words = llvm::ArrayRef<llvm::StringRef>;

bool startsWith(llvm::StringRef name, Words words) {
  return llvm::any_of(words, [&](llvm::StringRef w) { return name.starts_with(w); });
}

bool usesVectors(const llvm::MCInst &i, const llvm::MCRegisterInfo &registers) {
  return llvm::any_of(i, [&](const llvm::MCOperand &o) {
    return o.isReg() && o.getReg() &&
           startsWith(registers.getName(o.getReg()), {"XMM", "YMM", "ZMM", "MM"});
  });
}

InstructionClass moved(const llvm::MCInstrDesc &is, InstructionClass nothing) {
  return is.mayStore() ? InstructionClass::store : is.mayLoad() ? InstructionClass::load : nothing;
}

/// By the operation alone: without `v`, `f`, and the kind of numbers.
InstructionClass floating(llvm::StringRef operation) {
  if (startsWith(operation, {"div", "idiv", "sqrt", "prem"}))
    return InstructionClass::fdivide;
  if (startsWith(operation, {"mul", "imul", "madd", "msub", "nmadd", "nmsub", "fmadd", "fmsub",
                             "fnmadd", "fnmsub"}))
    return InstructionClass::fmultiply;
  return InstructionClass::fadd;
}

/// Of an instruction with vector registers, which hold single floating numbers as well.
InstructionClass classOfVector(llvm::StringRef name, const llvm::MCInstrDesc &is) {
  name.consume_front("v");
  if (startsWith(name, {"mov", "lddq"}))
    return moved(is, InstructionClass::add);
  const bool single = !name.starts_with("p") && (name.contains("ss") || name.contains("sd"));
  if (name.starts_with("cvt"))
    return single || name.contains("si") ? InstructionClass::convert : InstructionClass::vector;
  return single ? floating(name) : InstructionClass::vector;
}

InstructionClass classOfX87(llvm::StringRef name, const llvm::MCInstrDesc &is) {
  if (startsWith(name, {"fld", "fild", "fbld", "fst", "fist", "fbst", "fxch"}))
    return moved(is, InstructionClass::add);
  if (startsWith(name, {"fn", "fx", "fw", "fini", "ff"})) // of the unit, not of numbers
    return InstructionClass::other;
  return floating(name.drop_front());
}

InstructionClass classOfInteger(llvm::StringRef name, const llvm::MCInstrDesc &is) {
  if (startsWith(name, {"div", "idiv"}))
    return InstructionClass::divide;
  if (startsWith(name, {"mul", "imul"}))
    return InstructionClass::multiply;
  if (name.starts_with("mov"))
    return moved(is, InstructionClass::add);
  const bool known =
      startsWith(name, {"adc",  "add",  "ado",  "and",  "be",   "bl",  "bs",   "bt",   "bz",  "clt",
                        "cmov", "cmp",  "cqt",  "cwt",  "dec",  "inc", "lea",  "lzc",  "neg", "not",
                        "or",   "pdep", "pext", "popc", "rc",   "rol", "ror",  "sal",  "sar", "sbb",
                        "set",  "shl",  "shr",  "sub",  "test", "tzc", "xadd", "xchg", "xor"});
  return known ? InstructionClass::add : moved(is, InstructionClass::other);
}

} // namespace

std::optional<unsigned> prefixFlag(llvm::StringRef mnemonic) {
  if (mnemonic == "lock")
    return lockFlag;
  if (mnemonic == "rep" || mnemonic == "repne")
    return repeatFlags;
  return startsWith(mnemonic, {"data16", "notrack", "xacquire", "xrelease"}) ? std::optional(0u)
                                                                             : std::nullopt;
}

InstructionClass classOfMachine(const llvm::MCInst &i, const llvm::MCInstrDesc &is,
                                llvm::StringRef name, const llvm::MCRegisterInfo &registers) {
  const bool touches = is.mayLoad() || is.mayStore();
  if (is.isCall())
    return InstructionClass::call;
  if (is.isReturn() || is.isUnconditionalBranch() || is.isIndirectBranch())
    return InstructionClass::jump;
  if (is.isBranch())
    return InstructionClass::branch;
  if ((i.getFlags() & lockFlag) != 0 || name.ends_with("fence") ||
      (name.starts_with("xchg") && touches))
    return InstructionClass::atomic;
  if ((i.getFlags() & repeatFlags) != 0 &&
      startsWith(name, {"movs", "stos", "lods", "cmps", "scas"}))
    return InstructionClass::memory; // as much as there is
  if (usesVectors(i, registers))
    return classOfVector(name, is);
  return name.starts_with("f") ? classOfX87(name, is) : classOfInteger(name, is);
}

} // namespace quincunx
