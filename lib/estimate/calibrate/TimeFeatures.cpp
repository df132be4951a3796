// Counts, run by run, what prices are fitted to.
// The idea: a block's price is its first guess times 1 and the coefficients that apply to it: of
// all work, of the bodies of functions that it is of, of itself, of the classes in it; and what it
// calls on top. So one feature per block is enough to follow any price, and those above it say what
// blocks have in common.
#include "TimeFeatures.h"

#include "estimate/price/Prices.h"
#include "quincunx/estimate/SystemCalls.h"

#include <algorithm>

namespace quincunx {

namespace {
/// A call of unknown code, in costs of an addition: a guess that says no more than its size.
constexpr double callGuess = 20, byteGuess = 0.125;
/// The same of what one does in the kernel, if it enters it.
constexpr double kernelGuess = 200, kernelByteGuess = 0.25;
/// Events, where the machine does not price them: orders of magnitude, in additions.
constexpr std::array<double, eventCount> eventGuess{20, 10, 40, 100, 20, 30, 3000};

bool ran(const TimeFeatures::BlockFeature &e) {
  return std::any_of(e.counts.begin(), e.counts.end(), [](double n) { return n > 0; });
}

} // namespace

TimeFeatures::TimeFeatures(const CountMatrix &counts, const std::vector<Map> &allMaps,
                           const Machine &machine, const std::vector<size_t> &chosen,
                           const MissRates &carried, const SampledParts &sampledParts)
    : matrix(counts), maps(allMaps), parts(sampledParts), runRows(chosen),
      executions(chosen.size(), 0.0) {
  const auto classes = classCosts(machine);
  const double simple = std::max(classes[static_cast<size_t>(InstructionClass::add)].k1, 1e-9);
  for (size_t c = 0; c < classCount; ++c) // what is free by guess may cost something after all
    guess[c] = classes[c].k1 > 0 ? classes[c].k1 : simple;
  guess[static_cast<size_t>(InstructionClass::construct)] = 0;
  for (size_t e = 0; e < eventCount; ++e) {
    const double known = machine.event(eventNames[e]).k1;
    guessOfEvent[e] = known > 0 ? known : eventGuess[e] * simple;
  }
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      instrumented.insert(f.name);
  std::vector<std::vector<double>> rows;
  for (const size_t run : chosen)
    rows.push_back(matrix.row(run));
  for (uint32_t f = 0; f < matrix.functions.size(); ++f)
    addFunction(f, rows, carried);
  for (CalleeFeature &c : calleeFeatures) {
    c.scale = simple * (c.isBytes ? byteGuess : callGuess);
    c.kernelScale = c.entersKernel ? simple * (c.isBytes ? kernelByteGuess : kernelGuess) : 0;
  }
  addUp();
}

TimeFeatures TimeFeatures::scaled(std::span<const double> factors) const {
  TimeFeatures out = *this;
  const auto multiply = [&](Totals &t) {
    for (size_t d = 0; d < factors.size(); ++d)
      t[d] *= factors[d];
  };
  for (BlockFeature &e : out.executed)
    multiply(e.counts);
  for (CountedEvent &e : out.counted)
    multiply(e.counts);
  for (CountedBytes &b : out.movedBytes)
    multiply(b.counts);
  out.addUp();
  return out;
}

const Function &TimeFeatures::function(const BlockFeature &e) const {
  const CountMatrix::Columns &c = matrix.functions[e.function];
  return maps[c.map].functions[c.function];
}

uint32_t TimeFeatures::calleeOf(const std::string &name, bool isBytes) {
  const auto [at, isNew] =
      calleeNumber.try_emplace({name, isBytes}, static_cast<uint32_t>(calleeNumber.size()));
  if (isNew)
    calleeFeatures.push_back({name, isBytes, mayEnterKernel(name)});
  return at->second;
}

uint32_t TimeFeatures::bodyOf(size_t body) {
  const auto [at, isNew] = bodyNumber.emplace(body, static_cast<uint32_t>(bodyNumber.size()));
  if (isNew)
    partOfBody.push_back(body);
  return at->second;
}

/// The blocks of function `f`, with what they cost by guess and miss; nothing is counted yet.
std::vector<TimeFeatures::BlockFeature> TimeFeatures::blocksOf(uint32_t f,
                                                               const MissRates &carried) const {
  const CountMatrix::Columns &columns = matrix.functions[f];
  const Function &code = maps[columns.map].functions[columns.function];
  const std::vector<MissRate> rates = carried.of(maps[columns.map], columns.function);
  std::vector<BlockFeature> own(code.blocks.size());
  for (uint32_t b = 0; b < own.size(); ++b) {
    own[b].function = f;
    own[b].block = b;
    own[b].counts.resize(runs());
    if (!rates.empty())
      own[b].missed = rates[b];
    for (const ClassCount &c : code.blocks[b].mix)
      own[b].alone += c.count * guess[static_cast<size_t>(c.kind)];
  }
  return own;
}

/// Counts the blocks in all runs, and the events that the function counts itself.
void TimeFeatures::countBlocks(uint32_t f, const std::vector<std::vector<double>> &rows,
                               std::vector<BlockFeature> &own,
                               std::vector<CountedEvent> &events) const {
  const CountMatrix::Columns &columns = matrix.functions[f];
  const Function &code = maps[columns.map].functions[columns.function];
  const FlowSolver flowSolver(code);
  const std::vector<EventCounter> places = eventCounters(code);
  for (const EventCounter &e : places)
    events.push_back({e.block, e.event, Totals(rows.size(), 0.0)});
  std::vector<double> counters(code.counterCount);
  for (size_t d = 0; d < rows.size(); ++d) {
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i] = columns.counters[i] == noIndex ? 0 : rows[d][columns.counters[i]];
    for (size_t e = 0; e < places.size(); ++e)
      events[e].counts[d] = counters[places[e].counter];
    const FlowValues flow = flowSolver.flow(counters);
    for (size_t b = 0; b < own.size(); ++b)
      own[b].counts[d] = flow.blocks[b];
  }
}

