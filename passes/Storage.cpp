// Emits counters, state and the map's record into their sections (abi/symbols.h). A record knows
// its counters by their distance from it, which the linker fills in.
#include "Storage.h"

#include "IrFlow.h"
#include "quincunx/abi.h"
#include "quincunx/map/Encode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace quincunx {

namespace {

/// The encoded map of a function, and its hash.
struct Body {
  Body(const Function &map, const SourceBlocks &sources)
      : bytes(encode(map, sources)), length(bytes.size()) {
    qx_hash(bytes.data(), bytes.size(), hash);
    bytes.resize(recordSize() - sizeof(qx_function_header), '\0');
  }
  uint32_t recordSize() const { ///< header included, a multiple of 8
    return static_cast<uint32_t>((sizeof(qx_function_header) + length + 7) / 8 * 8);
  }
  std::string bytes; ///< zeros behind the map's
  size_t length;     ///< of the map's
  uint64_t hash[2];
};

/// Makes the globals of one function: all of them are linked, or dropped, together.
class Emitter {
public:
  Emitter(llvm::Function &f, const Body &b)
      : m(*f.getParent()), body(b),
        shared(f.hasComdat() || f.hasLinkOnceLinkage() || f.hasWeakLinkage()),
        suffix(f.getName().str() + "." + llvm::utohexstr(b.hash[0], true)) {}

  llvm::GlobalVariable *zeros(const char *name, const char *section, uint32_t words);
  llvm::GlobalVariable *record(const Function &map, llvm::GlobalVariable *counters);

private:
  llvm::GlobalValue::LinkageTypes linkage() const {
    return shared ? llvm::GlobalValue::LinkOnceODRLinkage : llvm::GlobalValue::InternalLinkage;
  }
  void group(llvm::GlobalVariable *v);

  llvm::Module &m;
  const Body &body;
  bool shared; ///< other object files may have the same
  std::string suffix;
};

void Emitter::group(llvm::GlobalVariable *v) {
  v->setAlignment(llvm::Align(8));
  if (shared) {
    v->setVisibility(llvm::GlobalValue::HiddenVisibility);
    v->setComdat(m.getOrInsertComdat("__quincunx_counters_" + suffix));
  }
}

/// As `#pragma clang section bss`: all of it is zero and takes no bytes in the file. Sanitizers
/// leave alone what has a section of its own; this they must be told.
llvm::GlobalVariable *Emitter::zeros(const char *name, const char *section, uint32_t words) {
  auto *type = llvm::ArrayType::get(llvm::Type::getInt64Ty(m.getContext()), words);
  auto *v = new llvm::GlobalVariable(m, type, false, linkage(),
                                     llvm::ConstantAggregateZero::get(type), name + suffix);
  v->addAttribute("bss-section", section);
  llvm::GlobalValue::SanitizerMetadata untouched;
  untouched.NoAddress = untouched.NoHWAddress = true;
  v->setSanitizerMetadata(untouched);
  group(v);
  return v;
}

/// A qx_function_header and the body.
llvm::GlobalVariable *Emitter::record(const Function &map, llvm::GlobalVariable *counters) {
  llvm::LLVMContext &c = m.getContext();
  auto *i32 = llvm::Type::getInt32Ty(c);
  auto *i64 = llvm::Type::getInt64Ty(c);
  auto *bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(c), body.bytes.size());
  auto *type = llvm::StructType::get(c, {i32, i32, i64, i32, i32, i64, i64, i32, i32, bytes},
                                     /*isPacked=*/true);
  auto *v = new llvm::GlobalVariable(m, type, true, linkage(), nullptr, "__quincunx_map_" + suffix);
  v->setSection(QX_MAP_SECTION);
  group(v);
  auto *field = llvm::ConstantExpr::getAdd(
      llvm::ConstantExpr::getPtrToInt(v, i64),
      llvm::ConstantInt::get(i64, offsetof(qx_function_header, counters)));
  auto *distance =
      llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(counters, i64), field);
  auto number = [&](uint64_t n) { return llvm::ConstantInt::get(i32, n); };
  v->setInitializer(llvm::ConstantStruct::get(
      type,
      {number(QX_FUNCTION_MAGIC), number(body.recordSize()), distance, number(map.counterCount),
       number(body.length), llvm::ConstantInt::get(i64, body.hash[0]),
       llvm::ConstantInt::get(i64, body.hash[1]), number(map.recorderWords), number(0),
       llvm::ConstantDataArray::getString(c, body.bytes, /*AddNull=*/false)}));
  llvm::appendToUsed(m, {v});
  return v;
}

} // namespace

Storage emitStorage(llvm::Function &f, const Function &map, const SourceBlocks &sources,
                    uint32_t stateWords) {
  const Body body(map, sources);
  Emitter emitter(f, body);
  auto *counters = emitter.zeros("__quincunx_counters_", QX_COUNTER_SECTION, map.counterCount);
  auto *state =
      stateWords > 0 ? emitter.zeros("__quincunx_state_", QX_STATE_SECTION, stateWords) : nullptr;
  return {counters, state, emitter.record(map, counters)};
}

llvm::GlobalVariable *perThread(llvm::Module &m, const char *name, uint32_t words) {
  if (auto *known = m.getNamedGlobal(name))
    return known;
  const bool shared = isSharedCode(m);
  auto *v = new llvm::GlobalVariable(
      m, llvm::ArrayType::get(llvm::Type::getInt64Ty(m.getContext()), words), false,
      llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
      shared ? llvm::GlobalValue::InitialExecTLSModel : llvm::GlobalValue::LocalExecTLSModel);
  v->setAlignment(llvm::Align(8));
  v->setDSOLocal(!shared); // an executable has it itself
  return v;
}

} // namespace quincunx
