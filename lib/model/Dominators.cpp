// Dominators by iteration over the reverse postorder. It is meant for graphs of some thousand
// nodes.
#include "Dominators.h"

#include <algorithm>

namespace quincunx {

namespace {
constexpr uint32_t nobody = UINT32_MAX;

std::vector<uint32_t> postorder(const Shape &s, uint32_t entry) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(s.successors.size());
  std::vector<std::pair<uint32_t, size_t>> stack{{entry, 0}};
  seen[entry] = true;
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next == s.successors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const uint32_t to = s.successors[node][next++];
    if (seen[to])
      continue;
    seen[to] = true;
    stack.emplace_back(to, 0);
  }
  return order;
}

/// Where a node stands among those a dominator tree's preorder gives: b is below a when its
/// interval is within that of a.
struct Below {
  explicit Below(const std::vector<uint32_t> &dominator);
  bool operator()(uint32_t a, uint32_t b) const { // a dominates b
    return first[a] <= first[b] && last[b] <= last[a];
  }
  std::vector<uint32_t> first, last;
};

Below::Below(const std::vector<uint32_t> &dominator)
    : first(dominator.size(), 0), last(dominator.size(), 0) {
  std::vector<std::vector<uint32_t>> children(dominator.size());
  uint32_t time = 0;
  std::vector<std::pair<uint32_t, size_t>> stack;
  for (uint32_t n = 0; n < dominator.size(); ++n)
    if (dominator[n] == n) {
      stack.emplace_back(n, 0);
      first[n] = ++time;
    } else if (dominator[n] != nobody)
      children[dominator[n]].push_back(n);
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next == children[node].size()) {
      last[node] = ++time;
      stack.pop_back();
      continue;
    }
    const uint32_t child = children[node][next++];
    first[child] = ++time;
    stack.emplace_back(child, 0);
  }
}

} // namespace

Shape reversed(const Shape &s) {
  Shape r;
  r.successors.resize(s.successors.size());
  for (uint32_t n = 0; n < s.successors.size(); ++n)
    for (const uint32_t to : s.successors[n])
      r.successors[to].push_back(n);
  return r;
}

std::vector<bool> reachable(const Shape &s, uint32_t from) {
  std::vector<bool> seen(s.successors.size());
  for (const uint32_t n : postorder(s, from))
    seen[n] = true;
  return seen;
}

std::vector<bool> reaching(const Shape &s, uint32_t to) { return reachable(reversed(s), to); }

std::vector<uint32_t> dominators(const Shape &s, uint32_t entry) {
  const std::vector<uint32_t> order = postorder(s, entry);
  std::vector<uint32_t> place(s.successors.size(), nobody), dominator(place);
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  const Shape back = reversed(s);
  dominator[entry] = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size() - 1; i-- > 0;) {
      const uint32_t n = order[i];
      uint32_t best = nobody;
      for (uint32_t p : back.successors[n]) {
        if (dominator[p] == nobody)
          continue;
        if (best == nobody)
          best = p;
        while (p != best)
          if (place[p] < place[best])
            p = dominator[p];
          else
            best = dominator[best];
      }
      changed = changed || dominator[n] != best;
      dominator[n] = best;
    }
  }
  return dominator;
}

std::vector<std::vector<uint32_t>> innermostLoops(const Shape &s,
                                                  const std::vector<uint32_t> &dominator) {
  const Below dominates(dominator);
  const Shape back = reversed(s);
  const auto nodes = static_cast<uint32_t>(s.successors.size());
  std::vector<std::vector<uint32_t>> loops;
  std::vector<bool> isHeader(nodes);
  for (uint32_t h = 0; h < nodes; ++h) {
    if (dominator[h] == nobody)
      continue;
    std::vector<uint32_t> members{h};
    std::vector<bool> in(nodes);
    in[h] = true;
    const auto take = [&](uint32_t n) {
      if (in[n] || dominator[n] == nobody)
        return;
      in[n] = true;
      members.push_back(n);
    };
    for (const uint32_t p : back.successors[h])
      if (dominator[p] != nobody && dominates(h, p)) {
        isHeader[h] = true;
        take(p);
      }
    for (size_t i = 1; i < members.size(); ++i)
      for (const uint32_t p : back.successors[members[i]])
        take(p);
    if (isHeader[h])
      loops.push_back(std::move(members));
  }
  std::erase_if(loops, [&](const std::vector<uint32_t> &members) {
    return std::any_of(members.begin() + 1, members.end(), [&](uint32_t n) { return isHeader[n]; });
  });
  return loops;
}

std::vector<uint32_t> smallestPart(const Shape &s, uint32_t entry, uint32_t exit) {
  const Shape back = reversed(s);
  const std::vector<uint32_t> after = dominators(back, exit);
  const std::vector<bool> begins = reachable(s, entry);
  std::vector<uint32_t> best, seen(s.successors.size(), 0);
  uint32_t attempt = 0;
  const auto small = [&](size_t n) { return best.empty() || n < best.size(); };
  /// What lies between h and `end`, if it is entered at h only.
  const auto between = [&](uint32_t h, uint32_t end) {
    std::vector<uint32_t> members{h};
    seen[h] = ++attempt;
    for (size_t i = 0; i < members.size() && small(members.size()); ++i)
      for (const uint32_t to : s.successors[members[i]])
        if (to != end && seen[to] != attempt) {
          seen[to] = attempt;
          members.push_back(to);
        }
    const auto fromWithin = [&](uint32_t n) {
      return n == h || std::all_of(back.successors[n].begin(), back.successors[n].end(),
                                   [&](uint32_t p) { return seen[p] == attempt; });
    };
    if (!small(members.size()) || !std::all_of(members.begin(), members.end(), fromWithin))
      members.clear();
    return members;
  };
  for (uint32_t h = 0; h < s.successors.size(); ++h) {
    if (h == entry || h == exit || !begins[h])
      continue;
    // All ways from h pass `end`.
    for (uint32_t end = h; end != exit;) {
      end = after[end];
      if (std::vector<uint32_t> members = between(h, end); members.size() > 1)
        best = std::move(members);
    }
  }
  return best;
}

} // namespace quincunx
