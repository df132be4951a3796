// Reads function records. It trusts nothing: every count is checked against what is left, every
// index against what it points into. Format: docs/11-formats.md, the order of Encode.cpp. The
// header around the body and the section are read in Image.cpp.
#include "quincunx/map/Decode.h"

#include "quincunx/abi.h"
#include "quincunx/map/Encode.h"

#include <algorithm>

namespace quincunx {

namespace {

constexpr uint64_t oldestFormat = 4;
/// No name of a program is longer.
constexpr size_t longestName = size_t{1} << 20;

/// Reads numbers until something is wrong; after that everything reads as zero and `bad` says why.
class MapReader {
public:
  MapReader(std::span<const uint8_t> bytes, NameBudget &mostNames)
      : names(mostNames), rest(bytes) {}
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
    if (v >= noIndex)
      return fail("holds a number that is too large"), 0;
    return static_cast<uint32_t>(v);
  }
  /// An index below `limit`, or `noIndex` where that is allowed.
  uint32_t index(size_t limit, bool mayBeNone) {
    const uint64_t v = number();
    if (v == 0 && mayBeNone)
      return noIndex;
    if (v == 0 || v > limit)
      return fail("holds an index that points nowhere"), 0;
    return static_cast<uint32_t>(v - 1);
  }
  const std::string &text() {
    static const std::string empty;
    const uint64_t i = number();
    if (i >= strings.size())
      return fail("names a string that is not there"), empty;
    if (!names.take(strings[i].size()))
      return fail("uses long names too often"), empty;
    return strings[i];
  }
  /// Number of items to follow, each of at least `least` bytes: never more than what is left has.
  size_t size(size_t least = 1) {
    const uint64_t n = number();
    if (n > rest.size() / least)
      return fail("ends early"), 0;
    return static_cast<size_t>(n);
  }
  template <class Item, class Get> std::vector<Item> list(size_t least, Get get) {
    const size_t n = size(least);
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
    strings = list<std::string>(1, [&] {
      const size_t bytes = size();
      if (bytes > longestName)
        fail("holds a name of more than 1 MB");
      std::string s(bad.empty() ? bytes : 0, '\0');
      raw({reinterpret_cast<uint8_t *>(s.data()), s.size()});
      return s;
    });
  }
  bool atEnd() const { return rest.empty(); }
  /// A number, and behind it a discriminator where there is one; format 12 has them.
  uint32_t discriminated(uint32_t &discriminator) {
    if (version < 12)
      return small();
    const uint64_t v = number();
    if (v >> 1 >= noIndex)
      return fail("holds a number that is too large"), 0;
    discriminator = (v & 1) != 0 ? small() : 0;
    return static_cast<uint32_t>(v >> 1);
  }
  uint64_t version = 0; ///< of the format, once it is read

private:
  NameBudget &names;
  std::span<const uint8_t> rest;
  std::vector<std::string> strings;
};

Location readAt(MapReader &r, const Function &f) {
  Location l;
  l.line = r.small();
  l.column = r.small();
  l.scope = r.discriminated(l.discriminator);
  if (l.scope >= f.scopes.size())
    r.fail("holds a place outside its scopes");
  return l;
}

std::vector<ClassCount> readClasses(MapReader &r) {
  return r.list<ClassCount>(2, [&] {
    const uint64_t kind = r.number();
    if (kind >= classCount)
      r.fail("names an instruction class that is not known");
    return ClassCount{static_cast<InstructionClass>(kind % classCount), r.small()};
  });
}

Block readBlock(MapReader &r, const Function &f) {
  Block b;
  const uint64_t flags = r.number();
  b.mayNotReturn = (flags & 1) != 0;
  b.returnsTwice = (flags & 2) != 0;
  b.counter = r.index(f.counterCount, true);
  if ((flags & 4) != 0) {
    if (r.version < 7)
      r.fail("counts what memory met as an older quincunx did; build the program and record again");
    b.memory = r.index(f.counterCount, false);
    if (f.counterCount - b.memory < memoryCounters)
      r.fail("holds a block without all counters for its memory");
  }
  b.mix = readClasses(r);
  b.lines = r.list<Location>(3, [&] { return readAt(r, f); });
  if ((flags & 8) != 0)
    b.again = r.list<Location>(3, [&] { return readAt(r, f); });
  return b;
}

Edge readEdge(MapReader &r, const Function &f) {
  Edge e;
  const uint64_t kind = r.number();
  if (kind > static_cast<uint64_t>(EdgeKind::reentry))
    r.fail("names an edge kind that is not known");
  e.kind = static_cast<EdgeKind>(kind % 7);
  const bool arrives = e.kind == EdgeKind::entry || e.kind == EdgeKind::reentry;
  e.from = r.index(f.blocks.size(), arrives);
  e.to = r.index(f.blocks.size(), !arrives && e.kind != EdgeKind::flow);
  e.counter = r.index(f.counterCount, true);
  if (r.version >= 5) {
    const uint64_t missing = r.number();
    if (missing > 65536)
      r.fail("holds a share above one");
    else if (missing != 65536)
      e.guess = static_cast<uint32_t>(65535 - missing);
  }
  if ((e.from == noIndex) != arrives || (e.to == noIndex) != (!arrives && e.kind != EdgeKind::flow))
    r.fail("holds an edge without ends");
  return e;
}

Scope readScope(MapReader &r, const Function &f, uint32_t number) {
  Scope s;
  s.parent = r.index(number, true);
  if ((s.parent == noIndex) != (number == 0))
    r.fail("holds an inline stack without a root");
  s.function = r.text();
  s.file = r.index(f.files.size(), true);
  s.line = r.small();
  s.callLine = r.small();
  s.callColumn = r.discriminated(s.callDiscriminator);
  return s;
}

std::vector<uint32_t> readEdges(MapReader &r, const Function &f) {
  return r.list<uint32_t>(1, [&] { return r.index(f.edges.size(), false); });
}

Branch readBranch(MapReader &r, const Function &f) {
  Branch b;
  const uint64_t flags = r.number();
  b.isSwitch = (flags & 1) != 0;
  b.senseKnown = b.isSwitch || (r.version >= 8 && (flags & 16) == 0);
  if ((flags & 2) != 0)
    b.misses = r.index(f.counterCount, false);
  if ((flags & 4) != 0)
    b.limit = r.number();
  b.belowOnTrue = (flags & 8) != 0;
  b.ofIndex = (flags & 32) != 0;
  b.block = r.index(f.blocks.size(), false);
  b.arms = readEdges(r, f);
  b.at = readAt(r, f);
  b.recorder = r.index(f.recorderWords, true);
  b.leaves = r.index(noIndex - 1, true);
  b.leavesOnTrue = r.number() != 0;
  if (!b.isSwitch && b.arms.size() != 2)
    r.fail("holds a branch without two arms");
  return b;
}

Loop readLoop(MapReader &r, const Function &f, uint32_t number) {
  Loop l;
  l.header = r.index(f.blocks.size(), false);
  l.parent = r.index(number, true);
  l.entryEdges = readEdges(r, f);
  l.backEdges = readEdges(r, f);
  l.trips = r.text();
  l.derivedTrips = r.number() != 0;
  l.at = readAt(r, f);
  l.recorder = r.index(f.recorderWords, true);
  l.exits = r.list<uint32_t>(1, [&] { return r.index(f.blocks.size(), true); });
  return l;
}

void readBytes(MapReader &r, const Function &f, Call &c) {
  const uint64_t kind = r.number();
  if (kind == 0 || kind > static_cast<uint64_t>(ByteSource::limit))
    r.fail("says of bytes what is not known");
  c.bytes = static_cast<ByteSource>(kind % 4);
  c.byteCounter = r.index(f.counterCount, true);
  if (c.byteCounter == noIndex)
    c.constantBytes = r.number();
}

const std::string &readType(MapReader &r) {
  const std::string &type = r.text();
  if (type.starts_with('{') && type.find('}') == type.npos)
    r.fail("holds a type without an end");
  return type;
}

Call readCall(MapReader &r, const Function &f) {
  Call c;
  c.block = r.index(f.blocks.size(), false);
  c.callee = r.text();
  const uint64_t flags = r.number();
  c.mayNotReturn = (flags & 1) != 0;
  if ((flags & 2) != 0)
    c.starts = r.text();
  if (r.version >= 13 && c.callee.empty())
    c.type = readType(r);
  if ((flags & 4) != 0)
    c.misses = r.index(f.counterCount, false);
  if ((flags & 8) != 0)
    c.written = r.text();
  if ((flags & 16) != 0)
    readBytes(r, f, c);
  c.at = readAt(r, f);
  return c;
}

Assembly readAssembly(MapReader &r, const Function &f) {
  Assembly a;
  a.block = r.index(f.blocks.size(), false);
  const uint64_t flags = r.number();
  a.estimated = (flags & 1) != 0;
  a.repeats = (flags & 2) != 0;
  a.at = readAt(r, f);
  return a;
}

FunctionBudget readBudget(MapReader &r, const Function &f) {
  FunctionBudget b;
  b.scope = r.small();
  if (b.scope >= f.scopes.size())
    r.fail("holds a budget of no function");
  b.text = r.text();
  b.file = r.index(f.files.size(), true);
  b.line = r.small();
  return b;
}

SourceBlock readSource(MapReader &r, const Function &f) {
  SourceBlock s;
  s.known = r.number() != 0;
  s.terms = r.list<SourceBlock::Term>(1, [&] {
    const uint64_t v = r.number();
    SourceBlock::Term t{static_cast<uint32_t>(v >> 2), (v & 1) != 0, (v & 2) != 0};
    if (v >> 2 >= (t.isEdge ? f.edges.size() : f.blocks.size()))
      r.fail("holds an index that points nowhere"), t.index = 0;
    return t;
  });
  s.lines = r.list<Location>(2, [&] {
    Location l;
    l.line = r.small();
    l.scope = r.small();
    if (l.scope >= f.scopes.size())
      r.fail("holds a place outside its scopes");
    return l;
  });
  return s;
}

/// What a function has before its flow: name, counters, recorders, and the source it comes from.
void readHead(MapReader &r, Function &f) {
  f.name = r.text();
  if (r.version >= 13) {
    f.type = readType(r);
    f.aliases = r.list<std::string>(1, [&] { return r.text(); });
  }
  const uint64_t flags = r.number();
  f.exact = (flags & 1) != 0;
  f.guarded = (flags & 2) != 0;
  f.counterCount = r.small();
  f.recorderWords = r.small();
  f.callRecorder = r.index(f.recorderWords, true);
  f.clock = readClasses(r);
  if (f.callRecorder != noIndex && f.recorderWords - f.callRecorder < QX_CALL_WORDS)
    r.fail("has no room for the calls it records");
  f.files = r.list<SourceFile>(17, [&] {
    SourceFile s;
    s.path = r.text();
    r.raw(s.md5);
    return s;
  });
  uint32_t scopes = 0;
  f.scopes = r.list<Scope>(6, [&] { return readScope(r, f, scopes++); });
}

void readFlow(MapReader &r, Function &f) {
  f.blocks = r.list<Block>(4, [&] { return readBlock(r, f); });
  f.edges = r.list<Edge>(4, [&] { return readEdge(r, f); });
  f.branches = r.list<Branch>(9, [&] { return readBranch(r, f); });
  uint32_t loops = 0;
  f.loops = r.list<Loop>(11, [&] { return readLoop(r, f, loops++); });
  f.calls = r.list<Call>(6, [&] { return readCall(r, f); });
  if (r.version >= 9)
    f.assemblies = r.list<Assembly>(5, [&] { return readAssembly(r, f); });
}

/// Who takes memory for all counters and words takes no more than a multiple of the record: what
/// has some takes bytes there, and has few of them, and every word belongs to something.
void checkSizes(MapReader &r, const Function &f) {
  constexpr uint64_t mostOfEach = 8; // counters, of what memory and branches met
  const uint64_t counters = f.edges.size() + mostOfEach * (f.blocks.size() + f.branches.size() +
                                                           f.calls.size() + f.loops.size());
  uint64_t words = f.callRecorder == noIndex ? 0 : QX_CALL_WORDS + 1;
  for (const Branch &b : f.branches)
    words += b.recorder != noIndex ? QX_RUN_WORDS : 0;
  for (const Loop &l : f.loops)
    words += uint64_t{QX_BINS} * l.exits.size();
  if (f.counterCount > counters || f.recorderWords > words)
    r.fail("claims counters that nothing in it has");
}

/// Calls enter it in one way, at the first block.
void checkEntry(MapReader &r, const Function &f) {
  size_t entries = 0;
  bool areFirst = true;
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::entry) {
      ++entries;
      areFirst = areFirst && e.to == 0;
    }
  if (entries != 1 || !areFirst)
    r.fail("does not begin with its first block");
}

