// Reads models and values of their parameters for the verbs that take a model, and shows the place
// of an error in it. It evaluates nothing.
#include "ModelFile.h"

#include "system/ExitStatus.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Parse.h"

namespace quincunx::tool {

Result<pamela::Model> readModel(const std::string &path) {
  Result<pamela::Model> model = pamela::parse(path);
  if (!model)
    return model;
  if (const std::vector<Error> wrong = pamela::check(*model); !wrong.empty())
    return wrong.front();
  return model;
}

int failInModel(const Error &error) {
  fail(error);
  const Result<std::string> text =
      error.column == 0 ? Result<std::string>(std::string()) : readTextFile(error.file);
  if (text)
    std::fputs(pamela::pointOut(error, *text).c_str(), stderr);
  return failed;
}

Result<std::map<std::string, double>> parseDefines(const std::vector<std::string> &texts,
                                                   const char *option) {
  std::map<std::string, double> out;
  for (const std::string &text : texts) {
    const size_t equals = text.find('=');
    double value = 0;
    if (equals == 0 || equals == std::string::npos || !parseNumber(text.substr(equals + 1), value))
      return Error{std::string(option) + " " + escape(text) + " is not NAME=NUMBER"};
    out[text.substr(0, equals)] = value;
  }
  return out;
}

} // namespace quincunx::tool
