// A program of today for names.sh: containers, lambdas, templates, exceptions, coroutines, threads.
// Its only argument is how much it does. What it computes does not matter.
#include <algorithm>
#include <array>
#include <bitset>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#define FAR __attribute__((noinline))

namespace warehouse {

inline namespace v2 {
struct Item {
  std::string name;
  int weight = 0;
  auto operator<=>(const Item &) const = default;
  explicit operator bool() const { return weight != 0; }
};
struct ItemHash {
  size_t operator()(const Item &i) const { return std::hash<std::string>()(i.name) ^ size_t(i.weight); }
};
} // namespace v2

class OutOfStock : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Shelf {
public:
  virtual ~Shelf() = default;
  virtual long store(const Item &item) = 0;
};

template <class Key, class Order = std::less<Key>> class Ordered : public Shelf {
public:
  FAR long store(const Item &item) override {
    ++entries[make(item)];
    return long(entries.size());
  }

private:
  static Key make(const Item &item) {
    if constexpr (std::is_same_v<Key, std::string>)
      return item.name;
    else
      return Key(item.weight);
  }
  std::map<Key, long, Order> entries;
};

template <class T, size_t N> class Ring {
public:
  FAR void push(T value) { values[next++ % N] = std::move(value); }
  FAR T &operator[](size_t i) { return values[i % N]; }
  FAR long operator()(long scale) const { return scale * long(next); }
  FAR operator long() const { return long(next); }
  FAR bool operator<(const Ring &other) const { return next < other.next; }
  FAR Ring &operator<<(T value) {
    push(std::move(value));
    return *this;
  }
  FAR T *operator->() { return values.data(); }

private:
  std::array<T, N> values{};
  size_t next = 0;
};

FAR long weigh(int weight) { return 2L * weight; }
FAR long weigh(const std::string &name) { return long(name.size()); }
FAR long weigh(const std::vector<Item> &items) {
  return std::accumulate(items.begin(), items.end(), 0L, [](long sum, const Item &i) { return sum + weigh(i.weight); });
}

template <class... Ts> FAR long weighAll(const Ts &...things) { return (weigh(things) + ... + 0L); }

template <class Container, class F> FAR long total(const Container &all, F f) {
  long sum = 0;
  for (const auto &each : all)
    sum += f(each);
  return sum;
}

} // namespace warehouse

