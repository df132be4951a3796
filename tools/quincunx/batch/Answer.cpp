// Finds the function that answers a request. It computes nothing.
#include "Answer.h"

#include "quincunx/base/Nearest.h"

#include <algorithm>

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

/// Is any figure of it not finite? JSON would have null for it, which is for open ends of bounds.
bool hasNull(const Json &json) {
  return json.is_null() || (json.is_structured() && std::any_of(json.begin(), json.end(), hasNull));
}

Result<Answer> inRange(Result<Answer> a) {
  if (a)
    for (const auto &[name, figures] : a->json.items())
      if (name != "bounds" && hasNull(figures))
        return Error{"the result is out of the range of a double"};
  return a;
}
} // namespace

Result<Answer> answer(const Json &request) {
  const Result<std::string> op = textIn(request, "op");
  if (!op)
    return op.error();
  std::vector<std::string> names;
  for (const Operation &o : operations) {
    if (*op == o.name)
      return inRange(o.answer(request));
    names.emplace_back(o.name);
  }
  const std::string near = nearest(*op, names);
  return Error{"there is no operation \"" + *op + "\"" +
               (near.empty() ? "" : "; did you mean \"" + near + "\"?")};
}

} // namespace quincunx::tool
