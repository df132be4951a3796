// What reads assembly and makes nothing of it.
// The idea: a table of virtual functions is bound when a plugin is loaded, so one that names
// functions which only some versions of LLVM have could not be loaded into another version even to
// say that it is the wrong one (plugin/CheckVersion.cpp). These do nothing here instead.
#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCStreamer.h"

namespace quincunx {

class QuietStreamer : public llvm::MCStreamer {
public:
  using MCStreamer::MCStreamer;

  bool emitSymbolAttribute(llvm::MCSymbol *, llvm::MCSymbolAttr) override { return true; }
  void emitCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection *, llvm::MCSymbol *, uint64_t, llvm::Align,
                    llvm::SMLoc) override {}
#if LLVM_VERSION_MAJOR >= 22
  void emitSubsectionsViaSymbols() override {}
  void emitCOFFSecNumber(const llvm::MCSymbol *) override {}
  void emitCOFFSecOffset(const llvm::MCSymbol *) override {}
  void emitValueToAlignment(llvm::Align, int64_t, uint8_t, unsigned) override {}
  void emitDwarfLocDirective(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             llvm::StringRef, llvm::StringRef) override {}
  void emitDwarfLocLabelDirective(llvm::SMLoc, llvm::StringRef) override {}
  void emitCFISections(bool, bool, bool) override {}
  void emitCFINegateRAStateWithPC(llvm::SMLoc) override {}
  void emitCFIValOffset(int64_t, int64_t, llvm::SMLoc) override {}
  void emitWinCFIBeginEpilogue(llvm::SMLoc) override {}
  void emitWinCFIEndEpilogue(llvm::SMLoc) override {}
  void emitWinCFIUnwindV2Start(llvm::SMLoc) override {}
  void emitWinCFIUnwindVersion(uint8_t, llvm::SMLoc) override {}
#else
  void emitAssemblerFlag(llvm::MCAssemblerFlag) override {}
  void emitThumbFunc(llvm::MCSymbol *) override {}
  void emitBundleAlignMode(llvm::Align) override {}
  void emitBundleLock(bool) override {}
  void emitBundleUnlock() override {}
  void emitGPRel32Value(const llvm::MCExpr *) override {}
  void emitGPRel64Value(const llvm::MCExpr *) override {}
  void emitTPRel32Value(const llvm::MCExpr *) override {}
  void emitTPRel64Value(const llvm::MCExpr *) override {}
  void emitDTPRel32Value(const llvm::MCExpr *) override {}
  void emitDTPRel64Value(const llvm::MCExpr *) override {}
  void emitValueToAlignment(llvm::Align, int64_t, unsigned, unsigned) override {}
  void emitDwarfLocDirective(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             llvm::StringRef) override {}
  void emitCFISections(bool, bool) override {}
#endif
};

} // namespace quincunx
