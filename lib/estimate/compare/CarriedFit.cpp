// Fitted prices of blocks, carried to the blocks of another build.
// The idea: a function is found by its name, or by its code where it was renamed, and a block in it
// by its instructions, the k-th of some the k-th of the same ones. A fit says how many times as
// much as thought beforehand code costs, so what is new in a function, or a function that is new,
// costs that many times as much, too: of the function, or of the program, weighed by what was
// executed.
#include "CarriedFit.h"

#include "FunctionBodies.h"
#include "estimate/price/Prices.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace quincunx {

namespace {

using Values = std::vector<double>;

/// A function of a build, with what is thought of its blocks without the fit.
struct Code {
  const Function *function = nullptr;
  Values alone;  ///< per block
  Values counts; ///< per block, in the mean; empty: it did not run
  const ProgramFit::Function *fit = nullptr;
};

/// How many times as much as `alone` such values are, over blocks as they were executed.
struct Ratio {
  double values = 0, alone = 0;
  void add(const Code &code, const Values &of) {
    for (size_t b = 0; b < of.size(); ++b) {
      const double n = code.counts.empty() ? 0 : code.counts[b];
      values += n * of[b];
      alone += n * code.alone[b];
    }
  }
  double get(double otherwise) const { return alone > 0 ? values / alone : otherwise; }
};

const Values &pricesOf(const ProgramFit::Function &fit) {
  return fit.prices.empty() ? fit.weights : fit.prices;
}

/// Per element of `now`, that of `was` with the same key, the k-th with the k-th; `noIndex`: none.
template <class Key>
std::vector<uint32_t> aligned(const std::vector<Key> &was, const std::vector<Key> &now) {
  std::map<Key, std::vector<uint32_t>> waiting;
  for (uint32_t i = 0; i < was.size(); ++i)
    waiting[was[i]].push_back(i);
  std::map<Key, size_t> used;
  std::vector<uint32_t> out;
  for (const Key &key : now) {
    const size_t k = used[key]++;
    out.push_back(k < waiting[key].size() ? waiting[key][k] : noIndex);
  }
  return out;
}

std::vector<std::string> calleesOf(const Function &f) {
  std::vector<std::string> out;
  for (const Call &c : f.calls)
    out.push_back(c.callee);
  return out;
}

/// The fit of `from` for the code of `to`.
ProgramFit::Function carried(const Code &from, const Code &to, const Prices &plain) {
  const std::vector<uint32_t> blocks =
      aligned(blockHashes(*from.function), blockHashes(*to.function));
  const auto carry = [&](const Values &values) {
    Ratio ratio;
    ratio.add(from, values);
    const double otherwise = ratio.get(1);
    Values out;
    for (size_t b = 0; b < blocks.size() && !values.empty(); ++b)
      out.push_back(blocks[b] == noIndex ? otherwise * to.alone[b] : values[blocks[b]]);
    return out;
  };
  ProgramFit::Function out;
  out.weights = carry(from.fit->weights);
  out.carried = carry(from.fit->carried);
  out.prices = carry(from.fit->prices);
  if (from.fit->calls.empty())
    return out;
  const std::vector<uint32_t> calls = aligned(calleesOf(*from.function), calleesOf(*to.function));
  const std::vector<Cumulants> usual = plain.ofCalls(*to.function);
  for (size_t c = 0; c < calls.size(); ++c)
    out.calls.push_back(calls[c] == noIndex ? usual[c].k1 : from.fit->calls[calls[c]]);
  return out;
}

/// By name and number among those of that name in the image.
using Name = std::pair<std::string, uint32_t>;

std::map<Name, Code> codeOf(const std::vector<Map> &maps, const Prices &plain) {
  std::map<Name, Code> out;
  for (size_t m = 0; m < maps.size(); ++m) {
    std::map<std::string, uint32_t> met;
    for (size_t f = 0; f < maps[m].functions.size(); ++f) {
      const Function &function = maps[m].functions[f];
      Code code{&function, {}, {}, nullptr};
      for (const Cumulants &k : plain.blocks(m, f))
        code.alone.push_back(k.k1);
      out.emplace(Name{function.name, met[function.name]++}, std::move(code));
    }
  }
  return out;
}

/// Sets what was executed, and the fit.
void addFit(std::map<Name, Code> &all, const PricedBuild &build, const ProgramFit &fit) {
  const CountMatrix &matrix = build.matrix();
  const Values mean =
      matrix.perColumn(Values(matrix.rows.size(), 1 / static_cast<double>(matrix.rows.size())));
  std::map<const Function *, Values> counts;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    Values perCounter;
    for (const uint32_t c : matrix.functions[f].counters)
      perCounter.push_back(c == noIndex ? 0 : mean[c]);
    counts[&build.costs().function(f)] = build.costs().flowSolver(f).flow(perCounter).blocks;
  }
  for (auto &[name, code] : all)
    if (const auto at = counts.find(code.function); at != counts.end())
      code.counts = at->second;
  for (const ProgramFit::Function &f : fit.functions)
    if (const auto at = all.find({f.name, f.ordinal});
        at != all.end() && f.weights.size() == at->second.alone.size())
      at->second.fit = &f;
}

