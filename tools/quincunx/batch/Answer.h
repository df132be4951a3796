// The calculator behind `quincunx law`: a JSON request in, a JSON answer out. Requests and answers
// are listed in docs/09-percentiles-and-bounds.md and quincunx(1).
#pragma once

#include "JsonRequest.h"

#include "quincunx/dist/Distribution.h"

namespace quincunx::tool {

struct Answer {
  Json json;
  DistributionPtr law; ///< where there is one, for who wants to see it
};

/// The answer, or the reason why there is none. Never throws, whatever the request holds.
Result<Answer> answer(const Json &request);

// One function per operation.
Result<Answer> answerFit(const Json &request);
Result<Answer> answerJoin(const Json &request);
Result<Answer> answerSkeleton(const Json &request);
Result<Answer> answerCompose(const Json &request);
Result<Answer> answerMix(const Json &request);
Result<Answer> answerBranch(const Json &request);
Result<Answer> answerConvert(const Json &request);
Result<Answer> answerRenewal(const Json &request);
Result<Answer> answerEliminate(const Json &request);

} // namespace quincunx::tool
