// Expressions of models as C or Python. Reference: docs/12-pamela.md, "Formulas elsewhere".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

enum class CodeLanguage : uint8_t { c, python };

/// Writes one function. C has no expression for a sum, which becomes a loop in front of the result;
/// loops of what is chosen stand where that is.
class CodeWriter {
public:
  /// `names`: how parameters are called in the language.
  CodeWriter(CodeLanguage l, const std::map<std::string, std::string> &parameters)
      : language(l), names(parameters) {}

  /// What stands between the head of the function and its end; an error where it is random.
  Result<std::string> body(const pamela::Node &n);

  std::set<std::string> helpers; ///< functions that it calls, by name

private:
  /// How tightly a text binds.
  enum class Binding : uint8_t { choice, logic, comparison, sum, product, unary, primary };
  struct Text {
    std::string text;
    Binding binding = Binding::primary;
  };
  bool isC() const { return language == CodeLanguage::c; }
  std::string in(const pamela::Node &n, Binding least);
  Text text(const pamela::Node &n);
  Text chain(const pamela::Node &n);
  Text infix(const pamela::Node &n, const std::string &sign, Binding binding);
  Text number(double x) const;
  Text call(const std::string &function, const std::vector<std::string> &args);
  Text function(const pamela::Node &n);
  Text largest(const std::string &function, const std::vector<std::string> &args);
  Text choice(const std::string &condition, const pamela::Node *yes, const pamela::Node *no);
  Text select(const pamela::Node &n);
  Text over(const pamela::Node &n);
  Text loop(const pamela::Node &n, const std::string &index, const std::string &from,
            const std::string &to);
  Text refuse(const std::string &what);
  std::string condition(const pamela::Node &n);
  std::string fresh(const std::string &name);
  void line(const std::string &text) { statements += std::string(indent, ' ') + text + "\n"; }

  CodeLanguage language;
  const std::map<std::string, std::string> &names;
  std::vector<std::pair<std::string, std::string>> indices; ///< with their names, inner ones last
  std::set<std::string> taken;
  std::string statements; ///< of C
  size_t indent = 2;
  std::optional<std::string> refused;
};

} // namespace quincunx
