// A program of today's C++ for containers.sh: forty instances of containers of the library,
// templates of its own, lambdas, exceptions, a coroutine, ranges. What it computes does not matter;
// all of it is derived from a number.
#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <ranges>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace shop {

using Money = std::int64_t;

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed * 2654435769u + 1) {}
  std::uint64_t operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>((*this)() % n); }

private:
  std::uint64_t state;
};

// ---- values ----

struct Cash {
  Money paid = 0;
};
struct Card {
  std::string number;
  std::array<char, 4> code{};
};
struct Voucher {
  std::vector<std::pair<std::string, Money>> lines;
};
using Payment = std::variant<Cash, Card, Voucher>;

struct Item {
  std::string name;
  Money price = 0;
  std::optional<std::string> colour;
  auto operator<=>(const Item &) const = default;
};

struct Order {
  unsigned customer = 0;
  std::vector<Item> items;
  Payment payment;
  std::map<std::string, std::variant<int, double, std::string>> notes;
};

class OutOfStock : public std::runtime_error {
public:
  OutOfStock(const std::string &what, unsigned n) : std::runtime_error("no " + what), missing(n) {}
  unsigned missing;
};

// ---- a coroutine ----

template <typename T> class Generator {
public:
  struct promise_type {
    std::optional<T> value;
    Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) {
      value = std::move(v);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  using Handle = std::coroutine_handle<promise_type>;
  explicit Generator(Handle h) : handle(h) {}
  Generator(Generator &&other) noexcept : handle(std::exchange(other.handle, {})) {}
  ~Generator() {
    if (handle)
      handle.destroy();
  }
  std::optional<T> next() {
    handle.resume();
    return handle.done() ? std::nullopt : std::exchange(handle.promise().value, std::nullopt);
  }

private:
  Handle handle;
};

Generator<Order> orders(unsigned n, Random &random) {
  static constexpr std::array<std::string_view, 6> names{"tea", "cup",  "spoon",
                                                         "pot", "tray", "biscuit"};
  for (unsigned i = 0; i < n; ++i) {
    Order order;
    order.customer = random.below(1 + n / 4);
    for (unsigned k = 0; k <= random.below(5); ++k) {
      Item item{std::string(names[random.below(names.size())]), 1 + random.below(400), {}};
      if (random.below(3) == 0)
        item.colour = random.below(2) == 0 ? "green" : "a colour with a name of many letters";
      order.items.push_back(std::move(item));
    }
    switch (random.below(3)) {
    case 0:
      order.payment = Cash{random.below(1000)};
      break;
    case 1:
      order.payment = Card{"4000-" + std::to_string(random()), {'1', '2', '3', '4'}};
      break;
    default:
      order.payment = Voucher{{{"spring", 5}, {"loyal", 10}}};
    }
    order.notes["weight"] = 0.1 * random.below(100);
    order.notes["floor"] = static_cast<int>(random.below(9));
    order.notes["door"] = std::string("left");
    co_yield order;
  }
}

// ---- templates ----

template <typename T, typename Less = std::less<T>> class TopK {
public:
  explicit TopK(std::size_t k) : most(k) {}
  void add(T value) {
    heap.push(std::move(value));
    if (heap.size() > most)
      heap.pop();
  }
  std::vector<T> take() {
    std::vector<T> all;
    for (; !heap.empty(); heap.pop())
      all.push_back(heap.top());
    std::ranges::reverse(all);
    return all;
  }

private:
  struct Greater {
    bool operator()(const T &a, const T &b) const { return Less{}(b, a); }
  };
  std::size_t most;
  std::priority_queue<T, std::vector<T>, Greater> heap;
};

template <std::ranges::input_range R> auto topOf(R &&range, std::size_t k) {
  TopK<std::ranges::range_value_t<R>> top(k);
  for (auto &&x : range)
    top.add(x);
  return top.take();
}

template <typename Key, typename Value> class Cache {
public:
  explicit Cache(std::size_t n) : room(n) {}
  template <std::invocable<const Key &> Make> const Value &get(const Key &key, Make make) {
    if (auto at = where.find(key); at != where.end()) {
      uses.splice(uses.begin(), uses, at->second);
      return at->second->second;
    }
    uses.emplace_front(key, make(key));
    where[key] = uses.begin();
    if (uses.size() > room) {
      where.erase(uses.back().first);
      uses.pop_back();
    }
    return uses.front().second;
  }

private:
  std::size_t room;
  std::list<std::pair<Key, Value>> uses;
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> where;
};

template <typename... Ts> struct Overloaded : Ts... {
  using Ts::operator()...;
};

// ---- the shop ----

class Shop {
public:
  explicit Shop(unsigned n) : taxes(16), greetings(8) {
    for (const char *name : {"tea", "cup", "spoon", "pot", "tray"})
      stock[name] = n;
    rules.emplace("bulk",
                  [](const Order &o) { return o.items.size() > 3 ? Money{-20} : Money{0}; });
    rules.emplace("heavy", [limit = 5.0](const Order &o) {
      const auto at = o.notes.find("weight");
      return at != o.notes.end() && std::get<double>(at->second) > limit ? Money{7} : Money{0};
    });
  }

  Money price(const Order &o) {
    Money sum = 0;
    for (const Item &item : o.items)
      sum += item.price + taxes.get(item.name, [](const std::string &name) {
        return std::accumulate(name.begin(), name.end(), Money{0},
                               [](Money s, char c) { return (s * 7 + c) % 31; });
      });
    for (const auto &[name, rule] : rules)
      sum += rule(o);
    return sum;
  }

  void take(const Order &o) {
    for (const Item &item : o.items) {
      const auto at = stock.find(item.name);
      if (at == stock.end() || at->second == 0)
        throw OutOfStock(item.name, 1);
      --at->second;
      sold[item.colour.value_or("plain")].insert(item);
      byPrice.emplace(item.price, item.name);
      seen.insert(item.name);
    }
    customers[o.customer].push_back(price(o));
    greetings.get(o.customer, [](unsigned c) { return "hello " + std::to_string(c); });
    visits.insert(o.customer);
    last.push_back(o.customer);
    if (last.size() > 10)
      last.pop_front();
    pay(o.payment);
  }

  void pay(const Payment &payment) {
    std::visit(Overloaded{[&](const Cash &c) { totals[0] += c.paid; },
                          [&](const Card &c) {
                            if (c.number.ends_with('7'))
                              throw std::invalid_argument("card " + c.number);
                            cards.emplace(c.number, c.code);
                          },
                          [&](const Voucher &v) {
                            for (const auto &[name, worth] : v.lines)
                              vouchers[name].emplace_front(worth);
                          }},
               payment);
  }

  std::vector<std::tuple<Money, unsigned, std::string>> best() const {
    std::vector<std::tuple<Money, unsigned, std::string>> all;
    for (const auto &[customer, paid] : customers)
      all.emplace_back(std::reduce(paid.begin(), paid.end()), customer,
                       "customer " + std::to_string(customer));
    std::sort(all.begin(), all.end(),
              [](const auto &a, const auto &b) { return std::get<0>(a) > std::get<0>(b); });
    return all;
  }

  std::string summary() const {
    std::ostringstream out;
    for (const auto &[colour, items] : sold)
      for (const Item &item : items | std::views::filter([](const Item &i) {
                                return i.price % 2 == 0;
                              }) | std::views::take(20))
        out << colour << ' ' << item.name << ' ' << item.price << '\n';
    for (const auto &[worth, name] : byPrice | std::views::reverse | std::views::take(5))
      out << worth << name;
    return out.str();
  }

  std::vector<double> means() const {
    std::vector<double> all;
    for (const auto &[customer, paid] : customers)
      all.push_back(static_cast<double>(std::reduce(paid.begin(), paid.end())) /
                    static_cast<double>(paid.size()));
    return all;
  }
  std::vector<std::string> names() const { return {seen.begin(), seen.end()}; }
  auto prices() const { return byPrice | std::views::keys; }

private:
  std::unordered_map<std::string, unsigned> stock;
  std::map<std::string, std::function<Money(const Order &)>> rules;
  std::map<std::string, std::set<Item>> sold;
  std::multimap<Money, std::string> byPrice;
  std::unordered_set<std::string> seen;
  std::map<unsigned, std::vector<Money>> customers;
  std::unordered_multiset<unsigned> visits;
  std::deque<unsigned> last;
  std::array<Money, 3> totals{};
  std::unordered_multimap<std::string, std::array<char, 4>> cards;
  std::map<std::string, std::forward_list<Money>> vouchers;
  Cache<std::string, Money> taxes;
  Cache<unsigned, std::string> greetings;
};

// ---- the way of an order, breadth first and depth first ----

unsigned steps(unsigned n) {
  std::vector<std::vector<unsigned>> graph(n + 1);
  for (unsigned i = 0; i <= n; ++i)
    for (const unsigned to : {(i * 7 + 1) % (n + 1), (i * 3 + 2) % (n + 1)})
      graph[i].push_back(to);
  std::bitset<4096> met;
  std::queue<std::pair<unsigned, unsigned>> next;
  std::stack<unsigned, std::vector<unsigned>> way;
  std::multiset<unsigned> depths;
  for (next.emplace(0, 0); !next.empty(); next.pop()) {
    const auto [at, depth] = next.front();
    if (met[at])
      continue;
    met[at] = true;
    way.push(at);
    depths.insert(depth);
    for (const unsigned to : graph[at])
      next.emplace(to, depth + 1);
  }
  return depths.empty() ? 0 : *depths.rbegin() + static_cast<unsigned>(way.size());
}

} // namespace shop

int main(int, char **argv) {
  const unsigned n = static_cast<unsigned>(std::atoi(argv[1]));
  shop::Random random(n);
  auto shop = std::make_unique<shop::Shop>(n);
  std::map<std::string, unsigned> said;
  unsigned missing = 0, refused = 0;
  auto all = shop::orders(n, random);
  while (const std::optional<shop::Order> order = all.next())
    try {
      shop->take(*order);
    } catch (const shop::OutOfStock &e) {
      missing += e.missing;
    } catch (const std::exception &e) {
      said[e.what()] = ++refused;
    }
  const auto best = shop->best();
  const auto means = shop::topOf(shop->means(), 10);
  const auto names = shop::topOf(shop->names(), 3);
  const auto prices = shop::topOf(shop->prices(), 5);
  std::printf("%zu %zu %zu %zu %zu %u %u %u\n", best.size(), means.size(), names.size(),
              prices.size(), shop->summary().size(), missing, refused, shop::steps(n % 4000));
}
