// What threads do with atomics that others wait for. Who notifies has changed one before, which
// others may see at once; who waits in a loop looks at it before, and goes on where he finds what
// he waits for. Neither is seen at the calls of notify and wait alone.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace quincunx {

/// Marks, in a function that notifies, the change before that; and in one that waits, where it
/// looks at the same atomic. Before anything is inlined: uses of std::atomic are calls there.
void markAtomics(llvm::Function &f);

/// Does it add to an atomic, or take from it, and have its value? How much it adds, if that is
/// known, else 1 or -1; 0: it does not.
int64_t stepOf(const llvm::Instruction &i);
/// Does it set bits of an atomic, or clear some, and have what was there?
bool setsBits(const llvm::Instruction &i);
/// Is the value of what counts that behind it, as of `++x`?
bool isCountedFirst(const llvm::Instruction &i);
/// Is it a call that exchanges the value of a std::atomic if it is what was expected?
bool exchangesAtomic(const llvm::Instruction &i);
/// Is it a call that writes to a std::atomic, and has its value; that sets a std::atomic_flag, and
/// has whether it was set; or that writes to one of them alone?
bool setsAtomic(const llvm::Instruction &i);
bool setsFlag(const llvm::Instruction &i);
bool storesAtomic(const llvm::Instruction &i);
/// The std::atomic that a call is of.
llvm::Value *atomicOf(const llvm::Instruction &use);
/// Of what counts, exchanges or sets: the address.
llvm::Value *counterOf(const llvm::Instruction &i);
/// Is a value what is in an atomic now?
bool looksAtAtomic(const llvm::Value &value);

/// Are these one value, if nobody changes in between what it is read from: what a lambda refers to,
/// an element of a vector?
bool areAlike(const llvm::Value *a, const llvm::Value *b, unsigned depth = 0);

/// Is there a place behind it where control comes from it alone?
bool canMark(const llvm::Instruction &i);
/// Where control goes behind it.
llvm::Instruction &behind(llvm::Instruction &i);

} // namespace quincunx
