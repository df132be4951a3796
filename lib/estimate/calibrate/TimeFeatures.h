// What the time of a run may depend on, counted in the runs that were timed. Features come in
// groups, in the cost units of a machine that is taken for a first guess; from coefficients of
// features follow prices of blocks. Where the program was sampled, its parts are observed as runs
// are. It fits nothing.
#pragma once

#include "MissRates.h"
#include "SampledParts.h"
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
/// each function that is not instrumented in user mode and bytes that they move, both in the kernel
/// of those that may enter it, the work of each body of a function, of each block.
enum class Feature : uint8_t { work, kind, event, callee, kernel, body, block };
inline constexpr size_t featureGroups = 7;

/// One coefficient per feature of each group, relative to the first guess; 0: as guessed (a callee
/// that was not sampled: free).
struct Coefficients {
  std::array<std::vector<double>, featureGroups> of;
  std::vector<double> &operator[](Feature g) { return of[static_cast<size_t>(g)]; }
  const std::vector<double> &operator[](Feature g) const { return of[static_cast<size_t>(g)]; }
};

/// What the guess of a part of the program counts for, in samples.
inline constexpr double guessSamples = 2;

class TimeFeatures {
public:
  /// Of the rows `runs` of the matrix. `maps` and `parts` must outlive it. `carried`: misses per
  /// execution of blocks that do not count them themselves.
  TimeFeatures(const CountMatrix &matrix, const std::vector<Map> &maps, const Machine &guess,
               const std::vector<size_t> &runs, const MissRates &carried,
               const SampledParts &parts);

  /// The same when what blocks execute and miss counts so many times as much, one factor per run;
  /// events that are known of whole runs do not.
  TimeFeatures scaled(std::span<const double> factors) const;
  /// The same with the samples of the runs `from`, whose times are `times` (ns, one per run): the
  /// first guess is moved to what they say, and parts with many of them are observed.
  TimeFeatures sampled(const std::vector<size_t> &from, std::span<const double> times) const;
  /// The same with what is observed of parts left out.
  TimeFeatures ofRuns() const;

  size_t runs() const { return runRows.size(); }
  /// A part of the program that was observed by samples, on average over their executions.
  struct Observed {
    size_t part = 0; ///< of SampledParts
    double time = 0; ///< ns in user mode, of all executions
    double samples = 0;
  };
  /// Rows of features behind those of runs.
  const std::vector<Observed> &observedParts() const { return observed; }
  size_t rows() const { return runs() + observed.size(); }
  /// Some run had such an event.
  bool met(Event event) const;
  /// Such events are free from now on.
  void forget(Event event);
  /// Bytes of these `callee` features are free from now on.
  void forgetBytes(std::span<const size_t> features);
  /// `callee` features of bytes with a price below 0.
  std::vector<size_t> bytesBelowNothing(const Coefficients &c) const;
  /// The first guess of the cost of each row, without callees that were not sampled.
  const std::vector<double> &guessed() const { return work; }
  /// Sums over the features of a group of products of two rows.
  Gram gram(Feature group) const;
  /// Per feature of a group, the sum over rows of weight x feature.
  std::vector<double> dot(Feature group, std::span<const double> weights) const;

  /// In units of the guess: what one more execution of a block that ran adds to the cost of a run,
  /// carried misses included; may be below 0.
  double weight(size_t block, const Coefficients &c) const;
  /// The same of each block's code alone, as samples are to be told by it: none below 0, and bodies
  /// cost what they do in the runs that were sampled.
  std::vector<double> codeOfBlocks(const Coefficients &c) const;
  /// The price of a class, not below a quarter of its guess.
  double price(InstructionClass kind, const Coefficients &c) const;
  /// The price of an event, which may be below 0.
  double price(Event event, const Coefficients &c) const;
  /// Prices of calls of functions that are not instrumented, by name; those above 0.
  std::map<std::string, double> callees(const Coefficients &c) const;
  /// The same of the bytes that they move.
  std::map<std::string, double> bytes(const Coefficients &c) const;
  /// A body that ran in a program that was sampled.
  struct SampledBody {
    size_t part = 0; ///< of SampledParts
    double samples = 0;
    double factor = 1; ///< how many times as much as by the guess of the machine its code costs
  };
  /// Empty where nothing was sampled.
  std::vector<SampledBody> sampledBodies(const Coefficients &c) const;
  /// Samples of bodies in the runs `of`, by part: how many there are, and how many prices make
  /// expect where a unit of the guess is `units` ns in a run that takes `times` ns.
  struct Foretold {
    double expected = 0, heard = 0;
  };
  std::map<size_t, Foretold> foretell(const std::vector<size_t> &of, const Coefficients &c,
                                      std::span<const double> units,
                                      std::span<const double> times) const;
  /// Of all inputs that were sampled: samples, of no part too, and processor time in user mode, as
  /// a share of all.
  double samples() const { return allSamples; }
  double userShare() const { return inUserMode; }
  /// ns per execution that no part of the program took in user mode, in a run that takes little of
  /// it: about the start and the end of the process, with what the kernel does for them. 0: not
  /// known.
  double outsideOfParts() const { return outside; }
  /// What events and counted bytes cost in each run, but for events that weights include.
  std::vector<double> events(const Coefficients &c) const;
  /// The cost of each run: weights times counts, and events.
  std::vector<double> cost(const Coefficients &c) const;