/// A line is of the body whose text it is; blocks without lines are of the function.
void TimeFeatures::divide(BlockFeature &e) {
  const CountMatrix::Columns &columns = matrix.functions[e.function];
  const std::vector<Location> &lines = function(e).blocks[e.block].lines;
  std::map<uint32_t, double> shares;
  for (const Location &at : lines)
    shares[bodyOf(parts.bodyOf(columns.map, columns.function, at.scope))] +=
        1 / static_cast<double>(lines.size());
  if (lines.empty())
    shares[bodyOf(parts.bodyOf(columns.map, columns.function, 0))] = 1;
  for (const auto &[body, share] : shares)
    e.bodies.push_back({body, share, share});
}

/// Calls of what was not counted, and the bytes that they move, where their number is known.
void TimeFeatures::addCalls(uint32_t f, const std::vector<std::vector<double>> &rows,
                            std::vector<BlockFeature> &own) {
  const Function &code = function(own.front());
  for (uint32_t c = 0; c < code.calls.size(); ++c) {
    const Call &call = code.calls[c];
    if (!ran(own[call.block]) || instrumented.contains(call.callee))
      continue;
    const size_t part = parts.partOf(code, call);
    std::vector<BlockFeature::Called> &ofBlock = own[call.block].called;
    ofBlock.push_back({c, calleeOf(call.callee, false), part});
    if (call.bytes != ByteSource::argument && call.bytes != ByteSource::result)
      continue;
    const uint32_t bytes = calleeOf(call.callee, true);
    if (call.byteCounter == noIndex) {
      ofBlock.push_back({c, bytes, part, static_cast<double>(call.constantBytes)});
      continue;
    }
    CountedBytes &counts = movedBytes.emplace_back(bytes, part, Totals(rows.size(), 0.0));
    const uint32_t column = matrix.functions[f].counters[call.byteCounter];
    for (size_t d = 0; d < rows.size() && column != noIndex; ++d)
      counts.counts[d] = rows[d][column];
  }
}

