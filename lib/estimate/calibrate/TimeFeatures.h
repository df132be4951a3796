// What the time of a run may depend on, counted in the runs that were timed. Features come in
// groups, in the cost units of a machine that is taken for a first guess; from coefficients of
// features follow prices of blocks. It fits nothing.
#pragma once

#include "MissRates.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/numeric/VarianceComponents.h"

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// The groups: all work alike, each class of instructions, each kind of events, calls of
/// each function that is not instrumented, the work of each function, of each block.
enum class Feature : uint8_t { work, kind, event, callee, function, block };
inline constexpr size_t featureGroups = 6;

/// One coefficient per feature of each group, relative to the first guess; 0: as guessed (a callee:
/// free).
struct Coefficients {
  std::array<std::vector<double>, featureGroups> of;
  std::vector<double> &operator[](Feature g) { return of[static_cast<size_t>(g)]; }
  const std::vector<double> &operator[](Feature g) const { return of[static_cast<size_t>(g)]; }
};

class TimeFeatures {
public:
  /// Of the rows `runs` of the matrix. `maps` must outlive it. `carried`: misses per execution of
  /// blocks that do not count them themselves.
  TimeFeatures(const CountMatrix &matrix, const std::vector<Map> &maps, const Machine &guess,
               const std::vector<size_t> &runs, const MissRates &carried);

  /// The same when what blocks execute and miss counts so many times as much, one factor per run;
  /// events that are known of whole runs do not.
  TimeFeatures scaled(std::span<const double> factors) const;

  size_t runs() const { return work.size(); }
  /// Some run had such an event.
  bool met(Event event) const;
  /// Such events are free from now on.
  void forget(Event event);
  /// The first guess of the cost of each run, without callees.
  const std::vector<double> &guessed() const { return work; }
  /// Sums over the features of a group of products of two runs.
  Gram gram(Feature group) const;
  /// Per feature of a group, the sum over runs of weight x feature.
  std::vector<double> dot(Feature group, std::span<const double> weights) const;

  /// In units of the guess: what one more execution of a block that ran adds to the cost of a run,
  /// carried misses included; may be below 0.
  double weight(size_t block, const Coefficients &c) const;
  /// The price of a class, not below a quarter of its guess.
  double price(InstructionClass kind, const Coefficients &c) const;
  /// The price of an event, which may be below 0.
  double price(Event event, const Coefficients &c) const;
  /// Prices of calls of functions that are not instrumented, by name; those above 0.
  std::map<std::string, double> callees(const Coefficients &c) const;
  /// What events cost in each run, but for those that weights include.
  std::vector<double> events(const Coefficients &c) const;
  /// The cost of each run: weights times counts, and events.
  std::vector<double> cost(const Coefficients &c) const;

  /// A block that was executed in one of the runs; blocks of a function follow each other.
  struct BlockFeature {
    uint32_t function = 0; ///< index into CountMatrix::functions
    uint32_t block = 0;
    uint32_t ofTotals = 0;        ///< the function's place among `function` features
    double guess = 0;             ///< of its cost
    std::vector<uint32_t> called; ///< `callee` features, one per call
    MissRate missed{};            ///< carried misses per execution
    std::vector<double> counts;   ///< one per run, times its factor
  };
  const std::vector<BlockFeature> &blocks() const { return executed; }
  const Function &function(const BlockFeature &e) const;

private:
  using Totals = std::vector<double>; ///< one per run
  std::vector<BlockFeature> blocksOf(uint32_t f, const MissRates &carried) const;
  void countBlocks(uint32_t f, const std::vector<std::vector<double>> &rows,
                   std::vector<BlockFeature> &own);
  void addBlock(const Function &code, const BlockFeature &e);
  void addFunction(uint32_t f, const std::vector<std::vector<double>> &rows,
                   const MissRates &carried);
  void addOfRuns(Event event, std::optional<double> CountMatrix::Row::*number,
                 const std::vector<size_t> &chosen);
  template <class Visit> void forEach(Feature group, Visit visit) const;
  uint32_t calleeOf(const std::string &name);

  const CountMatrix &matrix;
  const std::vector<Map> &maps;
  std::array<double, classCount> guess{}; ///< of classes
  std::array<double, eventCount> guessOfEvent{};
  double guessOfCallee = 0;
  std::set<std::string> instrumented; ///< functions, by name
  std::map<std::string, uint32_t> calleeNumber;
  Totals work;
  std::array<Totals, classCount> kinds;                 ///< in cost units, by guess
  std::array<Totals, eventCount> happened;              ///< how many, carried ones too
  std::array<bool, eventCount> isCarried{}, isOfRuns{}; ///< by rates; known of whole runs
  std::vector<Totals> called, functions;
  std::vector<BlockFeature> executed;
};

} // namespace quincunx
