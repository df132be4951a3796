// What blocks, events and whole runs cost.
// The idea: a block costs its instructions and calls in series; where prices were fitted to times
// of the program, its weight, clamped to what it may cost by itself; a run costs its blocks, its
// start and events, and scatters as the residual of the fit does. Reference: docs/13-machines.md.
// It does not combine runs.
#include "Prices.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

std::array<Cumulants, classCount> classCosts(const Machine &machine) {
  std::array<Cumulants, classCount> costs;
  for (size_t c = 0; c < classCount; ++c)
    costs[c] = machine.cost(className(static_cast<InstructionClass>(c)));
  return costs;
}

namespace {
bool isConstantCost(const Cumulants &k) { return k.k2 == 0; }

using Priced = std::pair<const std::string, Cumulants>;

/// X (1 + e), with e independent of X, of mean 0 and these moments.
Cumulants scatter(const Cumulants &x, const Moments &e) {
  const RawMoments a = rawMoments(x);
  const RawMoments b = rawMoments(cumulants(Moments{1, e.variance, e.skewness, e.kurtosis}));
  return cumulants(RawMoments{a.m1 * b.m1, a.m2 * b.m2, a.m3 * b.m3, a.m4 * b.m4});
}
} // namespace

Prices::Prices(const std::vector<Map> &all, const Machine &machine)
    : maps(&all), called(all), classes(classCosts(machine)), callees(machine.callees),
      bytes(machine.bytes), start(machine.event("start")), spreadOfPrograms(machine.programSpread),
      limit(machine.fit.limit), scale(machine.fit.scale), once(machine.fit.once),
      memoryExponent(machine.fit.memoryExponent), memoryBase(machine.fit.memoryBase),
      ofRuns(machine.fit.ofRuns),
      knowsMispredictions(machine.fit.carriesMispredictions ||
                          std::any_of(all.begin(), all.end(), simulates)),
      residual(machine.fit.residual) {
  for (const ProgramFit::Body &b : machine.fit.bodies)
    bodies[{b.file, b.line}] = b;
  std::map<std::pair<std::string_view, uint32_t>, const ProgramFit::Function *> known;
  for (const ProgramFit::Function &f : machine.fit.functions)
    known[{f.name, f.ordinal}] = &f;
  for (size_t m = 0; m < all.size(); ++m) {
    std::map<std::string_view, uint32_t> met;
    for (size_t f = 0; f < all[m].functions.size(); ++f) {
      const Function &code = all[m].functions[f];
      callees.erase(code.name);
      bytes.erase(code.name);
      const auto at = known.find({code.name, met[code.name]++});
      if (at != known.end() && at->second->weights.size() == code.blocks.size())
        fits[{m, f}] = {at->second->weights, at->second->prices, at->second->carried,
                        at->second->calls};
    }
  }
  for (size_t e = 0; e < eventCount; ++e)
    events[e] = machine.event(eventNames[e]);
  isConstant = std::all_of(events.begin(), events.end(), isConstantCost) &&
               std::all_of(classes.begin(), classes.end(), isConstantCost) &&
               std::ranges::all_of(callees, isConstantCost, &Priced::second) &&
               std::ranges::all_of(bytes, isConstantCost, &Priced::second);
}

const Prices::Fit *Prices::fitOf(size_t map, size_t function) const {
  const auto at = fits.find({map, function});
  return at == fits.end() ? nullptr : &at->second;
}

double memoryFactor(double peakMemory, double exponent, double least) {
  return exponent > 0 && peakMemory > least ? std::pow(peakMemory / least, exponent) : 1;
}

double clampPrice(double weight, double alone, double limit) {
  return std::clamp(weight, alone / limit, alone * limit);
}

/// The weight of a block holds what it calls. Of its price a call takes what the machine charges
/// for it, and no more than all.
void Prices::takeFit(const Fit &fit, const Function &f, OfFunction &costs) const {
  if (fit.calls.size() == f.calls.size())
    for (size_t c = 0; c < f.calls.size(); ++c)
      costs.calls[c] = {fit.calls[c]};
  std::vector<double> ofCalls(f.blocks.size(), 0.0), factors(f.blocks.size(), 0.0);
  for (size_t c = 0; c < f.calls.size(); ++c)
    ofCalls[f.calls[c].block] += costs.calls[c].k1;
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    const double carried = fit.carried.empty() ? 0 : fit.carried[b];
    double &own = costs.blocks[b].k1;
    const double price = scale * clampPrice(fit.price(b), own + ofCalls[b] + carried, limit);
    factors[b] = ofCalls[b] > 0 ? std::min(scale, price / ofCalls[b]) : 0;
    own = std::max(0.0, price - factors[b] * ofCalls[b]);
  }
  for (size_t c = 0; c < f.calls.size(); ++c)
    costs.calls[c].k1 *= factors[f.calls[c].block];
}

