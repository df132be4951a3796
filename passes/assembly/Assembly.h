// What an inline assembly holds: its instructions by class, read off its text. The compiler itself
// hands the text on unread.
#pragma once

#include "quincunx/map/InstructionClass.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <array>
#include <optional>
#include <string>

namespace quincunx {

struct AssemblyCount {
  std::array<uint32_t, classCount> mix{};
  bool estimated = false; ///< some of it could not be read, and counts one a statement
  bool repeats = false;   ///< a branch goes back: what is repeated counts once
};

/// Of a call for which `isInlineAsm` holds.
AssemblyCount countAssembly(const llvm::CallBase &call);

/// Its text as the assembler could get it: the alternative of its dialect, and in place of operands
/// ones of their kinds. What has no such form makes a statement that no assembler accepts.
std::string assemblyText(const llvm::CallBase &call, bool isX86, bool is64Bit);

/// The class of a machine instruction: what it computes, and where it computes nothing, what it
/// moves.
InstructionClass classOfMachine(const llvm::MCInst &i, const llvm::MCInstrDesc &is,
                                llvm::StringRef mnemonic, const llvm::MCRegisterInfo &registers);

/// Nothing where this is an instruction; else what a prefix leaves at the one that follows.
std::optional<unsigned> prefixFlag(llvm::StringRef mnemonic);

} // namespace quincunx
