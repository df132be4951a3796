// Code for record=strands: which calls may make threads wait or let them go on, what stands in
// place of libc's functions for that, and where in the source such a call is.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace quincunx {

/// Which calls may synchronise threads, as far as one module can tell: those that may reach code
/// outside of it, but for plain functions of the library.
class Synchronising {
public:
  explicit Synchronising(const llvm::Module &m);
  bool may(const llvm::CallBase &call) const;
  /// Stores the site of a call (qx_strand_site) in the innermost function, inlined ones too, that
  /// is neither of the standard library nor a wrapper (Wrappers.h); where there is none, it stays
  /// that of whoever called.
  void saySite(llvm::IRBuilder<> &at, const llvm::CallBase &call) const;

private:
  bool passesOn(const std::string &function) const;

  llvm::SmallPtrSet<const llvm::Function *, 32> quiet; ///< bodies that do not
  llvm::StringSet<> wrappers;
};

/// Keeps the last call of code that OpenMP's library calls from becoming a jump: what it calls
/// would seem to be called by the library.
void stayOnStack(llvm::CallBase &call);

/// Makes the module define libc's functions that QX_INTERPOSED names, so that calls of all images
/// go to the runtime; not those that the program defines itself.
void interpose(llvm::Module &m);

} // namespace quincunx