void TimeFeatures::addFunction(uint32_t f, const std::vector<std::vector<double>> &rows,
                               const MissRates &carried) {
  std::vector<BlockFeature> own = blocksOf(f, carried);
  std::vector<CountedEvent> events;
  countBlocks(f, rows, own, events);
  addCalls(f, rows, own);
  std::vector<size_t> numbers(own.size());
  for (size_t b = 0; b < own.size(); ++b)
    if (numbers[b] = executed.size(); ran(own[b])) {
      divide(own[b]);
      executed.push_back(std::move(own[b]));
    }
  for (CountedEvent &e : events)
    if (std::any_of(e.counts.begin(), e.counts.end(), [](double n) { return n > 0; })) {
      e.block = numbers[e.block];
      counted.push_back(std::move(e));
    }
}

/// Makes the totals of all groups from blocks and events.
void TimeFeatures::addUp() {
  work.assign(rows(), 0.0);
  happened.fill(Totals(rows(), 0.0));
  kinds.fill(Totals(rows(), 0.0));
  called.assign(calleeFeatures.size(), Totals(rows(), 0.0));
  bodies.assign(bodyNumber.size(), Totals(rows(), 0.0));
  for (BlockFeature &e : executed)
    addBlock(e);
  addEvents();
  addBytes();
  inKernel.assign(called.size(), Totals(rows(), 0.0));
  for (size_t c = 0; c < called.size(); ++c) {
    for (size_t d = 0; d < rows(); ++d)
      work[d] += calleeFeatures[c].guess * called[c][d];
    for (size_t d = 0; d < runs() && calleeFeatures[c].entersKernel; ++d)
      inKernel[c][d] = called[c][d];
  }
}

void TimeFeatures::addBytes() {
  for (const CountedBytes &b : movedBytes) {
    for (size_t d = 0; d < runs(); ++d)
      called[b.callee][d] += b.counts[d];
    if (const auto row = rowOfPart.find(b.part); row != rowOfPart.end())
      called[b.callee][row->second] += inPart(b.counts, 1);
  }
}

double TimeFeatures::inPart(std::span<const double> counts, double portion) const {
  double sum = 0;
  for (size_t d = 0; d < runs(); ++d)
    sum += executions[d] * counts[d];
  return portion * sum;
}

void TimeFeatures::addBlock(BlockFeature &e) {
  e.counts.resize(runs());
  e.counts.resize(rows());
  const double guessed = e.guess();
  const auto add = [&](size_t d, double n) {
    work[d] += guessed * n;
    for (const ClassCount &c : function(e).blocks[e.block].mix)
      kinds[static_cast<size_t>(c.kind)][d] +=
          c.count * guess[static_cast<size_t>(c.kind)] * e.moved * n;
    for (size_t kind = 0; kind < eventCount; ++kind) {
      happened[kind][d] += e.missed[kind] * n;
      work[d] += guessOfEvent[kind] * e.missed[kind] * n;
      isCarried[kind] = isCarried[kind] || e.missed[kind] > 0;
    }
  };
  for (size_t d = 0; d < runs(); ++d) {
    add(d, e.counts[d]);
    for (const BlockFeature::OfBody &b : e.bodies)
      bodies[b.body][d] += b.portion * guessed * e.counts[d];
    for (const BlockFeature::Called &c : e.called)
      called[c.callee][d] += c.all() * e.counts[d];
  }
  if (observed.empty())
    return;
  for (const BlockFeature::OfBody &b : e.bodies)
    if (const auto row = rowOfPart.find(partOfBody[b.body]); row != rowOfPart.end()) {
      const double n = inPart(e.counts, b.portion);
      e.counts[row->second] = n;
      add(row->second, n);
      bodies[b.body][row->second] += guessed * n;
    }
  for (const BlockFeature::Called &c : e.called)
    if (const auto row = rowOfPart.find(c.part); row != rowOfPart.end())
      called[c.callee][row->second] += inPart(e.counts, c.all());
}