uint64_t codeHash(const Function &f) {
  uint64_t all = f.blocks.size();
  for (const uint64_t hash : blockHashes(f))
    all = all * 0x100000001b3 ^ hash;
  return all;
}

using FilePlace = std::pair<std::string, uint32_t>;

/// Where bodies of functions begin now; what is not there any more is left out.
std::vector<ProgramFit::Body> movedBodies(const std::vector<ProgramFit::Body> &bodies,
                                          const std::vector<Map> &was,
                                          const std::vector<Map> &now) {
  const auto forEachBody = [](const std::vector<Map> &maps, const auto &take) {
    for (const Map &m : maps)
      for (const Function &f : m.functions)
        for (const Scope &s : f.scopes)
          if (s.file < f.files.size())
            take(s.function, FilePlace{fileName(f.files[s.file].path), s.line});
  };
  std::map<FilePlace, std::string> named;
  forEachBody(was, [&](const std::string &name, const FilePlace &at) { named[at] = name; });
  std::map<std::string, FilePlace> places;
  forEachBody(now, [&](const std::string &name, const FilePlace &at) { places[name] = at; });
  std::vector<ProgramFit::Body> out;
  for (ProgramFit::Body body : bodies)
    if (const auto name = named.find({body.file, body.line}); name != named.end())
      if (const auto at = places.find(name->second); at != places.end()) {
        std::tie(body.file, body.line) = at->second;
        out.push_back(std::move(body));
      }
  return out;
}

} // namespace

Machine carriedFit(const Machine &machine, const PricedBuild &fitted,
                   const std::vector<Map> &maps) {
  Machine out = machine;
  if (machine.fit.functions.empty())
    return out;
  Machine bare = machine;
  bare.fit = {};
  const Prices before(fitted.costs().maps(), bare), after(maps, bare);
  std::map<Name, Code> was = codeOf(fitted.costs().maps(), before);
  addFit(was, fitted, machine.fit);
  const std::map<Name, Code> is = codeOf(maps, after);
  Ratio program;
  std::map<uint64_t, const Code *> renamed; // by code, of those whose name is gone
  for (const auto &[name, code] : was) {
    if (code.fit)
      program.add(code, pricesOf(*code.fit));
    if (code.fit && !is.contains(name))
      renamed[codeHash(*code.function)] = &code;
  }
  out.fit.functions.clear();
  for (const auto &[name, code] : is) {
    const auto same = was.find(name);
    const auto moved = renamed.find(codeHash(*code.function));
    const Code *from = same != was.end()                                   ? &same->second
                       : moved != renamed.end() && moved->second->function ? moved->second
                                                                           : nullptr;
    ProgramFit::Function fit;
    if (from && from->fit)
      fit = carried(*from, code, after);
    else
      for (const double alone : code.alone)
        fit.weights.push_back(program.get(1) * alone);
    std::tie(fit.name, fit.ordinal) = name;
    out.fit.functions.push_back(std::move(fit));
  }
  out.fit.bodies = movedBodies(machine.fit.bodies, fitted.costs().maps(), maps);
  return out;
}

} // namespace quincunx