Prices::OfFunction Prices::apart(size_t map, size_t function) const {
  const Function &f = (*maps)[map].functions[function];
  OfFunction costs{std::vector<Cumulants>(f.blocks.size()), ofCalls(f)};
  for (size_t b = 0; b < f.blocks.size(); ++b)
    for (const ClassCount &c : f.blocks[b].mix)
      costs.blocks[b] += c.count * classes[static_cast<size_t>(c.kind)];
  if (const Fit *fit = fitOf(map, function))
    takeFit(*fit, f, costs);
  return costs;
}

std::vector<Cumulants> Prices::ofCalls(const Function &f) const {
  std::vector<Cumulants> costs;
  for (const Call &call : f.calls) {
    const auto at = callees.find(call.callee);
    costs.push_back(at == callees.end() ? Cumulants{} : at->second);
    costs.back() += static_cast<double>(call.constantBytes) * byte(call);
  }
  return costs;
}

Cumulants Prices::byte(const Call &call) const {
  if (call.bytes != ByteSource::argument && call.bytes != ByteSource::result)
    return {};
  const auto at = bytes.find(call.callee);
  return at == bytes.end() ? Cumulants{} : at->second;
}

std::vector<CounterCost> Prices::counters(const Function &f) const {
  std::vector<CounterCost> all;
  for (const EventCounter &e : eventCounters(f))
    all.push_back({e.counter, e.block, noIndex, event(e.event)});
  for (uint32_t c = 0; c < f.calls.size(); ++c)
    if (const Call &call = f.calls[c]; call.byteCounter != noIndex && bytes.contains(call.callee))
      all.push_back({call.byteCounter, call.block, c, byte(call)});
  return all;
}

std::vector<Cumulants> Prices::blocks(size_t map, size_t function) const {
  OfFunction costs = apart(map, function);
  const std::vector<Call> &calls = (*maps)[map].functions[function].calls;
  for (size_t c = 0; c < calls.size(); ++c)
    costs.blocks[calls[c].block] += costs.calls[c];
  return std::move(costs.blocks);
}

std::vector<double> Prices::weights(size_t map, size_t function) const {
  if (const Fit *fit = fitOf(map, function))
    return fit->weights;
  std::vector<double> all;
  for (const Cumulants &k : blocks(map, function))
    all.push_back(k.k1);
  return all;
}

std::vector<double> Prices::lineShares(const Function &f, const Block &block) const {
  std::vector<double> shares(block.lines.size(), 1);
  for (size_t i = 0; i < shares.size() && !bodies.empty(); ++i) {
    const Scope &s = f.scopes[block.lines[i].scope];
    if (s.file < f.files.size())
      if (const auto at = bodies.find({fileName(f.files[s.file].path), s.line}); at != bodies.end())
        shares[i] = at->second.factor;
  }
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double &share : shares)
    share /= all;
  return shares;
}

std::vector<double> Prices::lineShares(const Function &f, const CounterCost &counter) const {
  std::vector<double> shares = lineShares(f, f.blocks[counter.block]);
  if (const size_t at = counter.isBytes() ? lineOf(f, f.calls[counter.call]) : shares.size();
      at < shares.size()) {
    std::ranges::fill(shares, 0);
    shares[at] = 1;
  }
  return shares;
}

std::vector<std::vector<Cumulants>> Prices::ofLines(size_t map, size_t function) const {
  const Function &f = (*maps)[map].functions[function];
  OfFunction costs = apart(map, function);
  std::vector<std::vector<Cumulants>> lines(f.blocks.size());
  for (size_t b = 0; b < lines.size(); ++b)
    lines[b].resize(f.blocks[b].lines.size());
  for (size_t c = 0; c < f.calls.size(); ++c) {
    const uint32_t b = f.calls[c].block;
    if (const size_t at = lineOf(f, f.calls[c]); at < lines[b].size())
      lines[b][at] += costs.calls[c];
    else
      costs.blocks[b] += costs.calls[c];
  }
  for (size_t b = 0; b < lines.size(); ++b) {
    const std::vector<double> shares = lineShares(f, f.blocks[b]);
    for (size_t i = 0; i < shares.size(); ++i)
      lines[b][i] += shares[i] * costs.blocks[b];
  }
  return lines;
}

std::optional<double> Prices::spreadOf(const std::string &file, uint32_t line) const {
  const auto at = bodies.find({fileName(file), line});
  return at == bodies.end() ? std::nullopt : std::optional(at->second.spread);
}

Prices::OfRun Prices::run(const Cumulants &blocks, double weighed, const Use &use) const {
  OfRun out;
  if (fitted() && blocks.k1 > 0)
    out.scale = std::max(
        (memoryFactor(use.peakMemory, memoryExponent, memoryBase) * weighed + once) / blocks.k1,
        1 / limit);
  out.cost = run(scaled(out.scale, blocks), use);
  return out;
}

Cumulants Prices::expected(const Cumulants &blocks, const Use &use) const {
  Cumulants whole = blocks;
  if (ofRuns)
    whole += start + use.pageFaults * event(Event::fault);
  if (ofRuns && !knowsMispredictions)
    whole += use.branchMisses * event(Event::mispredict);
  return whole;
}

Cumulants Prices::scattered(const Cumulants &expected) const {
  return scatters() ? scatter(expected, residual) : expected;
}

} // namespace quincunx
