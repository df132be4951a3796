// Functions of the C library and of systems are known by name, as what they do is standard; one of
// another shape, or with a body here, is another function. A number that is the same in every call
// needs no counter, as its call is made as often as its block. Others are added to one, in front of
// the call where an argument says it, behind it where the result does; below 0 that is an error,
// and a limit below 0, read with a sign, is none (`strncmp(a, b, -1)`). Bytes have no part in the
// clock of calls. Not counted: what a call in the place of a return (musttail) moves.
#include "Bytes.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

namespace {

constexpr unsigned none = UINT_MAX;

struct Rule {
  llvm::StringLiteral name;
  ByteSource kind;
  /// The argument that says it; of a result the one that it is a multiple of, or none.
  unsigned argument;
};

constexpr Rule rules[] = {
    {"memcpy", ByteSource::argument, 2},
    {"memmove", ByteSource::argument, 2},
    {"memset", ByteSource::argument, 2},
    {"mempcpy", ByteSource::argument, 2},
    {"__memcpy_chk", ByteSource::argument, 2},
    {"__memmove_chk", ByteSource::argument, 2},
    {"__memset_chk", ByteSource::argument, 2},
    {"__mempcpy_chk", ByteSource::argument, 2},
    {"bcopy", ByteSource::argument, 2},
    {"bzero", ByteSource::argument, 1},
    {"explicit_bzero", ByteSource::argument, 1},
    {"strncpy", ByteSource::argument, 2}, // fills up
    {"stpncpy", ByteSource::argument, 2},
    {"__strncpy_chk", ByteSource::argument, 2},
    {"read", ByteSource::result, none},
    {"__read_chk", ByteSource::result, none},
    {"write", ByteSource::result, none},
    {"pread", ByteSource::result, none},
    {"pwrite", ByteSource::result, none},
    {"pread64", ByteSource::result, none},
    {"pwrite64", ByteSource::result, none},
    {"readv", ByteSource::result, none},
    {"writev", ByteSource::result, none},
    {"recv", ByteSource::result, none},
    {"send", ByteSource::result, none},
    {"recvfrom", ByteSource::result, none},
    {"sendto", ByteSource::result, none},
    {"fread", ByteSource::result, 1},
    {"fread_unlocked", ByteSource::result, 1},
    {"__fread_chk", ByteSource::result, 2},
    {"fwrite", ByteSource::result, 1},
    {"fwrite_unlocked", ByteSource::result, 1},
    {"memcmp", ByteSource::limit, 2},
    {"bcmp", ByteSource::limit, 2},
    {"memchr", ByteSource::limit, 2},
    {"memrchr", ByteSource::limit, 2},
    {"memccpy", ByteSource::limit, 3},
    {"strncmp", ByteSource::limit, 2},
    {"strncasecmp", ByteSource::limit, 2},
    {"strncat", ByteSource::limit, 2},
    {"strnlen", ByteSource::limit, 1},
    {"strndup", ByteSource::limit, 1},
};

/// What x86-64 makes instructions of when the size is constant: eight stores of 16 bytes. With
/// wider registers, for fills, or at -O0 it is another number.
constexpr uint64_t mostInInstructions = 128;

/// Is it a number of bytes, by its type?
bool isSize(const llvm::Value &v, unsigned leastBits) {
  const auto *type = llvm::dyn_cast<llvm::IntegerType>(v.getType());
  return type != nullptr && type->getBitWidth() >= leastBits && type->getBitWidth() <= 64;
}

const Rule *ruleOf(const llvm::CallBase &call) {
  llvm::StringRef name = memoryFunction(call);
  if (name.empty()) {
    const auto *callee =
        llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (callee == nullptr || !callee->isDeclaration() || callee->isIntrinsic())
      return nullptr;
    name = callee->getName();
  }
  const Rule *rule = llvm::find_if(rules, [&](const Rule &r) { return r.name == name; });
  if (rule == std::end(rules))
    return nullptr;
  const bool saysSo = rule->argument == none || (rule->argument < call.arg_size() &&
                                                 isSize(*call.getArgOperand(rule->argument), 1));
  return saysSo && (rule->kind != ByteSource::result || isSize(call, 64)) ? rule : nullptr;
}

/// The first place behind a call where its result is there.
llvm::Instruction *behind(llvm::CallBase &call) {
  auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (invoke == nullptr)
    return call.getNextNode();
  llvm::BasicBlock *to = invoke->getNormalDest();
  if (to->getUniquePredecessor() == nullptr)
    to = llvm::SplitCriticalEdge(invoke, 0);
  return &*to->getFirstInsertionPt();
}

void insert(const Rule &rule, uint32_t counter, llvm::CallBase &call, Counters &counters) {
  llvm::Instruction *place = rule.kind == ByteSource::result ? behind(call) : &call;
  llvm::IRBuilder<> at(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  const auto argument = [&] {
    return at.CreateZExtOrTrunc(call.getArgOperand(rule.argument), at.getInt64Ty());
  };
  llvm::Value *bytes = rule.kind == ByteSource::result ? &call : argument();
  if (rule.kind != ByteSource::argument)
    bytes = at.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bytes, at.getInt64(0));
  if (rule.kind == ByteSource::result && rule.argument != none)
    bytes = at.CreateMul(bytes, argument());
  counters.add(counter, place, bytes);
}

} // namespace

llvm::StringRef memoryFunction(const llvm::CallBase &call) {
  const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call);
  if (memory == nullptr)
    return {};
  const auto *size = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
  if (size != nullptr && size->getValue().ule(mostInInstructions))
    return {};
  switch (memory->getIntrinsicID()) {
  case llvm::Intrinsic::memcpy:
    return "memcpy";
  case llvm::Intrinsic::memmove:
    return "memmove";
  case llvm::Intrinsic::memset:
    return "memset";
  default: // always instructions
    return {};
  }
}

bool isCountedByResult(const llvm::CallBase &call) {
  const Rule *rule = ruleOf(call);
  return rule != nullptr && rule->kind == ByteSource::result && !call.isMustTailCall();
}

void chooseBytes(IrFlow &flow) {
  for (size_t c = 0; c < flow.calls.size(); ++c) {
    const llvm::CallBase &call = *flow.calls[c];
    const Rule *rule = ruleOf(call);
    if (rule == nullptr || (rule->kind == ByteSource::result && !isCountedByResult(call)))
      continue;
    Call &out = flow.map.calls[c];
    const auto *constant =
        rule->kind == ByteSource::result
            ? nullptr
            : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(rule->argument));
    if (constant != nullptr && rule->kind == ByteSource::limit && constant->isNegative())
      continue;
    out.bytes = rule->kind;
    if (constant != nullptr)
      out.constantBytes = constant->getZExtValue();
    else
      out.byteCounter = flow.map.counterCount++;
  }
}

void insertBytes(const IrFlow &flow, Counters &counters) {
  for (size_t c = 0; c < flow.calls.size(); ++c)
    if (const uint32_t counter = flow.map.calls[c].byteCounter; counter != noIndex)
      insert(*ruleOf(*flow.calls[c]), counter, *flow.calls[c], counters);
}

} // namespace quincunx
