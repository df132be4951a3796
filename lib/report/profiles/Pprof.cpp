// The format of pprof's profile.proto.
// The idea: a sample is a stack of places, innermost first, and what is spent there. What a stack
// spends is divided among the lines of its last function as all that the function spends is; the
// other places are those of the calls. Texts, functions and places are written once and are numbers
// from then on.
#include "quincunx/report/Pprof.h"

#include "Protobuf.h"
#include "WholeCosts.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/CostStacks.h"

#include <map>
#include <ostream>
#include <tuple>

namespace quincunx {

namespace {

// Fields by their numbers.
namespace profile {
enum : uint32_t { sampleType = 1, sample, mapping, location, function, text, comment = 13 };
}
namespace valueType {
enum : uint32_t { type = 1, unit };
}
namespace sample {
enum : uint32_t { locations = 1, values };
}
namespace mapping {
enum : uint32_t { id = 1, file = 5, hasFunctions = 7, hasFiles, hasLines };
}
namespace location {
enum : uint32_t { id = 1, mapping, line = 4 };
}
namespace line {
enum : uint32_t { function = 1, number };
}
namespace function {
enum : uint32_t { id = 1, name, linkageName, file, line };
}

/// Numbers from 1 on, in the order of coming.
template <class Key> class Numbers {
public:
  /// The number, and whether it is new.
  std::pair<int64_t, bool> operator()(const Key &key) {
    const auto [at, isNew] = numbers.try_emplace(key, numbers.size() + 1);
    return {at->second, isNew};
  }

private:
  std::map<Key, int64_t> numbers;
};

class PprofWriter {
public:
  PprofWriter(const CostGraph &g, const FunctionNames &n) : graph(g), names(n), whole(g, "ns") {
    text(""); // the first of them
    for (size_t f = 0; f < graph.functions.size(); ++f)
      for (const CostGraph::Call &c : graph.functions[f].calls)
        callOf.try_emplace({f, c.callee}, &c);
  }

  const std::string &encode() {
    ProtobufMessage type;
    const bool isTime = whole.unit() == "ns";
    type.number(valueType::type, text(isTime ? "cpu" : "cost"));
    type.number(valueType::unit, text(isTime ? "nanoseconds" : whole.unit()));
    out.message(profile::sampleType, type);
    out.number(profile::comment,
               text(graph.what + " of " + std::to_string(WholeCosts::number(graph.runs)) +
                    " runs, machine " + escape(graph.machine)));
    for (const CostStack &s : stacksOf(graph))
      add(s);
    return out.encoded();
  }

private:
  static constexpr size_t outside = SIZE_MAX; ///< of functions

  void add(const CostStack &s) {
    if (s.functions.empty()) {
      add({place(outside, "", 0)}, s.cost);
      return;
    }
    std::vector<int64_t> callers; // innermost first
    for (size_t i = s.functions.size() - 1; i-- > 0;) {
      const CostGraph::Call &call = *callOf.at({s.functions[i], s.functions[i + 1]});
      callers.push_back(place(s.functions[i], call.file, call.line));
    }
    const CostGraph::Function &last = graph.functions[s.functions.back()];
    if (s.cost == 0)
      return;
    for (const CostGraph::Line &l : last.lines) {
      std::vector<int64_t> stack{place(s.functions.back(), l.file, l.line)};
      stack.insert(stack.end(), callers.begin(), callers.end());
      add(stack, s.cost * l.cost / last.self);
    }
  }

  void add(const std::vector<int64_t> &stack, double cost) {
    const int64_t value = whole.next(cost);
    if (value == 0)
      return;
    ProtobufMessage m;
    m.numbers(sample::locations, stack);
    m.numbers(sample::values, {value});
    out.message(profile::sample, m);
  }

  int64_t text(const std::string &s) {
    const auto [number, isNew] = texts(s);
    if (isNew)
      out.bytes(profile::text, s);
    return number - 1; // the empty one is 0
  }

  int64_t place(size_t f, const std::string &file, uint32_t number) {
    const auto [id, isNew] = places({f, file, number});
    if (isNew) {
      ProtobufMessage l;
      l.number(line::function, functionIn(f, file));
      l.number(line::number, number);
      ProtobufMessage m;
      m.number(location::id, id);
      if (f != outside && !graph.functions[f].image.empty())
        m.number(location::mapping, image(graph.functions[f].image));
      m.message(location::line, l);
      out.message(profile::location, m);
    }
    return id;
  }

  /// What is of another file was inlined.
  int64_t functionIn(size_t f, const std::string &file) {
    const auto [id, isNew] = functions({f, file});
    if (isNew) {
      ProtobufMessage m;
      m.number(function::id, id);
      m.number(function::file, text(escapeWhole(file)));
      if (f == outside) {
        m.number(function::name, text("(outside functions)"));
      } else {
        const CostGraph::Function &own = graph.functions[f];
        m.number(function::name, text(escape(names.of(own.name))));
        m.number(function::linkageName, text(escapeWhole(own.name)));
        m.number(function::line, own.file == file ? own.line : 0);
      }
      out.message(profile::function, m);
    }
    return id;
  }

  int64_t image(const std::string &path) {
    const auto [id, isNew] = images(path);
    if (isNew) {
      ProtobufMessage m;
      m.number(mapping::id, id);
      m.number(mapping::file, text(escapeWhole(path)));
      for (const uint32_t known : {mapping::hasFunctions, mapping::hasFiles, mapping::hasLines})
        m.number(known, 1);
      out.message(profile::mapping, m);
    }
    return id;
  }

  const CostGraph &graph;
  const FunctionNames &names;
  WholeCosts whole;
  std::map<std::pair<size_t, size_t>, const CostGraph::Call *> callOf; ///< by caller and callee
  Numbers<std::string> texts, images;
  Numbers<std::pair<size_t, std::string>> functions;
  Numbers<std::tuple<size_t, std::string, uint32_t>> places;
  ProtobufMessage out;
};

} // namespace

void printPprof(const CostGraph &graph, const FunctionNames &names, std::ostream &out) {
  out << PprofWriter(graph, names).encode();
}

} // namespace quincunx
