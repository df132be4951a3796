// Source places from debug locations: files with the hash of what was compiled, and the inline
// stack. Locations are there even without -g (the plugin asks for location tracking only); without
// any, lines are 0. Paths are those of the debug information, so -ffile-prefix-map is honoured.
#include "IrFlow.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quincunx {

std::string fullPath(const llvm::DIFile &file) {
  llvm::SmallString<256> path(file.getFilename());
  if (!llvm::sys::path::is_absolute(path) && !file.getDirectory().empty()) {
    path = file.getDirectory();
    llvm::sys::path::append(path, file.getFilename());
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

namespace {

std::array<uint8_t, 16> digest(const llvm::DIFile &file, const std::string &path) {
  std::array<uint8_t, 16> md5{};
  if (const auto sum = file.getChecksum();
      sum && sum->Kind == llvm::DIFile::CSK_MD5 && sum->Value.size() == 2 * md5.size()) {
    const std::string bytes = llvm::fromHex(sum->Value);
    std::copy(bytes.begin(), bytes.end(), md5.begin());
  } else if (const auto text = llvm::MemoryBuffer::getFile(path)) {
    const llvm::ArrayRef<uint8_t> bytes(
        reinterpret_cast<const uint8_t *>((*text)->getBufferStart()), (*text)->getBufferSize());
    const auto hash = llvm::MD5::hash(bytes);
    std::copy(hash.begin(), hash.end(), md5.begin());
  }
  return md5;
}

} // namespace

std::string nameOf(const llvm::DISubprogram &s) {
  return (s.getLinkageName().empty() ? s.getName() : s.getLinkageName()).str();
}

void nameSubprograms(llvm::Module &m) {
  for (llvm::Function &f : m)
    if (llvm::DISubprogram *s = f.getSubprogram(); s != nullptr && s->isDistinct() &&
                                                   s->getLinkageName().empty() &&
                                                   s->getName() != f.getName())
      s->replaceLinkageName(llvm::MDString::get(m.getContext(), f.getName()));
}

Sources::Sources(const llvm::Function &f, Function &m) : map(m) {
  Scope own;
  own.function = f.getName().str();
  if (const llvm::DISubprogram *s = f.getSubprogram()) {
    own.file = file(s->getFile());
    own.line = s->getLine();
  }
  map.scopes.push_back(own);
}

uint32_t Sources::file(const llvm::DIFile *f) {
  if (f == nullptr)
    return noIndex;
  auto [it, fresh] = files.try_emplace(f, map.files.size());
  if (fresh) {
    SourceFile source;
    source.path = fullPath(*f);
    source.md5 = digest(*f, source.path);
    map.files.push_back(std::move(source));
  }
  return it->second;
}

/// The scope of a location: the body it is in, or what of another file stands in that body, by
/// `#include` or `#line`.
uint32_t Sources::scope(const llvm::DILocation *where) {
  const uint32_t around = body(where), text = file(where->getFile());
  const uint32_t own = map.scopes[around].file;
  if (text == own || text == noIndex || own == noIndex ||
      map.files[text].path == map.files[own].path)
    return around;
  const auto [it, fresh] = included.try_emplace({around, text}, map.scopes.size());
  if (fresh) {
    Scope s;
    s.parent = around;
    s.function = map.scopes[around].function;
    s.file = text;
    map.scopes.push_back(std::move(s));
  }
  return it->second;
}

/// The function of a location, inlined where its inlinedAt says.
uint32_t Sources::body(const llvm::DILocation *where) {
  const llvm::DILocation *calledAt = where->getInlinedAt();
  if (calledAt == nullptr)
    return 0;
  const llvm::DISubprogram *function = where->getScope()->getSubprogram();
  if (const auto known = scopes.find({function, calledAt}); known != scopes.end())
    return known->second;
  Scope s;
  s.parent = scope(calledAt);
  s.function = nameOf(*function);
  s.file = file(function->getFile());
  s.line = function->getLine();
  s.callLine = calledAt->getLine();
  s.callColumn = calledAt->getColumn();
  s.callDiscriminator = calledAt->getBaseDiscriminator();
  map.scopes.push_back(std::move(s));
  const auto index = static_cast<uint32_t>(map.scopes.size() - 1);
  scopes[{function, calledAt}] = index;
  return index;
}

Location Sources::at(const llvm::DebugLoc &where) {
  if (!where)
    return {};
  return {where.getLine(), where.getCol(), scope(where.get())};
}

Location Sources::discriminatedAt(const llvm::DebugLoc &where) {
  Location out = at(where);
  if (where)
    out.discriminator = where->getBaseDiscriminator();
  return out;
}

} // namespace quincunx
