// Small maps and runs made by hand, for tests of the estimate and report rooms.
#pragma once

#include "quincunx/abi.h"
#include "quincunx/map/Encode.h"
#include "quincunx/map/Image.h"
#include "quincunx/profile/Run.h"

#include <cstddef>
#include <cstring>

namespace quincunx::test {

/// for (i = 0; i < n; ++i) if (c) A; else B;  with a counter on each of: entry, A's way back, B's
/// way back. Blocks: 0 entry, 1 header, 2 A, 3 B, 4 exit. Flow fixes the rest: header = entry + a +
/// b.
inline Function loopWithBranch(const std::string &name, uint32_t firstCounter = 0) {
  Function f;
  f.name = name;
  f.firstCounter = firstCounter;
  f.counterCount = 3;
  f.files = {{"/src/dir/prog.c", {}}};
  f.scopes = {{noIndex, name, 0, 3, 0, 0}};
  f.blocks.resize(5);
  f.blocks[0] = {{{InstructionClass::add, 2}}, {{3, 1, 0}}};
  f.blocks[1] = {{{InstructionClass::construct, 2},
                  {InstructionClass::load, 1},
                  {InstructionClass::branch, 1}},
                 {{4, 1, 0}}};
  f.blocks[2] = {{{InstructionClass::multiply, 3}}, {{5, 1, 0}, {6, 1, 0}}};
  f.blocks[3] = {{{InstructionClass::store, 1}, {InstructionClass::add, 1}}, {{7, 1, 0}}};
  f.blocks[4] = {{{InstructionClass::jump, 1}}, {{9, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},  {1, 3, EdgeKind::flow, noIndex},
             {1, 4, EdgeKind::flow, noIndex},  {2, 1, EdgeKind::flow, 1},
             {3, 1, EdgeKind::flow, 2},        {4, noIndex, EdgeKind::leave, noIndex}};
  return f;
}

/// One block that calls something which may never return; entry and leave are both counted.
inline Function guardedCall(const std::string &name, uint32_t firstCounter) {
  Function f;
  f.name = name;
  f.firstCounter = firstCounter;
  f.counterCount = 2;
  f.guarded = true;
  f.files = {{"/src/dir/prog.c", {}}};
  f.scopes = {{noIndex, name, 0, 20, 0, 0}};
  f.blocks.resize(2);
  f.blocks[0] = {
      {{InstructionClass::call, 1}, {InstructionClass::construct, 1}}, {{21, 1, 0}}, {}, true};
  f.blocks[1] = {{{InstructionClass::add, 10}}, {{22, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, noIndex, EdgeKind::leave, 1}};
  return f;
}

inline Map mapOf(std::vector<Function> functions, uint64_t hash = 1,
                 const std::string &path = "/bin/prog") {
  Map m;
  m.hash = {hash, hash};
  m.path = path;
  m.functions = std::move(functions);
  for (Function &f : m.functions) {
    f.firstCounter = m.counterCount;
    m.counterCount += f.counterCount;
  }
  m.wordCount = m.counterCount;
  for (Function &f : m.functions) {
    f.firstRecorder = m.wordCount;
    m.wordCount += f.recorderWords;
  }
  return m;
}

/// The section that an image with these functions would have.
inline RawMap rawOf(const std::vector<Function> &functions) {
  RawMap raw;
  raw.countersMinusMap = 1 << 26; // well behind the largest map of a test
  for (const Function &f : functions) {
    const std::string body = encode(f);
    qx_function_header h{};
    const size_t at = raw.bytes.size(), size = (sizeof h + body.size() + 7) / 8 * 8;
    h.magic = QX_FUNCTION_MAGIC;
    h.size = static_cast<uint32_t>(size);
    h.body_size = static_cast<uint32_t>(body.size());
    h.counter_count = f.counterCount;
    h.recorder_words = f.recorderWords;
    qx_hash(body.data(), body.size(), h.body_hash);
    h.counters = raw.countersMinusMap + static_cast<int64_t>(f.firstCounter) * 8 -
                 static_cast<int64_t>(at + offsetof(qx_function_header, counters));
    raw.bytes.resize(at + size);
    std::memcpy(raw.bytes.data() + at, &h, sizeof h);
    std::memcpy(raw.bytes.data() + at + sizeof h, body.data(), body.size());
    raw.counterCount += f.counterCount;
  }
  return raw;
}

inline Run runOf(const std::string &name, const Map &map, const std::vector<uint64_t> &counters,
                 Outcome outcome = Outcome::finished) {
  Run run;
  run.identity = name;
  run.label = name;
  run.outcome = outcome;
  run.processes = 1;
  ImageCounts image;
  image.map = map.hash;
  image.path = map.path;
  image.counterCount = map.wordCount;
  for (uint32_t i = 0; i < counters.size(); ++i)
    if (counters[i] != 0) {
      image.counts.index.push_back(i);
      image.counts.value.push_back(counters[i]);
    }
  run.images.push_back(image);
  return run;
}

} // namespace quincunx::test
