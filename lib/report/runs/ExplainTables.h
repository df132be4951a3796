// What tables of an explanation have in common: a row for each thing that is worth a line, the
// largest share first.
#pragma once

#include "Ranking.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Explain.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <ostream>

namespace quincunx {

class ExplainTables {
public:
  ExplainTables(const Explained &explained, const ExplainOptions &o, std::ostream &stream)
      : e(explained), options(o), out(stream), labels(e.functions, e.observed.images, o.display) {}

protected:
  /// Smaller shares are shown as 0.0 %.
  static constexpr double visible = 0.0005;

  const char *runs() const { return e.observed.request.empty() ? "runs" : "requests"; }
  std::string function(size_t f) const { return labels.of(e.functions[f]); }

  void title(const std::string &text) { out << "\n" << heading(text, options.display) << "\n"; }

  enum class Last : uint8_t { names, sentences }; ///< what the last column holds
  /// Prints those of `n` rows, the last `left` columns flush left, that the options ask for and
  /// that are worth a line.
  template <class Key, class Row>
  void table(std::vector<std::string> headings, size_t left, size_t n, const char *what, Key key,
             Row row, Last last = Last::names) {
    Grid grid(std::move(headings), left);
    if (last == Last::sentences)
      grid.holdsSentences();
    size_t shown = 0, worth = 0;
    for (size_t i = 0; i < n; ++i)
      worth += std::abs(key(i)) >= visible;
    for (const size_t i : ranked(n, options.top, key))
      if (std::abs(key(i)) >= visible) {
        grid.add(row(i));
        ++shown;
      }
    if (shown == 0)
      return;
    grid.print(out, options.display);
    printRest(shown, worth, what, out);
  }

  /// Says how many of them stand in code of others, which no default table has.
  template <class Item> std::vector<Item> ofUser(const std::vector<Item> &all) const {
    std::vector<Item> own;
    for (const Item &item : all)
      if (!item.at.foreign)
        own.push_back(item);
    return own;
  }
  void sayForeign(size_t n, const char *what) {
    if (n > 0)
      out << "(" << n << " " << what << " in code of headers: --headers shows them)\n";
  }

  std::string placeText(const SourceLine &at) const;
  /// Of a loop or a branch: it says where it is in code of others.
  std::string placeInText(const SourceLine &at) const {
    return placeText(at) + (at.called ? ", in what it calls" : "");
  }
  /// "x 2.50"; "new" of what was nothing.
  static std::string times(double n, double of);

  const Explained &e;
  const ExplainOptions &options;
  std::ostream &out;
  Labels labels;
};

/// The tail, groups of runs, and the slowest, each against others.
void printTails(const Explained &e, const ExplainOptions &options, std::ostream &out);

} // namespace quincunx
