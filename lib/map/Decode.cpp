// Bytes of a function record, both ways. The body is a table of strings followed by LEB128 numbers
// in the order of the fields of Function; indices that may be `none` are stored plus one. Reading
// trusts nothing: every count is checked against what is left, every index against what it points
// into. Format: docs/11-formats.md. The header around the body and the section are decoded in
// Image.cpp.
#include "quincunx/map/Map.h"

#include "quincunx/abi.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace quincunx {

namespace {

/// Format 4 had no guesses at edges and no Call::starts, format 5 nothing of record=predictor: what
/// is not recorded takes no bytes. Format 6 had no Memory::memoryAccess, and so other counters.
constexpr uint64_t formatVersion = 7, oldestVersion = 4;

constexpr std::array<const char *, classCount> classNames = {
    "construct", "add",    "multiply", "divide", "fadd", "fmultiply", "fdivide", "convert", "load",
    "store",     "atomic", "branch",   "jump",   "call", "vector",    "memory",  "other"};

class Writer {
public:
  void number(uint64_t v) {
    while (v >= 0x80) {
      body.push_back(static_cast<char>(v | 0x80));
      v >>= 7;
    }
    body.push_back(static_cast<char>(v));
  }
  void index(uint32_t v) { number(v == none ? 0 : uint64_t{v} + 1); }
  void text(const std::string &s) {
    auto [it, fresh] = strings.try_emplace(s, table.size());
    if (fresh)
      table.push_back(s);
    number(it->second);
  }
  void bytes(std::span<const uint8_t> b) { body.append(b.begin(), b.end()); }
  void at(const Location &l) {
    number(l.line);
    number(l.column);
    number(l.scope);
  }
  template <class List, class Put> void list(const List &items, Put put) {
    number(items.size());
    for (const auto &item : items)
      put(item);
  }
  std::string finish() const {
    Writer head;
    head.number(formatVersion);
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
  w.number((b.mayCut ? 1u : 0u) | (b.returnsTwice ? 2u : 0u) | (b.memory != none ? 4u : 0u));
  w.index(b.counter);
  if (b.memory != none)
    w.index(b.memory);
  w.list(b.mix, [&](const ClassCount &c) { writeClass(w, c); });
  w.list(b.lines, [&](const Location &l) { w.at(l); });
}

/// Reads numbers until something is wrong; after that everything reads as zero and `bad` says why.
class Reader {
public:
  explicit Reader(std::span<const uint8_t> bytes) : rest(bytes) {}
  std::string bad;