/// Every recorder has its words, and a branch that has none of its own those of its loop.
void checkRecorders(MapReader &r, const Function &f) {
  const auto check = [&](uint32_t first, uint64_t words) {
    if (first != noIndex && words > f.recorderWords - first)
      r.fail("holds a recorder without its words");
  };
  for (const Loop &l : f.loops) {
    check(l.recorder, uint64_t{QX_BINS} * l.exits.size());
    if ((l.recorder == noIndex) != l.exits.empty())
      r.fail("holds trips without exits");
  }
  for (const Branch &b : f.branches) {
    check(b.recorder, QX_RUN_WORDS);
    if (b.leaves == noIndex)
      continue;
    if (b.leaves >= f.loops.size() || b.isSwitch || b.recorder != noIndex)
      return r.fail("holds a branch that leaves no loop");
    const std::vector<uint32_t> &exits = f.loops[b.leaves].exits;
    if (std::find(exits.begin(), exits.end(), b.block) == exits.end())
      r.fail("holds a branch that leaves no loop");
  }
}

struct Decoded {
  Function function;
  SourceBlocks sources;
};

Result<Decoded> decodeAll(std::span<const uint8_t> body, NameBudget &names) {
  MapReader r(body, names);
  r.version = r.number();
  if (r.version > recordFormat || r.version < oldestFormat)
    return Error{"function record has format " + std::to_string(r.version) +
                 ", this quincunx reads format " + std::to_string(recordFormat) +
                 "; use the version that built the program"};
  r.stringTable();
  Decoded out;
  Function &f = out.function;
  readHead(r, f);
  f.followsJumps = r.version >= 9;
  readFlow(r, f);
  if (r.version >= 9)
    out.sources = r.list<SourceBlock>(3, [&] { return readSource(r, f); });
  if (r.version >= 11)
    f.budgets = r.list<FunctionBudget>(4, [&] { return readBudget(r, f); });
  checkRecorders(r, f);
  checkSizes(r, f);
  checkEntry(r, f);
  if (r.bad.empty() && (f.scopes.empty() || f.blocks.empty() || !r.atEnd()))
    r.fail("does not hold one whole function");
  if (!r.bad.empty())
    return Error{"function record " + r.bad};
  return out;
}

} // namespace

Result<Function> decode(std::span<const uint8_t> body) {
  NameBudget names(body.size());
  return decode(body, names);
}

Result<Function> decode(std::span<const uint8_t> body, NameBudget &names) {
  Result<Decoded> all = decodeAll(body, names);
  if (!all)
    return all.error();
  return std::move(all->function);
}

Result<SourceBlocks> decodeSources(std::span<const uint8_t> body) {
  NameBudget names(body.size());
  Result<Decoded> all = decodeAll(body, names);
  if (!all)
    return all.error();
  return std::move(all->sources);
}

} // namespace quincunx
