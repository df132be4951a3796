// What blocks, events and whole runs cost.
// The idea: a block costs its instructions and calls in series; where prices were fitted to times
// of the program, its weight, clamped to what it may cost by itself; a run costs its blocks, its
// start and events, and scatters as the residual of the fit does. Reference: docs/13-machines.md.
// It does not combine runs.
#include "Prices.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

std::array<Cumulants, classCount> classCosts(const Machine &machine) {
  std::array<Cumulants, classCount> costs;
  for (size_t c = 0; c < classCount; ++c)
    costs[c] = machine.cost(className(static_cast<InstructionClass>(c)));
  return costs;
}

namespace {
bool isConstantCost(const Cumulants &k) { return k.k2 == 0; }

/// X (1 + e), with e independent of X, of mean 0 and these moments.
Cumulants scatter(const Cumulants &x, const Moments &e) {
  const RawMoments a = rawMoments(x);
  const RawMoments b = rawMoments(cumulants(Moments{1, e.variance, e.skewness, e.kurtosis}));
  return cumulants(RawMoments{a.m1 * b.m1, a.m2 * b.m2, a.m3 * b.m3, a.m4 * b.m4});
}
} // namespace

Prices::Prices(const std::vector<Map> &all, const Machine &machine)
    : maps(&all), classes(classCosts(machine)), callees(machine.callees),
      start(machine.event("start")), spreadOfPrograms(machine.programSpread),
      scale(machine.fit.scale), memoryExponent(machine.fit.memoryExponent),
      memoryBase(machine.fit.memoryBase), ofRuns(machine.fit.ofRuns),
      knowsMispredictions(machine.fit.carriesMispredictions ||
                          std::any_of(all.begin(), all.end(), simulates)),
      residual(machine.fit.residual) {
  std::map<std::pair<std::string_view, uint32_t>, const ProgramFit::Function *> known;
  for (const ProgramFit::Function &f : machine.fit.functions)
    known[{f.name, f.ordinal}] = &f;
  for (size_t m = 0; m < all.size(); ++m) {
    std::map<std::string_view, uint32_t> met;
    for (size_t f = 0; f < all[m].functions.size(); ++f) {
      const Function &code = all[m].functions[f];
      callees.erase(code.name);
      const auto at = known.find({code.name, met[code.name]++});
      if (at != known.end() && at->second->weights.size() == code.blocks.size())
        fits[{m, f}] = {at->second->weights, at->second->carried};
    }
  }
  for (size_t e = 0; e < eventCount; ++e)
    events[e] = machine.event(eventNames[e]);
  isConstant = std::all_of(events.begin(), events.end(), isConstantCost) &&
               std::all_of(classes.begin(), classes.end(), isConstantCost) &&
               std::all_of(callees.begin(), callees.end(),
                           [](const auto &c) { return isConstantCost(c.second); });
}

const Prices::Fit *Prices::fitOf(size_t map, size_t function) const {
  const auto at = fits.find({map, function});
  return at == fits.end() ? nullptr : &at->second;
}

double memoryFactor(double peakMemory, double exponent, double least) {
  return exponent > 0 && peakMemory > least ? std::pow(peakMemory / least, exponent) : 1;
}

double clampPrice(double weight, double alone) {
  return std::clamp(weight, alone / ProgramFit::maxPriceRatio, alone * ProgramFit::maxPriceRatio);
}

Cumulants Prices::block(size_t map, size_t function, size_t block) const {
  const Function &f = (*maps)[map].functions[function];
  Cumulants sum;
  for (const ClassCount &c : f.blocks[block].mix)
    sum += c.count * classes[static_cast<size_t>(c.kind)];
  for (const Call &call : callees.empty() ? std::vector<Call>{} : f.calls)
    if (const auto at = callees.find(call.callee); call.block == block && at != callees.end())
      sum += at->second;
  if (const Fit *fit = fitOf(map, function)) {
    const double carried = fit->carried.empty() ? 0 : fit->carried[block];
    sum.k1 = scale * clampPrice(fit->weights[block], sum.k1 + carried);
  }
  return sum;
}

std::vector<Cumulants> Prices::blocks(size_t map, size_t function) const {
  std::vector<Cumulants> all;
  for (size_t b = 0; b < (*maps)[map].functions[function].blocks.size(); ++b)
    all.push_back(block(map, function, b));
  return all;
}

std::vector<double> Prices::weights(size_t map, size_t function) const {
  if (const Fit *fit = fitOf(map, function))
    return fit->weights;
  std::vector<double> all;
  for (const Cumulants &k : blocks(map, function))
    all.push_back(k.k1);
  return all;
}

Prices::OfRun Prices::run(const Cumulants &blocks, double weighed, const Use &use) const {
  OfRun out;
  if (fitted() && blocks.k1 > 0)
    out.scale = std::max(weighed / blocks.k1, 1 / ProgramFit::maxPriceRatio) *
                memoryFactor(use.peakMemory, memoryExponent, memoryBase);
  out.cost = run(scaled(out.scale, blocks), use);
  return out;
}

Cumulants Prices::run(const Cumulants &blocks, const Use &use) const {
  Cumulants whole = blocks;
  if (ofRuns)
    whole += start + use.pageFaults * event(Event::fault);
  if (ofRuns && !knowsMispredictions)
    whole += use.branchMisses * event(Event::mispredict);
  return scatters() ? scatter(whole, residual) : whole;
}

} // namespace quincunx