  void fail(const char *why) {
    if (bad.empty())
      bad = why;
    rest = {};
  }
  uint64_t number() {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest.empty())
        return fail("ends early"), 0;
      const uint8_t byte = rest.front();
      rest = rest.subspan(1);
      v |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return v;
    }
    return fail("holds a number that is too long"), 0;
  }
  uint32_t small() {
    const uint64_t v = number();
    if (v >= none)
      return fail("holds a number that is too large"), 0;
    return static_cast<uint32_t>(v);
  }
  /// An index below `limit`, or `none` where that is allowed.
  uint32_t index(size_t limit, bool mayBeNone) {
    const uint64_t v = number();
    if (v == 0 && mayBeNone)
      return none;
    if (v == 0 || v > limit)
      return fail("holds an index that points nowhere"), 0;
    return static_cast<uint32_t>(v - 1);
  }
  const std::string &text() {
    static const std::string empty;
    const uint64_t i = number();
    if (i >= strings.size())
      return fail("names a string that is not there"), empty;
    return strings[i];
  }
  /// Number of items to follow, each of at least one byte: never more than what is left.
  size_t size() {
    const uint64_t n = number();
    if (n > rest.size())
      return fail("ends early"), 0;
    return static_cast<size_t>(n);
  }
  template <class Item, class Get> std::vector<Item> list(Get get) {
    const size_t n = size();
    std::vector<Item> items;
    items.reserve(n);
    for (size_t i = 0; i < n && bad.empty(); ++i)
      items.push_back(get());
    return items;
  }
  void raw(std::span<uint8_t> out) {
    if (rest.size() < out.size())
      return fail("ends early");
    std::copy_n(rest.begin(), out.size(), out.begin());
    rest = rest.subspan(out.size());
  }
  void stringTable() {
    strings = list<std::string>([&] {
      std::string s(size(), '\0');
      raw({reinterpret_cast<uint8_t *>(s.data()), s.size()});
      return s;
    });
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::span<const uint8_t> rest;
  std::vector<std::string> strings;
};

Location readAt(Reader &r, const Function &f) {
  Location l;
  l.line = r.small();
  l.column = r.small();
  l.scope = r.small();
  if (l.scope >= f.scopes.size())
    r.fail("holds a place outside its scopes");
  return l;
}

std::vector<ClassCount> readClasses(Reader &r) {
  return r.list<ClassCount>([&] {
    const uint64_t kind = r.number();
    if (kind >= classCount)
      r.fail("names an instruction class that is not known");
    return ClassCount{static_cast<Class>(kind % classCount), r.small()};
  });
}

Block readBlock(Reader &r, const Function &f, uint64_t version) {
  Block b;
  const uint64_t flags = r.number();
  b.mayCut = (flags & 1) != 0;
  b.returnsTwice = (flags & 2) != 0;
  b.counter = r.index(f.counterCount, true);
  if ((flags & 4) != 0) {
    if (version < 7)
      r.fail("counts what memory met as an older quincunx did; build the program and record again");
    b.memory = r.index(f.counterCount, false);
    if (f.counterCount - b.memory < memoryCounters)
      r.fail("holds a block without all counters for its memory");
  }
  b.mix = readClasses(r);
  b.lines = r.list<Location>([&] { return readAt(r, f); });
  return b;
}

Edge readEdge(Reader &r, const Function &f, uint64_t version) {
  Edge e;
  const uint64_t kind = r.number();
  if (kind > static_cast<uint64_t>(EdgeKind::again))
    r.fail("names an edge kind that is not known");
  e.kind = static_cast<EdgeKind>(kind % 7);
  const bool arrives = e.kind == EdgeKind::entry || e.kind == EdgeKind::again;
  e.from = r.index(f.blocks.size(), arrives);
  e.to = r.index(f.blocks.size(), !arrives && e.kind != EdgeKind::flow);
  e.counter = r.index(f.counterCount, true);
  if (version >= 5) {
    const uint64_t missing = r.number();
    if (missing > 65536)
      r.fail("holds a share above one");
    else if (missing != 65536)
      e.guess = static_cast<uint32_t>(65535 - missing);
  }
  if ((e.from == none) != arrives || (e.to == none) != (!arrives && e.kind != EdgeKind::flow))
    r.fail("holds an edge without ends");
  return e;
}

void readShape(Reader &r, Function &f) {
  auto edges = [&] { return r.list<uint32_t>([&] { return r.index(f.edges.size(), false); }); };
  f.branches = r.list<Branch>([&] {
    Branch b;
    const uint64_t flags = r.number();
    b.isSwitch = (flags & 1) != 0;
    if ((flags & 2) != 0)
      b.misses = r.index(f.counterCount, false);
    b.block = r.index(f.blocks.size(), false);
    b.arms = edges();
    b.at = readAt(r, f);
    b.recorder = r.index(f.recorderWords, true);
    b.leaves = r.index(none - 1, true);
    b.leavesOnTrue = r.number() != 0;
    if (!b.isSwitch && b.arms.size() != 2)
      r.fail("holds a branch without two arms");
    return b;
  });
  uint32_t loopsSoFar = 0;
  f.loops = r.list<Loop>([&] {
    Loop l;
    l.header = r.index(f.blocks.size(), false);
    l.parent = r.index(loopsSoFar++, true);
    l.entryEdges = edges();
    l.backEdges = edges();
    l.trips = r.text();
    l.derivedTrips = r.number() != 0;
    l.at = readAt(r, f);
    l.recorder = r.index(f.recorderWords, true);
    l.exits = r.list<uint32_t>([&] { return r.index(f.blocks.size(), true); });
    return l;
  });
  f.calls = r.list<Call>([&] {
    Call c;
    c.block = r.index(f.blocks.size(), false);
    c.callee = r.text();
    const uint64_t flags = r.number();
    c.mayCut = (flags & 1) != 0;
    if ((flags & 2) != 0)
      c.starts = r.text();
    if ((flags & 4) != 0)
      c.misses = r.index(f.counterCount, false);
    c.at = readAt(r, f);
    return c;
  });
}

/// Every recorder has its words, and a branch that has none of its own those of its loop.
void checkRecorders(Reader &r, const Function &f) {
  const auto check = [&](uint32_t first, uint64_t words) {
    if (first != none && words > f.recorderWords - first)
      r.fail("holds a recorder without its words");
  };
  for (const Loop &l : f.loops) {
    check(l.recorder, uint64_t{QX_BINS} * l.exits.size());
    if ((l.recorder == none) != l.exits.empty())
      r.fail("holds trips without exits");
  }
  for (const Branch &b : f.branches) {
    check(b.recorder, QX_RUN_WORDS);
    if (b.leaves == none)
      continue;
    if (b.leaves >= f.loops.size() || b.isSwitch || b.recorder != none)
      return r.fail("holds a branch that leaves no loop");
    const std::vector<uint32_t> &exits = f.loops[b.leaves].exits;
    if (std::find(exits.begin(), exits.end(), b.block) == exits.end())
      r.fail("holds a branch that leaves no loop");
  }
}

} // namespace