/// Those that code counts itself, and those that are known of whole runs: where they are not known
/// of one, they tell nothing about the others.
void TimeFeatures::addEvents() {
  for (const CountedEvent &e : counted) {
    const auto kind = static_cast<size_t>(e.event);
    const auto add = [&](size_t d, double n) {
      happened[kind][d] += n;
      work[d] += guessOfEvent[kind] * n;
    };
    for (size_t d = 0; d < runs(); ++d)
      add(d, e.counts[d]);
    for (const BlockFeature::OfBody &b : executed[e.block].bodies)
      if (const auto row = rowOfPart.find(partOfBody[b.body]); row != rowOfPart.end())
        add(row->second, inPart(e.counts, b.portion));
  }
  addOfRuns(Event::fault, &CountMatrix::Row::pageFaults);
  if (!met(Event::mispredict))
    addOfRuns(Event::mispredict, &CountMatrix::Row::branchMisses);
}

void TimeFeatures::addOfRuns(Event event, std::optional<double> CountMatrix::Row::*number) {
  const auto e = static_cast<size_t>(event);
  const auto known = [&](size_t run) { return (matrix.rows[run].*number).has_value(); };
  if (!std::all_of(runRows.begin(), runRows.end(), known))
    return;
  for (size_t d = 0; d < runs(); ++d) {
    happened[e][d] = *(matrix.rows[runRows[d]].*number);
    work[d] += guessOfEvent[e] * happened[e][d];
  }
}

/// Calls visit(values of one feature, what to multiply them with), feature by feature.
template <class Visit> void TimeFeatures::forEach(Feature group, Visit visit) const {
  switch (group) {
  case Feature::work:
    visit(work, 1.0);
    return;
  case Feature::kind:
    for (const Totals &t : kinds)
      visit(t, 1.0);
    return;
  case Feature::event:
    for (size_t e = 0; e < eventCount; ++e)
      visit(happened[e], guessOfEvent[e]);
    return;
  case Feature::callee:
    for (size_t c = 0; c < called.size(); ++c)
      visit(called[c], calleeFeatures[c].scale);
    return;
  case Feature::kernel:
    for (size_t c = 0; c < inKernel.size(); ++c)
      visit(inKernel[c], calleeFeatures[c].kernelScale);
    return;
  case Feature::body:
    for (const Totals &t : bodies)
      visit(t, 1.0);
    return;
  case Feature::block:
    for (const BlockFeature &e : executed)
      visit(e.counts, e.guess());
    return;
  }
}

Gram TimeFeatures::gram(Feature group) const {
  const size_t n = rows();
  Gram sum(n * n, 0.0);
  forEach(group, [&](const Totals &x, double times) {
    for (size_t i = 0; i < n; ++i) {
      const double xi = times * times * x[i];
      if (xi != 0)
        for (size_t j = 0; j <= i; ++j)
          sum[i * n + j] += xi * x[j];
    }
  });
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j)
      sum[j * n + i] = sum[i * n + j];
  return sum;
}

std::vector<double> TimeFeatures::dot(Feature group, std::span<const double> weights) const {
  std::vector<double> out;
  forEach(group, [&](const Totals &x, double times) {
    double sum = 0;
    for (size_t d = 0; d < x.size(); ++d)
      sum += weights[d] * x[d];
    out.push_back(times * sum);
  });
  return out;
}

