// Strongly connected components, by Boost's graph library.
#include "quincunx/numeric/Cycles.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace quincunx {

std::vector<size_t> cyclesOf(std::span<const std::vector<size_t>> next) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(next.size());
  for (size_t from = 0; from < next.size(); ++from)
    for (const size_t to : next[from])
      boost::add_edge(from, to, graph);
  std::vector<size_t> cycles(next.size());
  boost::strong_components(graph, boost::make_iterator_property_map(
                                      cycles.begin(), boost::get(boost::vertex_index, graph)));
  return cycles;
}

} // namespace quincunx
