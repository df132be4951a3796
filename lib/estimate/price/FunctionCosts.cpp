// Costs of functions as totals are made of them.
#include "FunctionCosts.h"

namespace quincunx {

namespace {
constexpr double mostUnsolved = 0.05; ///< of the runs
} // namespace

size_t rootOf(const BlockCosts &blocks, const std::string &request) {
  for (size_t f = 0; f < blocks.matrix().functions.size(); ++f)
    if (blocks.function(f).name == (request.empty() ? "main" : request))
      return f;
  return TotalCosts::none;
}

std::vector<TotalCosts::PerRun> ownCosts(const BlockCosts &blocks, size_t order) {
  std::vector<TotalCosts::PerRun> own;
  for (size_t f = 0; f < blocks.matrix().functions.size(); ++f)
    own.push_back(blocks.perRun(f, order));
  return own;
}

bool isKnown(const TotalCosts &calls, size_t runs) {
  return static_cast<double>(calls.unsolved()) <= mostUnsolved * static_cast<double>(runs);
}

} // namespace quincunx