namespace {

using warehouse::Item;

struct Counter {
  struct promise_type {
    long value = 0;
    Counter get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long v) noexcept {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

FAR Counter countTo(long n) {
  for (long i = 0; i < n; ++i)
    co_yield i * i;
}

long sumOf(Counter c) {
  long sum = 0;
  for (c.handle.resume(); !c.handle.done(); c.handle.resume())
    sum += c.handle.promise().value;
  c.handle.destroy();
  return sum;
}

std::vector<Item> itemsOf(int n) {
  std::vector<Item> items;
  unsigned seed = 12345;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1103515245u + 12345u;
    items.push_back({"item " + std::to_string(seed % 97), int(seed >> 16) % 50});
  }
  return items;
}

FAR long sequences(const std::vector<Item> &items) {
  std::vector<int> weights;
  std::vector<std::string> names;
  std::vector<double> halves;
  std::vector<std::pair<std::string, int>> pairs;
  std::deque<Item> waiting;
  std::deque<int> numbers;
  std::list<Item> linked;
  std::list<std::string> words;
  std::forward_list<int> single;
  for (const Item &i : items) {
    weights.push_back(i.weight);
    names.push_back(i.name);
    halves.push_back(i.weight / 2.0);
    pairs.emplace_back(i.name, i.weight);
    waiting.push_back(i);
    numbers.push_front(i.weight);
    linked.push_back(i);
    words.push_front(i.name);
    single.push_front(i.weight);
  }
  std::sort(weights.begin(), weights.end(), [](int a, int b) { return a % 10 < b % 10; });
  std::sort(names.begin(), names.end());
  std::sort(pairs.begin(), pairs.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  std::stable_sort(halves.begin(), halves.end(), std::greater<>());
  linked.sort([](const Item &a, const Item &b) { return a.weight < b.weight; });
  words.unique();
  while (waiting.size() > 3)
    waiting.pop_front();
  return weights.front() + long(names.size() + words.size()) + numbers.back() + *single.begin() + long(halves[0]);
}

FAR long dictionaries(const std::vector<Item> &items) {
  std::map<std::string, int> byName;
  std::map<int, std::vector<Item>> byWeight;
  std::map<std::string, std::map<int, std::string>> nested;
  std::multimap<int, std::string> several;
  std::set<std::string> names;
  std::set<int, std::greater<int>> falling;
  std::multiset<double> doubles;
  std::set<std::tuple<int, std::string, double>> tuples;
  for (const Item &i : items) {
    byName[i.name] += i.weight;
    byWeight[i.weight].push_back(i);
    nested[i.name][i.weight] = i.name;
    several.emplace(i.weight, i.name);
    names.insert(i.name);
    falling.insert(i.weight);
    doubles.insert(i.weight / 3.0);
    tuples.insert({i.weight, i.name, 1.0});
  }
  return long(byName.size() + byWeight.size() + nested.size() + several.count(7) + names.size() + falling.size() +
              doubles.size() + tuples.size());
}

FAR long tables(const std::vector<Item> &items) {
  std::unordered_map<std::string, std::string> strings;
  std::unordered_map<std::string, std::vector<int>> lists;
  std::unordered_map<int, double> numbers;
  std::unordered_map<Item, int, warehouse::ItemHash> own;
  std::unordered_set<std::string> seen;
  std::unordered_set<int> weights;
  std::unordered_multimap<int, Item> several;
  for (const Item &i : items) {
    strings[i.name] = i.name + "!";
    lists[i.name].push_back(i.weight);
    numbers[i.weight] += 0.5;
    ++own[i];
    seen.insert(i.name);
    weights.insert(i.weight);
    several.emplace(i.weight, i);
  }
  return long(strings.size() + lists.size() + numbers.size() + own.size() + seen.size() + weights.size() +
              several.size());
}

FAR long adaptors(const std::vector<Item> &items) {
  std::priority_queue<int> largest;
  std::priority_queue<std::pair<int, std::string>, std::vector<std::pair<int, std::string>>, std::greater<>> first;
  std::queue<std::string> line;
  std::stack<Item, std::vector<Item>> pile;
  std::vector<std::unique_ptr<Item>> owned;
  std::vector<std::shared_ptr<const Item>> shared;
  std::vector<std::optional<std::variant<int, std::string>>> either;
  std::vector<std::function<long(const Item &)>> work;
  std::bitset<64> bits;
  for (const Item &i : items) {
    largest.push(i.weight);
    first.emplace(i.weight, i.name);
    line.push(i.name);
    pile.push(i);
    owned.push_back(std::make_unique<Item>(i));
    shared.push_back(std::make_shared<const Item>(i));
    either.emplace_back(i.weight % 2 == 0 ? std::variant<int, std::string>(i.weight) : i.name);
    work.emplace_back([weight = i.weight](const Item &of) { return long(weight + of.weight); });
    bits.flip(size_t(i.weight));
  }
  long sum = long(bits.count());
  for (const auto &f : work)
    sum += f(*owned.front());
  for (const auto &e : either)
    sum += std::visit([](const auto &x) { return warehouse::weigh(x); }, *e);
  return sum + largest.top() + long(line.size() + pile.size() + shared.size() + first.size());
}

FAR long take(const std::map<std::string, int> &stock, const std::string &name) {
  const auto found = stock.find(name);
  if (found == stock.end())
    throw warehouse::OutOfStock("no " + name);
  return found->second;
}

FAR long exceptions(const std::vector<Item> &items) {
  std::map<std::string, int> stock;
  long missing = 0;
  for (const Item &i : items) {
    try {
      missing += take(stock, i.name);
    } catch (const warehouse::OutOfStock &) {
      stock[i.name] = i.weight;
    }
  }
  return missing;
}

FAR long threads(const std::vector<Item> &items) {
  std::array<long, 2> sums{};
  std::vector<std::thread> workers;
  for (size_t t = 0; t < sums.size(); ++t)
    workers.emplace_back([&items, &sums, t] {
      const auto isMine = [t](const Item &i) { return size_t(i.weight) % 2 == t; };
      for (const Item &i : items)
        sums[t] += isMine(i) ? warehouse::weigh(i.name) : 0;
    });
  for (std::thread &w : workers)
    w.join();
  return sums[0] - sums[1];
}

FAR long shelves(const std::vector<Item> &items) {
  std::vector<std::unique_ptr<warehouse::Shelf>> all;
  all.push_back(std::make_unique<warehouse::Ordered<int>>());
  all.push_back(std::make_unique<warehouse::Ordered<std::string>>());
  all.push_back(std::make_unique<warehouse::Ordered<long, std::greater<long>>>());
  warehouse::Ring<int, 8> small;
  warehouse::Ring<std::string, 16> names;
  long sum = 0;
  for (const Item &i : items) {
    for (const auto &shelf : all)
      sum += shelf->store(i);
    small << i.weight;
    names << i.name;
    sum += small[3] + small(2) + long(small) + long(names->size());
  }
  return sum + warehouse::weighAll(3, std::string("abc"), items) +
         warehouse::total(items, [](const Item &i) { return bool(i) ? 1L : 0L; }) +
         warehouse::total(std::vector<int>{1, 2, 3}, [](int i) { return long(i); });
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<Item> items = itemsOf(argc > 1 ? std::atoi(argv[1]) : 10);
  const long sum = sequences(items) + dictionaries(items) + tables(items) + adaptors(items) + exceptions(items) +
                   threads(items) + shelves(items) + sumOf(countTo(long(items.size())));
  std::printf("%ld\n", sum);
  return 0;
}
