// Bytes of a function record. The body is a table of strings followed by LEB128 numbers in the
// order of the fields of Function; indices that may be `noIndex` are stored plus one. Format:
// docs/11-formats.md. Decode.cpp reads it; the header around the body is the pass's.
#include "quincunx/map/Encode.h"

#include <map>
#include <span>

namespace quincunx {

namespace {

class Writer {
public:
  void number(uint64_t v) {
    while (v >= 0x80) {
      body.push_back(static_cast<char>(v | 0x80));
      v >>= 7;
    }
    body.push_back(static_cast<char>(v));
  }
  void index(uint32_t v) { number(v == noIndex ? 0 : uint64_t{v} + 1); }
  void text(const std::string &s) {
    auto [it, fresh] = strings.try_emplace(s, table.size());
    if (fresh)
      table.push_back(s);
    number(it->second);
  }
  void bytes(std::span<const uint8_t> b) { body.append(b.begin(), b.end()); }
  /// `v`, and behind it a discriminator where there is one.
  void discriminated(uint64_t v, uint32_t discriminator) {
    number(v << 1 | (discriminator != 0 ? 1u : 0u));
    if (discriminator != 0)
      number(discriminator);
  }
  void at(const Location &l) {
    number(l.line);
    number(l.column);
    discriminated(l.scope, l.discriminator);
  }
  template <class List, class Put> void list(const List &items, Put put) {
    number(items.size());
    for (const auto &item : items)
      put(item);
  }
  std::string finish() const {
    Writer head;
    head.number(recordFormat);
    head.number(table.size());
    for (const std::string &s : table) {
      head.number(s.size());
      head.body += s;
    }
    return head.body + body;
  }

private:
  std::string body;
  std::map<std::string, size_t> strings;
  std::vector<std::string> table;
};

void writeClass(Writer &w, const ClassCount &c) {
  w.number(static_cast<uint64_t>(c.kind));
  w.number(c.count);
}

void writeBlock(Writer &w, const Block &b) {
  w.number((b.mayNotReturn ? 1u : 0u) | (b.returnsTwice ? 2u : 0u) |
           (b.memory != noIndex ? 4u : 0u) | (b.again.empty() ? 0u : 8u));
  w.index(b.counter);
  if (b.memory != noIndex)
    w.index(b.memory);
  w.list(b.mix, [&](const ClassCount &c) { writeClass(w, c); });
  w.list(b.lines, [&](const Location &l) { w.at(l); });
  if (!b.again.empty())
    w.list(b.again, [&](const Location &l) { w.at(l); });
}

void writeScope(Writer &w, const Scope &s) {
  w.index(s.parent);
  w.text(s.function);
  w.index(s.file);
  w.number(s.line);
  w.number(s.callLine);
  w.discriminated(s.callColumn, s.callDiscriminator);
}

void writeEdge(Writer &w, const Edge &e) {
  w.number(static_cast<uint64_t>(e.kind));
  w.index(e.from);
  w.index(e.to);
  w.index(e.counter);
  // Most edges are certain: they take one byte.
  w.number(e.guess == noIndex ? 65536 : 65535 - e.guess);
}

void writeIndices(Writer &w, const std::vector<uint32_t> &list) {
  w.list(list, [&](uint32_t i) { w.index(i); });
}

void writeBranch(Writer &w, const Branch &b) {
  w.number((b.isSwitch ? 1u : 0u) | (b.misses != noIndex ? 2u : 0u) | (b.limit != 0 ? 4u : 0u) |
           (b.belowOnTrue ? 8u : 0u) | (b.senseKnown ? 0u : 16u) | (b.ofIndex ? 32u : 0u));
  if (b.misses != noIndex)
    w.index(b.misses);
  if (b.limit != 0)
    w.number(b.limit);
  w.index(b.block);
  writeIndices(w, b.arms);
  w.at(b.at);
  w.index(b.recorder);
  w.index(b.leaves);
  w.number(b.leavesOnTrue ? 1 : 0);
}

void writeLoop(Writer &w, const Loop &l) {
  w.index(l.header);
  w.index(l.parent);
  writeIndices(w, l.entryEdges);
  writeIndices(w, l.backEdges);
  w.text(l.trips);
  w.number(l.derivedTrips ? 1 : 0);
  w.at(l.at);
  w.index(l.recorder);
  writeIndices(w, l.exits);
}

void writeCall(Writer &w, const Call &c) {
  w.index(c.block);
  w.text(c.callee);
  w.number((c.mayNotReturn ? 1u : 0u) | (c.starts.empty() ? 0u : 2u) |
           (c.misses != noIndex ? 4u : 0u) | (c.written.empty() ? 0u : 8u) |
           (c.bytes != ByteSource::none ? 16u : 0u));
  if (!c.starts.empty())
    w.text(c.starts);
  if (c.callee.empty())
    w.text(c.type);
  if (c.misses != noIndex)
    w.index(c.misses);
  if (!c.written.empty())
    w.text(c.written);
  if (c.bytes != ByteSource::none) {
    w.number(static_cast<uint64_t>(c.bytes));
    w.index(c.byteCounter);
    if (c.byteCounter == noIndex)
      w.number(c.constantBytes);
  }
  w.at(c.at);
}

void writeAssembly(Writer &w, const Assembly &a) {
  w.index(a.block);
  w.number((a.estimated ? 1u : 0u) | (a.repeats ? 2u : 0u));
  w.at(a.at);
}

void writeBudget(Writer &w, const FunctionBudget &b) {
  w.number(b.scope);
  w.text(b.text);
  w.index(b.file);
  w.number(b.line);
}

void writeSource(Writer &w, const SourceBlock &s) {
  w.number(s.known ? 1 : 0);
  w.list(s.terms, [&](const SourceBlock::Term &t) {
    w.number(uint64_t{t.index} << 2 | (t.isEdge ? 1u : 0u) | (t.minus ? 2u : 0u));
  });
  w.list(s.lines, [&](const Location &l) {
    w.number(l.line);
    w.number(l.scope);
  });
}

} // namespace

std::string encode(const Function &f, const SourceBlocks &sources) {
  Writer w;
  w.text(f.name);
  w.text(f.type);
  w.list(f.aliases, [&](const std::string &name) { w.text(name); });
  w.number((f.exact ? 1u : 0u) | (f.guarded ? 2u : 0u));
  w.number(f.counterCount);
  w.number(f.recorderWords);
  w.index(f.callRecorder);
  w.list(f.clock, [&](const ClassCount &c) { writeClass(w, c); });
  w.list(f.files, [&](const SourceFile &s) {
    w.text(s.path);
    w.bytes(s.md5);
  });
  w.list(f.scopes, [&](const Scope &s) { writeScope(w, s); });
  w.list(f.blocks, [&](const Block &b) { writeBlock(w, b); });
  w.list(f.edges, [&](const Edge &e) { writeEdge(w, e); });
  w.list(f.branches, [&](const Branch &b) { writeBranch(w, b); });
  w.list(f.loops, [&](const Loop &l) { writeLoop(w, l); });
  w.list(f.calls, [&](const Call &c) { writeCall(w, c); });
  w.list(f.assemblies, [&](const Assembly &a) { writeAssembly(w, a); });
  w.list(sources, [&](const SourceBlock &s) { writeSource(w, s); });
  w.list(f.budgets, [&](const FunctionBudget &b) { writeBudget(w, b); });
  return w.finish();
}

} // namespace quincunx
