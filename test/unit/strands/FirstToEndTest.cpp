// Threads that end with the first of them: what is waited for is the least of their times, and
// nobody works longer than that.
#include "Strands.h"

#include "quincunx/parallel/Simulate.h"
#include "quincunx/strands/StrandDescription.h"

#include <random>

namespace quincunx::test {
namespace {

constexpr uint32_t place = 91, elsewhere = 92;

/// One thread after another is created there, each `apart` after the one before, and then joined.
std::vector<Happened> created(const std::vector<uint64_t> &works, uint64_t apart,
                              uint32_t from = 1) {
  std::vector<Happened> events;
  for (uint32_t t = 0; t < works.size(); ++t)
    events.push_back({0, apart, QX_STRAND_CREATE, from + t, place});
  for (uint32_t t = 0; t < works.size(); ++t)
    events.push_back({from + t, works[t], QX_STRAND_END});
  for (uint32_t t = 0; t < works.size(); ++t)
    events.push_back({0, 0, QX_STRAND_JOIN, from + t});
  return events;
}

std::vector<Happened> operator+(std::vector<Happened> a, const std::vector<Happened> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Result<StrandDescription> told(const std::vector<Happened> &events, StrandChanges changes = {}) {
  changes.first = {place};
  const Result<StrandHistory> history = StrandHistory::of(written(events), changes);
  return history ? Result<StrandDescription>(history->describe(Kept::nothing)) : history.error();
}
double timeOf(const std::vector<Happened> &events) {
  const Result<StrandDescription> d = told(events);
  EXPECT_TRUE(d) << d.error().text;
  return d ? parallel::simulate(d->description, {})->makespan : -1;
}
std::string whyNot(const std::vector<Happened> &events, const StrandChanges &changes = {}) {
  const Result<StrandDescription> d = told(events, changes);
  return d ? "none" : d.error().text;
}

TEST(FirstToEnd, OfCreatedThreadsIsWaitedFor) {
  const std::vector<Happened> ends{{0, 7, QX_STRAND_END}};
  EXPECT_EQ(timeOf(created({100, 50, 200}, 0) + ends), 50 + 7);
  EXPECT_EQ(timeOf(created({100, 50, 200}, 10) + ends), 10 + 60 + 7) << "the second begins later";
  EXPECT_EQ(timeOf(created({100, 95, 200}, 10) + ends), 10 + 100 + 7) << "and is too late then";
  EXPECT_EQ(workIn(*told(created({100, 50, 200}, 10) + ends)), 30 + 60 + 50 + 40 + 7)
      << "who loses works until then";
}

TEST(FirstToEnd, EachGroupHasItsOwn) {
  EXPECT_EQ(timeOf(created({100, 50}, 0) + created({30, 40}, 0, 3) +
                   std::vector<Happened>{{0, 5, QX_STRAND_END}}),
            50 + 30 + 5);
}

/// A team whose members have these shares of a loop.
std::vector<Happened> team(const std::vector<uint64_t> &works, uint32_t site,
                           uint64_t schedule = QX_SCHEDULE_STATIC) {
  const auto n = static_cast<uint32_t>(works.size());
  std::vector<Happened> events{{0, 20, QX_STRAND_TEAM, 1, site}};
  for (uint32_t t = 1; t < n; ++t) // by the library, from where the team is made
    events.push_back({0, 0, QX_STRAND_CREATE, t, site});
  for (uint32_t t = 1; t < n; ++t)
    events.push_back({t, 0, QX_STRAND_MEMBER, 1, t});
  for (uint32_t t = 0; t < n; ++t) {
    events.push_back({t, 0, QX_STRAND_LOOP, schedule, elsewhere});
    events.push_back({t, works[t], QX_STRAND_ITERATED, t, 1});
  }
  for (uint32_t t = 0; t < n; ++t)
    events.push_back({t, 0, QX_STRAND_MEET, 1});
  events.push_back({0, 0, QX_STRAND_LEAVE, 1});
  for (uint32_t t = 1; t < n; ++t)
    events.push_back({t, 0, QX_STRAND_LEAVE, 0});
  for (uint32_t t = 0; t < n; ++t)
    events.push_back({t, t == 0 ? 3u : 0u, QX_STRAND_END});
  return events;
}

TEST(FirstToEnd, OfATeamIsWaitedFor) {
  EXPECT_EQ(timeOf(team({30, 10, 50}, place)), 20 + 10 + 3);
  EXPECT_EQ(timeOf(team({10, 30, 50}, place)), 20 + 10 + 3);
  EXPECT_EQ(timeOf(team({30, 10, 50}, elsewhere)), 20 + 50 + 3) << "that is another team";
}

TEST(FirstToEnd, IsTheLeastAtRandom) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    std::vector<uint64_t> works(1 + random() % 9);
    for (uint64_t &w : works)
      w = random() % 4 == 0 ? 0 : random() % 10000;
    const uint64_t apart = random() % 2 == 0 ? 0 : random() % 300;
    uint64_t least = UINT64_MAX;
    for (size_t t = 0; t < works.size(); ++t)
      least = std::min(least, apart * (t + 1) + works[t]);
    const auto begun = apart * works.size();
    EXPECT_EQ(timeOf(created(works, apart) + std::vector<Happened>{{0, 0, QX_STRAND_END}}),
              static_cast<double>(std::max<uint64_t>(least, begun)));
    EXPECT_EQ(timeOf(team(works, place)),
              23. + static_cast<double>(*std::ranges::min_element(works)));
  }
}

TEST(FirstToEnd, SaysWhereTheFirstHardlyWorked) {
  const std::vector<Happened> ends{{0, 0, QX_STRAND_END}};
  EXPECT_FALSE(told(created({50, 40000, 50000}, 0) + ends)->hasHardlyWorked);
  EXPECT_TRUE(told(created({39, 40000, 50000}, 0) + ends)->hasHardlyWorked);
  EXPECT_FALSE(told(created({39}, 0) + ends)->hasHardlyWorked) << "it is alone";
}

TEST(FirstToEnd, OnlyWork) {
  const std::vector<Happened> ends{{0, 0, QX_STRAND_JOIN, 1}, {0, 0, QX_STRAND_END}};
  const std::vector<Happened> begins{{0, 0, QX_STRAND_CREATE, 1, place}};
  const auto with = [&](uint64_t before, qx_strand_kind kind, qx_strand_kind other,
                        uint64_t between) {
    return begins +
           std::vector<Happened>{
               {1, before, kind, 9}, {1, between, other, 9}, {1, 10, QX_STRAND_END}} +
           ends;
  };
  EXPECT_EQ(whyNot(with(5000, QX_STRAND_LOCK, QX_STRAND_UNLOCK, 20)), "none") << "a short section";
  std::vector<Happened> early = created({5, 9000}, 0); // who wins has the lock for most of its work
  early.insert(early.begin() + 2, {{1, 1, QX_STRAND_LOCK, 9}, {1, 4, QX_STRAND_UNLOCK, 9}});
  EXPECT_EQ(timeOf(early + std::vector<Happened>{{0, 0, QX_STRAND_END}}), 10);
  for (const auto &events :
       {with(500, QX_STRAND_LOCK, QX_STRAND_UNLOCK, 20),
        with(5000, QX_STRAND_ARRIVE, QX_STRAND_PASS, 0),
        with(5000, QX_STRAND_DONE, QX_STRAND_AWAIT, 0), team({10, 20}, place, QX_SCHEDULE_DYNAMIC)})
    EXPECT_NE(whyNot(events).find("more than to work"), std::string::npos) << whyNot(events);
  const std::vector<Happened> tasks{{0, 5, QX_STRAND_SPAWN, 2, place}, {0, 0, QX_STRAND_END}};
  EXPECT_NE(whyNot(tasks).find("tasks"), std::string::npos);
  StrandChanges more;
  more.threads = 4;
  EXPECT_NE(whyNot(team({10, 20}, place), more).find("other changes"), std::string::npos);
}

} // namespace
} // namespace quincunx::test