double TimeFeatures::weight(size_t number, const Coefficients &c) const {
  const BlockFeature &e = executed[number];
  double relative = 1 + c[Feature::work][0] + c[Feature::block][number];
  for (const BlockFeature::OfBody &b : e.bodies)
    relative += b.portion * c[Feature::body][b.body];
  double sum = e.guess() * relative;
  for (const ClassCount &k : function(e).blocks[e.block].mix)
    sum += k.count * guess[static_cast<size_t>(k.kind)] * e.moved *
           c[Feature::kind][static_cast<size_t>(k.kind)];
  for (const BlockFeature::Called &other : e.called)
    sum += other.all() * calleePrice(other.callee, c);
  for (size_t kind = 0; kind < eventCount; ++kind)
    sum += e.missed[kind] * price(static_cast<Event>(kind), c);
  return sum;
}

double TimeFeatures::calleePrice(size_t number, const Coefficients &c) const {
  const CalleeFeature &f = calleeFeatures[number];
  return f.guess * (1 + c[Feature::work][0]) + f.scale * c[Feature::callee][number] +
         f.kernelScale * c[Feature::kernel][number];
}

double TimeFeatures::price(const BlockFeature::Called &call, const Coefficients &c) const {
  return std::max(0.0, call.all() * calleePrice(call.callee, c));
}

double TimeFeatures::price(InstructionClass kind, const Coefficients &c) const {
  const auto k = static_cast<size_t>(kind);
  return guess[k] * std::max(0.25, 1 + c[Feature::work][0] + c[Feature::kind][k]);
}

double TimeFeatures::price(Event event, const Coefficients &c) const {
  const auto e = static_cast<size_t>(event);
  return guessOfEvent[e] * (1 + c[Feature::work][0] + c[Feature::event][e]);
}

bool TimeFeatures::met(Event event) const {
  const Totals &all = happened[static_cast<size_t>(event)];
  return std::any_of(all.begin(), all.end(), [](double n) { return n > 0; });
}

void TimeFeatures::forget(Event event) {
  guessOfEvent[static_cast<size_t>(event)] = 0;
  addUp();
}

std::vector<size_t> TimeFeatures::bytesBelowNothing(const Coefficients &c) const {
  std::vector<size_t> below;
  for (size_t n = 0; n < calleeFeatures.size(); ++n)
    if (calleeFeatures[n].isBytes && calleePrice(n, c) < 0)
      below.push_back(n);
  return below;
}

void TimeFeatures::forgetBytes(std::span<const size_t> features) {
  for (const size_t n : features)
    calleeFeatures[n].scale = calleeFeatures[n].kernelScale = calleeFeatures[n].guess = 0;
  addUp();
}

std::map<std::string, double> TimeFeatures::prices(bool ofBytes, const Coefficients &c) const {
  std::map<std::string, double> out;
  for (size_t n = 0; n < calleeFeatures.size(); ++n)
    if (const CalleeFeature &f = calleeFeatures[n]; f.isBytes == ofBytes && !f.name.empty())
      if (const double price = calleePrice(n, c); price > 0)
        out[f.name] = price;
  return out;
}

std::map<std::string, double> TimeFeatures::callees(const Coefficients &c) const {
  return prices(false, c);
}

std::map<std::string, double> TimeFeatures::bytes(const Coefficients &c) const {
  return prices(true, c);
}

std::vector<double> TimeFeatures::events(const Coefficients &c) const {
  std::vector<double> sum(runs(), 0.0);
  for (size_t e = 0; e < eventCount; ++e)
    for (size_t d = 0; d < sum.size() && !isCarried[e]; ++d)
      sum[d] += price(static_cast<Event>(e), c) * happened[e][d];
  for (const CountedBytes &b : movedBytes)
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += calleePrice(b.callee, c) * b.counts[d];
  return sum;
}

std::vector<double> TimeFeatures::cost(const Coefficients &c) const {
  std::vector<double> sum = events(c);
  for (size_t b = 0; b < executed.size(); ++b) {
    const double p = weight(b, c);
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += p * executed[b].counts[d];
  }
  return sum;
}

} // namespace quincunx
