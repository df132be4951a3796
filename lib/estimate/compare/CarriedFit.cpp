// Fitted prices of blocks, carried to the blocks of another build.
// The idea: a function is found by its name, or by its code where it was renamed, and a block in it
// by its instructions, the k-th of some the k-th of the same ones. A fit says how many times as
// much as thought beforehand code costs, so what is new costs that many times as much, too, weighed
// by what was executed: as other code of the same function of the source, which may have been
// inlined elsewhere before, else of the function that it is compiled in, else of the program.
#include "CarriedFit.h"

#include "FunctionBodies.h"
#include "estimate/price/Prices.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace quincunx {

namespace {

using Values = std::vector<double>;

/// A function of a build, with what is thought of its blocks without the fit.
struct Code {
  const Function *function = nullptr;
  std::vector<uint64_t> hashes; ///< per block
  Values alone;                 ///< per block
  Values counts;                ///< per block, in the mean; empty: it did not run
  const ProgramFit::Function *fit = nullptr;
};

/// How many times as much as `alone` such values are, over blocks as they were executed.
struct Ratio {
  double values = 0, alone = 0;
  void add(const Code &code, const Values &of, size_t b) {
    const double n = code.counts.empty() ? 0 : code.counts[b];
    values += n * of[b];
    alone += n * code.alone[b];
  }
  void add(const Code &code, const Values &of) {
    for (size_t b = 0; b < of.size(); ++b)
      add(code, of, b);
  }
  double get(double otherwise) const { return alone > 0 ? values / alone : otherwise; }
};

const Values &pricesOf(const ProgramFit::Function &fit) {
  return fit.prices.empty() ? fit.weights : fit.prices;
}

/// The function of the source that a block is of: that of its first line.
const std::string &bodyOf(const Function &f, size_t block) {
  const std::vector<Location> &lines = f.blocks[block].lines;
  return f.scopes[lines.empty() ? 0 : lines.front().scope].function;
}

/// Ratios of code that is of one function of the source, wherever it was compiled: of blocks with
/// the same instructions, and of all.
class BodyRatios {
public:
  void add(const Code &code, const Values &of) {
    for (size_t b = 0; b < of.size(); ++b) {
      const std::string &body = bodyOf(*code.function, b);
      ofBlocks[{body, code.hashes[b]}].add(code, of, b);
      ofBodies[body].add(code, of, b);
    }
  }
  double get(const Code &code, size_t block, double otherwise) const {
    const std::string &body = bodyOf(*code.function, block);
    if (const auto at = ofBodies.find(body); at != ofBodies.end())
      otherwise = at->second.get(otherwise);
    const auto at = ofBlocks.find({body, code.hashes[block]});
    return at == ofBlocks.end() ? otherwise : at->second.get(otherwise);
  }

private:
  std::map<std::pair<std::string, uint64_t>, Ratio> ofBlocks;
  std::map<std::string, Ratio> ofBodies;
};
struct FitRatios {
  BodyRatios weights, carried, prices;
  BodyRatios all; ///< of prices, where there are some
};

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
ProgramFit::Function carried(const Code &from, const Code &to, const Prices &plain,
                             const FitRatios &ratios) {
  const std::vector<uint32_t> blocks = aligned(from.hashes, to.hashes);
  const auto carry = [&](const Values &values, const BodyRatios &ratiosOf) {
    Ratio ratio;
    ratio.add(from, values);
    const double otherwise = ratio.get(1);
    Values out;
    for (size_t b = 0; b < blocks.size() && !values.empty(); ++b)
      out.push_back(blocks[b] == noIndex ? ratiosOf.get(to, b, otherwise) * to.alone[b]
                                         : values[blocks[b]]);
    return out;
  };
  ProgramFit::Function out;
  out.weights = carry(from.fit->weights, ratios.weights);
  out.carried = carry(from.fit->carried, ratios.carried);
  out.prices = carry(from.fit->prices, ratios.prices);
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
      Code code{&function, blockHashes(function), {}, {}, nullptr};
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

uint64_t codeHash(const Code &code) {
  uint64_t all = code.hashes.size();
  for (const uint64_t hash : code.hashes)
    all = all * 0x100000001b3 ^ hash;
  return all;
}

using FilePlace = std::pair<std::string, uint32_t>;

/// Where bodies of functions begin now: those of their names, else those that begin at their place.
/// What is not there any more is left out.
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
  std::set<FilePlace> starts;
  forEachBody(now, [&](const std::string &name, const FilePlace &at) {
    places[name] = at;
    starts.insert(at);
  });
  std::vector<ProgramFit::Body> out;
  for (ProgramFit::Body body : bodies) {
    const auto name = named.find({body.file, body.line});
    if (name == named.end())
      continue;
    if (const auto at = places.find(name->second); at != places.end()) {
      std::tie(body.file, body.line) = at->second;
      out.push_back(std::move(body));
    } else if (starts.contains({body.file, body.line})) {
      out.push_back(std::move(body));
    }
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
  FitRatios ratios;
  std::map<uint64_t, const Code *> renamed; // by code, of those whose name is gone
  for (const auto &[name, code] : was) {
    if (code.fit) {
      program.add(code, pricesOf(*code.fit));
      ratios.all.add(code, pricesOf(*code.fit));
      ratios.weights.add(code, code.fit->weights);
      ratios.carried.add(code, code.fit->carried);
      ratios.prices.add(code, code.fit->prices);
    }
    if (code.fit && !is.contains(name))
      renamed[codeHash(code)] = &code;
  }
  out.fit.functions.clear();
  for (const auto &[name, code] : is) {
    const auto same = was.find(name);
    const auto moved = renamed.find(codeHash(code));
    const Code *from = same != was.end()                                   ? &same->second
                       : moved != renamed.end() && moved->second->function ? moved->second
                                                                           : nullptr;
    ProgramFit::Function fit;
    if (from && from->fit)
      fit = carried(*from, code, after, ratios);
    else
      for (size_t b = 0; b < code.alone.size(); ++b)
        fit.weights.push_back(ratios.all.get(code, b, program.get(1)) * code.alone[b]);
    std::tie(fit.name, fit.ordinal) = name;
    out.fit.functions.push_back(std::move(fit));
  }
  out.fit.bodies = movedBodies(machine.fit.bodies, fitted.costs().maps(), maps);
  return out;
}

} // namespace quincunx
