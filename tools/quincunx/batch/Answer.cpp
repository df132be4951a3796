// Finds the function that answers a request. It computes nothing.
#include "Answer.h"

#include "quincunx/base/Nearest.h"

namespace quincunx::tool {

namespace {
struct Operation {
  const char *name;
  Result<Answer> (*answer)(const Json &);
};
constexpr Operation operations[] = {
    {"fit", answerFit},         {"join", answerJoin},       {"skeleton", answerSkeleton},
    {"compose", answerCompose}, {"mix", answerMix},         {"branch", answerBranch},
    {"convert", answerConvert}, {"renewal", answerRenewal}, {"eliminate", answerEliminate},
};
} // namespace

Result<Answer> answer(const Json &request) {
  const Result<std::string> op = textIn(request, "op");
  if (!op)
    return op.error();
  std::vector<std::string> names;
  for (const Operation &o : operations) {
    if (*op == o.name)
      return o.answer(request);
    names.emplace_back(o.name);
  }
  const std::string near = nearest(*op, names);
  return Error{"there is no operation \"" + *op + "\"" +
               (near.empty() ? "" : "; did you mean \"" + near + "\"?")};
}

} // namespace quincunx::tool
