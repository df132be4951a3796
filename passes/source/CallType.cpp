// Types of functions as words of letters.
#include "CallType.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace quincunx {

namespace {

char letterOf(const llvm::Type &type) {
  if (type.isVoidTy())
    return 'v';
  if (type.isPointerTy())
    return 'p';
  if (type.isHalfTy())
    return 'h';
  if (type.isFloatTy())
    return 'f';
  if (type.isDoubleTy())
    return 'd';
  if (type.isX86_FP80Ty())
    return 'x';
  if (type.isFP128Ty())
    return 'y';
  if (!type.isIntegerTy())
    return 0;
  switch (type.getIntegerBitWidth()) {
  case 1:
    return 'b';
  case 8:
    return 'c';
  case 16:
    return 's';
  case 32:
    return 'i';
  case 64:
    return 'l';
  case 128:
    return 'q';
  default:
    return 0;
  }
}

std::string wordOf(const llvm::Type &type) {
  if (const char letter = letterOf(type))
    return {letter};
  std::string text;
  llvm::raw_string_ostream(text) << type;
  std::ranges::replace(text, '{', '(');
  std::ranges::replace(text, '}', ')');
  return "{" + text + "}";
}

} // namespace

std::string callTypeOf(const llvm::FunctionType &type) {
  std::string word = wordOf(*type.getReturnType());
  for (const llvm::Type *parameter : type.params())
    word += wordOf(*parameter);
  return type.isVarArg() ? word + "." : word;
}

} // namespace quincunx
