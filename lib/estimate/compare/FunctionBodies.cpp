// Code as a number.
// The idea: blocks in their order, each with its mix of instructions, what it calls by kind, and
// where its edges lead, hashed by FNV-1a (Fowler, Noll and Vo). Numbers of blocks are those within
// the row, so that code of another function that is inlined beside it moves nothing. A row of
// functions that were compiled is their code alone; one that is only inlined is what of it is in
// others, each different piece once. Names of callees are left out: a renamed function changes
// nothing in those that call it.
#include "FunctionBodies.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace quincunx {

namespace {

class Fingerprint {
public:
  void add(uint64_t x) {
    for (int byte = 0; byte < 8; ++byte, x >>= 8)
      addByte(static_cast<uint8_t>(x));
  }
  void add(std::string_view text) {
    for (const char c : text)
      addByte(static_cast<uint8_t>(c));
    add(text.size());
  }
  uint64_t value() const { return state; }

private:
  void addByte(uint8_t byte) { state = (state ^ byte) * 0x100000001b3; }
  uint64_t state = 0xcbf29ce484222325;
};

/// Per row, the blocks of a function that have lines of it; blocks without lines are the
/// function's.
std::map<size_t, std::vector<uint32_t>> blocksByRow(const FunctionRows &rows, const Function &code,
                                                    size_t f) {
  std::map<size_t, std::vector<uint32_t>> blocks;
  for (uint32_t b = 0; b < code.blocks.size(); ++b) {
    std::set<size_t> of;
    for (const Location &line : code.blocks[b].lines)
      of.insert(rows.of(f, line.scope));
    if (of.empty())
      of.insert(rows.of(f));
    for (const size_t row : of)
      blocks[row].push_back(b);
  }
  return blocks;
}

/// Of some blocks of a function, in ascending order.
uint64_t hashOf(const Function &code, std::span<const uint64_t> each,
                std::span<const uint32_t> blocks) {
  std::vector<uint64_t> number(code.blocks.size(), 0); // 0: elsewhere
  Fingerprint all;
  for (size_t i = 0; i < blocks.size(); ++i) {
    number[blocks[i]] = i + 1;
    all.add(each[blocks[i]]);
  }
  const auto isOwn = [&](uint32_t b) { return b != noIndex && number[b] != 0; };
  for (const Edge &e : code.edges)
    if (isOwn(e.from) && isOwn(e.to)) {
      all.add(number[e.from]);
      all.add(number[e.to]);
    }
  for (const Branch &branch : code.branches)
    if (isOwn(branch.block))
      all.add(branch.limit);
  for (const Loop &loop : code.loops)
    if (isOwn(loop.header))
      all.add(loop.trips);
  return all.value();
}

} // namespace

std::vector<uint64_t> blockHashes(const Function &f) {
  std::vector<Fingerprint> all(f.blocks.size());
  for (size_t b = 0; b < all.size(); ++b)
    for (const ClassCount &c : f.blocks[b].mix) {
      all[b].add(static_cast<uint64_t>(c.kind));
      all[b].add(static_cast<uint64_t>(c.count));
    }
  for (const Call &c : f.calls) {
    all[c.block].add(c.callee.empty() ? 1 : 2);
    all[c.block].add(c.constantBytes);
  }
  for (const Edge &e : f.edges)
    if (e.from != noIndex)
      all[e.from].add(static_cast<uint64_t>(e.kind));
  std::vector<uint64_t> out;
  for (const Fingerprint &one : all)
    out.push_back(one.value());
  return out;
}

std::vector<FunctionBody> bodiesOf(const BlockCosts &costs, const FunctionRows &rows) {
  std::vector<std::set<uint64_t>> compiled(rows.size()), inlined(rows.size());
  for (size_t f = 0; f < costs.matrix().functions.size(); ++f) {
    const Function &code = costs.function(f);
    const std::vector<uint64_t> each = blockHashes(code);
    for (const auto &[row, blocks] : blocksByRow(rows, code, f))
      (row == rows.of(f) ? compiled : inlined)[row].insert(hashOf(code, each, blocks));
  }
  std::vector<FunctionBody> out;
  for (size_t row = 0; row < rows.size(); ++row) {
    Fingerprint all;
    for (const uint64_t hash : compiled[row].empty() ? inlined[row] : compiled[row])
      all.add(hash);
    out.push_back({all.value(), !compiled[row].empty()});
  }
  return out;
}

} // namespace quincunx