// machines/x86-64.machine; the unit test compares them.
const std::array<uint32_t, classCount> clockWeights = {0, 1, 2, 4, 2, 2, 38, 3, 1,
                                                       1, 1, 0, 0, 1, 2, 4,  1};

const char *className(Class c) { return classNames[static_cast<size_t>(c)]; }

uint32_t classByName(std::string_view name) {
  for (uint32_t i = 0; i < classCount; ++i)
    if (name == classNames[i])
      return i;
  return none;
}

std::string encode(const Function &f) {
  Writer w;
  w.text(f.name);
  w.number((f.exact ? 1u : 0u) | (f.guarded ? 2u : 0u));
  w.number(f.counterCount);
  w.number(f.recorderWords);
  w.index(f.callRecorder);
  w.list(f.clock, [&](const ClassCount &c) { writeClass(w, c); });
  w.list(f.files, [&](const SourceFile &s) {
    w.text(s.path);
    w.bytes(s.md5);
  });
  w.list(f.scopes, [&](const Scope &s) {
    w.index(s.parent);
    w.text(s.function);
    w.index(s.file);
    w.number(s.line);
    w.number(s.callLine);
    w.number(s.callColumn);
  });
  w.list(f.blocks, [&](const Block &b) { writeBlock(w, b); });
  w.list(f.edges, [&](const Edge &e) {
    w.number(static_cast<uint64_t>(e.kind));
    w.index(e.from);
    w.index(e.to);
    w.index(e.counter);
    // Most edges are certain: they take one byte.
    w.number(e.guess == none ? 65536 : 65535 - e.guess);
  });
  auto edges = [&](const std::vector<uint32_t> &list) {
    w.list(list, [&](uint32_t e) { w.index(e); });
  };
  w.list(f.branches, [&](const Branch &b) {
    w.number((b.isSwitch ? 1u : 0u) | (b.misses != none ? 2u : 0u));
    if (b.misses != none)
      w.index(b.misses);
    w.index(b.block);
    edges(b.arms);
    w.at(b.at);
    w.index(b.recorder);
    w.index(b.leaves);
    w.number(b.leavesOnTrue ? 1 : 0);
  });
  w.list(f.loops, [&](const Loop &l) {
    w.index(l.header);
    w.index(l.parent);
    edges(l.entryEdges);
    edges(l.backEdges);
    w.text(l.trips);
    w.number(l.derivedTrips ? 1 : 0);
    w.at(l.at);
    w.index(l.recorder);
    edges(l.exits);
  });
  w.list(f.calls, [&](const Call &c) {
    w.index(c.block);
    w.text(c.callee);
    w.number((c.mayCut ? 1u : 0u) | (c.starts.empty() ? 0u : 2u) | (c.misses != none ? 4u : 0u));
    if (!c.starts.empty())
      w.text(c.starts);
    if (c.misses != none)
      w.index(c.misses);
    w.at(c.at);
  });
  return w.finish();
}

Result<Function> decode(std::span<const uint8_t> body) {
  Reader r(body);
  const uint64_t version = r.number();
  if (version > formatVersion || version < oldestVersion)
    return Error{"function record has format " + std::to_string(version) +
                 ", this quincunx reads format " + std::to_string(formatVersion) +
                 "; use the version that built the program"};
  r.stringTable();
  Function f;
  f.name = r.text();
  const uint64_t flags = r.number();
  f.exact = (flags & 1) != 0;
  f.guarded = (flags & 2) != 0;
  f.counterCount = r.small();
  f.recorderWords = r.small();
  f.callRecorder = r.index(f.recorderWords, true);
  f.clock = readClasses(r);
  if (f.callRecorder != none && f.recorderWords - f.callRecorder < QX_CALL_WORDS)
    r.fail("has no room for the calls it records");
  f.files = r.list<SourceFile>([&] {
    SourceFile s;
    s.path = r.text();
    r.raw(s.md5);
    return s;
  });
  uint32_t scopesSoFar = 0;
  f.scopes = r.list<Scope>([&] {
    Scope s;
    s.parent = r.index(scopesSoFar, true);
    if ((s.parent == none) != (scopesSoFar == 0))
      r.fail("holds an inline stack without a root");
    ++scopesSoFar;
    s.function = r.text();
    s.file = r.index(f.files.size(), true);
    s.line = r.small();
    s.callLine = r.small();
    s.callColumn = r.small();
    return s;
  });
  f.blocks = r.list<Block>([&] { return readBlock(r, f, version); });
  f.edges = r.list<Edge>([&] { return readEdge(r, f, version); });
  readShape(r, f);
  checkRecorders(r, f);
  if (r.bad.empty() && (f.scopes.empty() || f.blocks.empty() || !r.atEnd()))
    r.fail("does not hold one whole function");
  if (!r.bad.empty())
    return Error{"function record " + r.bad};
  return f;
}

} // namespace quincunx