  /// A block that was executed in one of the runs; blocks of a function follow each other.
  struct BlockFeature {
    struct OfBody {
      uint32_t body = 0;  ///< among `body` features
      double share = 0;   ///< of its lines
      double portion = 0; ///< of its guess
    };
    struct Called {
      uint32_t call = 0;   ///< of Function::calls
      uint32_t callee = 0; ///< among `callee` features
      size_t part = 0;     ///< of SampledParts
      double times = 1;    ///< the number of bytes, where these are the feature and constant
      double moved = 1;    ///< how many times as much a call costs there, by samples
      double all() const { return times * moved; }
    };
    uint32_t function = 0; ///< index into CountMatrix::functions
    uint32_t block = 0;
    double alone = 0;           ///< guess of its cost by its instructions
    double moved = 1;           ///< how many times as much it is by samples
    std::vector<OfBody> bodies; ///< it is of
    std::vector<Called> called; ///< one per call
    MissRate missed{};          ///< carried misses per execution
    std::vector<double> counts; ///< one per row, times its factor
    double guess() const { return alone * moved; }
  };
  const std::vector<BlockFeature> &blocks() const { return executed; }
  const Function &function(const BlockFeature &e) const;
  /// What a call costs where it is made, or its constant bytes, at least 0.
  double price(const BlockFeature::Called &call, const Coefficients &c) const;

private:
  using Totals = std::vector<double>; ///< one per row
  /// An event that code counts itself, in a block.
  struct CountedEvent {
    size_t block = 0; ///< number in `executed`
    Event event = Event::mispredict;
    Totals counts; ///< one per run
  };
  /// Bytes that code counts itself, of a call.
  struct CountedBytes {
    uint32_t callee = 0; ///< among `callee` features
    size_t part = 0;     ///< of SampledParts
    Totals counts;       ///< one per run
  };
  /// What `callee` features are of.
  struct CalleeFeature {
    std::string name;
    bool isBytes = false; ///< or calls
    bool entersKernel = false;
    double scale = 0;       ///< how much a coefficient of 1 is
    double kernelScale = 0; ///< the same, of what they do there
    double guess = 0;       ///< 0: was not sampled
  };
  std::vector<BlockFeature> blocksOf(uint32_t f, const MissRates &carried) const;
  void countBlocks(uint32_t f, const std::vector<std::vector<double>> &rows,
                   std::vector<BlockFeature> &own, std::vector<CountedEvent> &events) const;
  void addUp();
  void addBlock(BlockFeature &e);
  void addEvents();
  void addBytes();
  /// Of rows of runs, that of a part of which a block is a portion.
  double inPart(std::span<const double> counts, double portion) const;
  double moveBodies(std::span<const double> heard);
  void moveCallees(std::span<const double> heard, double perSample);
  void addFunction(uint32_t f, const std::vector<std::vector<double>> &rows,
                   const MissRates &carried);
  void addOfRuns(Event event, std::optional<double> CountMatrix::Row::*number);
  void divide(BlockFeature &e);
  double calleePrice(size_t number, const Coefficients &c) const;
  template <class Visit> void forEach(Feature group, Visit visit) const;
  uint32_t calleeOf(const std::string &name, bool isBytes);
  void addCalls(uint32_t f, const std::vector<std::vector<double>> &rows,
                std::vector<BlockFeature> &own);
  std::map<std::string, double> prices(bool ofBytes, const Coefficients &c) const;
  uint32_t bodyOf(size_t body);

  const CountMatrix &matrix;
  const std::vector<Map> &maps;
  std::array<double, classCount> guess{}; ///< of classes
  std::array<double, eventCount> guessOfEvent{};
  const SampledParts &parts;
  std::vector<size_t> runRows;                                   ///< of the matrix
  std::set<std::string> instrumented;                            ///< functions, by name
  std::map<std::pair<std::string, bool>, uint32_t> calleeNumber; ///< by name and isBytes
  std::vector<CalleeFeature> calleeFeatures;
  std::map<size_t, uint32_t> bodyNumber; ///< by number of the part
  std::vector<size_t> partOfBody;
  std::vector<double> bodyMoved; ///< how many times as much bodies cost by samples; empty: none
  std::vector<double> bodySamples;
  double allSamples = 0, inUserMode = 1, outside = 0;
  std::vector<Observed> observed;
  std::map<size_t, size_t> rowOfPart;
  std::vector<double> executions; ///< that were sampled, per run
  Totals work;
  std::array<Totals, classCount> kinds;     ///< in cost units, by guess
  std::array<Totals, eventCount> happened;  ///< how many, carried ones too
  std::array<bool, eventCount> isCarried{}; ///< by rates
  std::vector<Totals> called, bodies;
  std::vector<Totals> inKernel; ///< of `called`, in runs; nothing of what stays in user mode
  std::vector<BlockFeature> executed;
  std::vector<CountedEvent> counted;
  std::vector<CountedBytes> movedBytes;
};

} // namespace quincunx
