// Trees as a whole: are two the same, and how to take one apart.
// The idea: a sum of 100,000 terms is a tree that deep, so neither may recurse.
// Reference: docs/12-pamela.md. It does not know what they mean.
#include "quincunx/pamela/Ast.h"

#include <atomic>
#include <iterator>

namespace quincunx::pamela {

Node::~Node() {
  std::vector<Tree> waiting = std::move(args);
  while (!waiting.empty()) {
    const Tree last = std::move(waiting.back());
    waiting.pop_back();
    if (last.use_count() != 1)
      continue;
    // Nobody else can get at it any more, and it is about to go: its parts may be taken.
    std::atomic_thread_fence(std::memory_order_acquire);
    std::vector<Tree> &own = const_cast<Node &>(*last).args;
    waiting.insert(waiting.end(), std::move_iterator(own.begin()), std::move_iterator(own.end()));
    own.clear();
  }
}

bool same(const Tree &a, const Tree &b) {
  std::vector<std::pair<const Node *, const Node *>> waiting{{a.get(), b.get()}};
  while (!waiting.empty()) {
    const auto [x, y] = waiting.back();
    waiting.pop_back();
    if (x == y)
      continue;
    if (!x || !y || x->op != y->op || x->value != y->value || x->text != y->text ||
        x->args.size() != y->args.size())
      return false;
    for (size_t i = 0; i < x->args.size(); ++i)
      waiting.emplace_back(x->args[i].get(), y->args[i].get());
  }
  return true;
}

} // namespace quincunx::pamela
