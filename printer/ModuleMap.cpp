// From a module to maps.
// The idea: maps are drawn after the instrumentation has shaped a function, so a clone of the
// module is shaped by the same steps (passes/Prepare.h) and read by the same walk
// (passes/IrFlow.h). A module that is instrumented already has its maps with it, and its flow is no
// longer what they describe; then these are read. It puts no counters anywhere.
#include "ModuleMap.h"

#include "quincunx/abi.h"
#include "quincunx/map/Decode.h"

#include "passes/IrFlow.h"
#include "passes/Prepare.h"
#include "passes/Requests.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace quincunx {

namespace {

/// The last fields of a record (passes/Instrument.cpp writes it) are its body's bytes and, as field
/// number 4, how many of them are in use.
Result<Function> decodeRecord(const llvm::GlobalVariable &v) {
  const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(v.getInitializer());
  const unsigned last = fields != nullptr ? fields->getNumOperands() - 1 : 0;
  const auto *body =
      last > 4 ? llvm::dyn_cast<llvm::ConstantDataArray>(fields->getOperand(last)) : nullptr;
  const auto *size = last > 4 ? llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(4)) : nullptr;
  if (body == nullptr || size == nullptr || !body->isString(8) ||
      size->getZExtValue() > body->getNumElements())
    return Error{v.getName().str() + " is no map that this version can read"};
  const llvm::StringRef bytes = body->getRawDataValues().take_front(size->getZExtValue());
  return decode({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
}

Result<std::vector<MappedFunction>> readRecords(const llvm::Module &m) {
  std::vector<MappedFunction> all;
  for (const llvm::GlobalVariable &v : m.globals()) {
    if (v.getSection() != QX_MAP_SECTION || !v.hasInitializer())
      continue;
    Result<Function> map = decodeRecord(v);
    if (!map)
      return map.error();
    all.push_back({std::move(*map), {}});
  }
  return all;
}

/// Gives blocks without a name the number by which the IR calls them, as shaping renumbers them.
void nameBlocks(llvm::Function &f) {
  llvm::ModuleSlotTracker slots(f.getParent());
  slots.incorporateFunction(f);
  llvm::SmallVector<std::pair<llvm::BasicBlock *, int>, 32> unnamed;
  for (llvm::BasicBlock &b : f)
    if (!b.hasName())
      unnamed.push_back({&b, slots.getLocalSlot(&b)});
  for (const auto &[block, number] : unnamed)
    block->setName(std::to_string(number));
}

MappedFunction read(llvm::Function &f, llvm::FunctionAnalysisManager &manager,
                    const Returns &returns) {
  nameBlocks(f);
  Analyses known = prepare(f, manager, returns);
  IrFlow flow =
      readFlow(f, known, [&](const llvm::CallBase &c) { return returns.mayNotReturn(c); });
  MappedFunction out{std::move(flow.map), {}};
  for (const llvm::BasicBlock *b : flow.blocks)
    out.labels.push_back(b->hasName() ? ("%" + b->getName()).str() : "");
  return out;
}

} // namespace

Result<std::vector<MappedFunction>> readMaps(const llvm::Module &m,
                                             llvm::FunctionAnalysisManager &manager) {
  if (m.getModuleFlag("quincunx") != nullptr)
    return readRecords(m);
  std::vector<MappedFunction> all;
  const std::unique_ptr<llvm::Module> clone = llvm::CloneModule(m);
  llvm::ModuleAnalysisManager unused;
  MarkRequestsPass().run(*clone, unused);
  refuseRequests(*clone);
  const Returns returns(*clone);
  for (llvm::Function *f : instrumentable(*clone)) {
    all.push_back(read(*f, manager, returns));
    manager.clear(*f, f->getName()); // before the clone goes
  }
  return all;
}

} // namespace quincunx
