// Events as bytes. In a corpus a thread's are varints: the clock as what was done since the event
// before, the order as a difference as well, and an object as its number in the order in which they
// are met, so that no address of the process is kept but for its lowest bit (QX_STRAND_QUEUED),
// which is that of the number. Nothing is believed that was not checked: a
// clock that falls, a kind that nobody knows or a number of threads beyond the bytes are errors.
#include "quincunx/strands/Events.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace quincunx {

namespace {

/// Of the first number of bytes. Objects without lowest bits are of old corpora: all are 0 there.
constexpr uint64_t areCut = 1, haveLowestBits = 2;
constexpr uint64_t objectMask = (uint64_t{1} << QX_STRAND_OBJECT) - 1;

template <class T> bool take(std::span<const uint8_t> &bytes, T &out) {
  if (bytes.size() < sizeof out)
    return false;
  std::memcpy(&out, bytes.data(), sizeof out);
  bytes = bytes.subspan(sizeof out);
  return true;
}

bool isKnown(uint64_t kind) { return kind >= QX_STRAND_CREATE && kind < QX_STRAND_KINDS; }

void putVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Reads varints; what is not there is 0, and makes it bad.
class Varints {
public:
  explicit Varints(std::span<const uint8_t> bytes) : left(bytes) {}
  uint64_t next() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !left.empty(); shift += 7) {
      const uint8_t byte = left.front();
      left = left.subspan(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return value;
    }
    good = false;
    return 0;
  }
  uint32_t small() {
    const uint64_t value = next();
    good = good && value <= UINT32_MAX;
    return static_cast<uint32_t>(value);
  }
  bool isGood() const { return good; }
  size_t size() const { return left.size(); }

private:
  std::span<const uint8_t> left;
  bool good = true;
};

/// Small numbers for small differences of either sign.
uint32_t zigzag(uint32_t difference) {
  return (difference << 1) ^ (difference >> 31 != 0 ? UINT32_MAX : 0);
}
uint32_t unzigzag(uint32_t code) { return (code >> 1) ^ ((code & 1) != 0 ? UINT32_MAX : 0); }

/// Is its object the number of a thread, team, task, iteration or job, or of a way to end or a
/// schedule, and no address?
bool hasNumber(qx_strand_kind kind) {
  return isOfLoop(kind) || isOfSerialLoop(kind) || kind == QX_STRAND_NUMBER ||
         kind == QX_STRAND_FOLDED || kind == QX_STRAND_STOPPED || kind == QX_STRAND_CREATE ||
         kind == QX_STRAND_END || kind == QX_STRAND_JOIN ||
         (kind >= QX_STRAND_TEAM && kind < QX_STRAND_LATCH && kind != QX_STRAND_USE &&
          kind != QX_STRAND_WRITE);
}

const char *wrongThread(StrandThread &thread, Varints &in, uint64_t flags) {
  const uint64_t count = in.next();
  if (count > in.size() / 5) // bytes of an event, at least
    return "a thread has more events than bytes";
  uint64_t clock = 0;
  uint32_t order = 0;
  for (uint64_t i = 0; i < count; ++i) {
    StrandEvent e;
    const uint64_t kind = in.next(), more = in.next();
    if (!isKnown(kind) || clock + more < clock)
      return "an event of a thread";
    e.kind = static_cast<qx_strand_kind>(kind);
    e.clock = clock += more;
    e.object = in.next();
    if ((flags & haveLowestBits) == 0 && !hasNumber(e.kind))
      e.object <<= 1;
    e.order = order += unzigzag(in.small());
    e.site = in.small();
    thread.events.push_back(e);
  }
  return in.isGood() ? nullptr : "an event of a thread is cut off";
}

} // namespace

std::string StrandChunks::add(std::span<const uint8_t> payload) {
  qx_strands_start start;
  if (!take(payload, start))
    return "events of a thread that are too short";
  found.isCut |= start.cut != 0;
  const auto [at, isNew] =
      known.try_emplace(start.thread, Known{found.threads.size(), start.clock});
  if (isNew)
    found.threads.push_back({start.thread, {}});
  std::vector<StrandEvent> &events = found.threads[at->second.index].events;
  const uint64_t from = at->second.began;
  uint64_t last = events.empty() ? 0 : events.back().clock;
  qx_strand_event event;
  while (take(payload, event) && event.what != 0) {
    const uint64_t kind = event.what >> QX_STRAND_OBJECT;
    if (kind == QX_STRAND_HELD) {
      const qx_strand_held h = qx_unpack_held(&event);
      if (last > UINT64_MAX / 2)
        return "an event of a thread that cannot be";
      events.push_back({last += h.before, QX_STRAND_LOCK, event.order, event.site, h.object});
      events.push_back({last += h.held, QX_STRAND_UNLOCK, event.order + 1, h.site, h.object});
      continue;
    }
    if (!isKnown(kind) || event.clock < from || event.clock - from < last)
      return "an event of a thread that cannot be";
    last = event.clock - from;
    events.push_back({last, static_cast<qx_strand_kind>(kind), event.order, event.site,
                      event.what & objectMask});
  }
  return "";
}

std::vector<ProcessStrands> StrandChunks::finish() {
  if (found.threads.empty())
    return {};
  known.clear();
  for (StrandThread &t : found.threads)
    if (t.events.empty() || t.events.back().kind != QX_STRAND_END)
      t.events.push_back({t.events.empty() ? 0 : t.events.back().clock, QX_STRAND_END, 0, 0, 1});
  std::ranges::sort(found.threads, {}, &StrandThread::number);
  return {std::exchange(found, {})};
}

std::string packStrands(const ProcessStrands &strands) {
  std::string out;
  putVarint(out, haveLowestBits | (strands.isCut ? areCut : 0));
  putVarint(out, strands.threads.size());
  std::map<uint64_t, uint64_t> numbers;
  for (const StrandThread &t : strands.threads) {
    putVarint(out, t.number);
    putVarint(out, t.events.size());
    uint64_t clock = 0;
    uint32_t order = 0;
    for (const StrandEvent &e : t.events) {
      putVarint(out, e.kind);
      putVarint(out, e.clock - std::exchange(clock, e.clock));
      putVarint(out,
                hasNumber(e.kind)
                    ? e.object
                    : numbers.emplace(e.object, 2 * numbers.size() + e.object % 2).first->second);
      putVarint(out, zigzag(e.order - std::exchange(order, e.order)));
      putVarint(out, e.site);
    }
  }
  return out;
}

uint32_t threadsAtOnce(const ProcessStrands &strands) {
  std::map<uint64_t, uint32_t> most; // with those that it creates: later ones have higher numbers
  std::map<uint64_t, uint32_t> roots;
  for (auto thread = strands.threads.rbegin(); thread != strands.threads.rend(); ++thread) {
    std::map<uint64_t, uint32_t> there; // that it created
    uint32_t now = 1, peak = 1;
    for (const StrandEvent &e : thread->events)
      if (const auto other = most.find(e.object);
          e.kind == QX_STRAND_CREATE && other != most.end()) {
        roots.erase(e.object);
        now += there[e.object] = other->second;
        peak = std::max(peak, now);
      } else if (e.kind == QX_STRAND_JOIN) {
        const auto joined = there.find(e.object);
        now -= joined != there.end() ? joined->second : 0;
        if (joined != there.end())
          there.erase(joined);
      }
    roots[thread->number] = most[thread->number] = peak;
  }
  uint32_t sum = 0;
  for (const auto &[number, peak] : roots)
    sum += peak;
  return std::max(sum, 1u);
}

uint32_t teamsAtOnce(const ProcessStrands &strands) {
  struct Stay { // of a thread in a team, or outside of all
    uint64_t team = 0;
    std::vector<uint64_t> made;
  };
  std::map<uint64_t, std::vector<Stay>> stays; // by team
  for (const StrandThread &t : strands.threads) {
    std::vector<Stay> open(1);
    const auto leave = [&] {
      stays[open.back().team].push_back(std::move(open.back()));
      open.pop_back();
    };
    for (const StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_TEAM || e.kind == QX_STRAND_MEMBER) {
        if (e.kind == QX_STRAND_TEAM)
          open.back().made.push_back(e.object);
        open.push_back({e.object, {}});
      } else if (e.kind == QX_STRAND_LEAVE && open.size() > 1) {
        leave();
      }
    while (!open.empty())
      leave();
  }
  std::map<uint64_t, uint32_t> sizes;
  // Teams have higher numbers than those in which they are made.
  for (auto team = stays.rbegin(); team != stays.rend(); ++team)
    for (const Stay &stay : team->second) {
      uint32_t most = 1;
      for (const uint64_t made : stay.made)
        if (made > team->first)
          most = std::max(most, sizes[made]);
      sizes[team->first] = team->first == 0 ? std::max(sizes[0], most) : sizes[team->first] + most;
    }
  return std::max(sizes[0], 1u);
}

Result<ProcessStrands> unpackStrands(std::span<const uint8_t> bytes) {
  Varints in(bytes);
  ProcessStrands out;
  const uint64_t flags = in.next();
  out.isCut = (flags & areCut) != 0;
  const uint64_t count = in.next();
  for (uint64_t i = 0; i < count && in.isGood(); ++i) {
    StrandThread thread;
    thread.number = in.small();
    if (!out.threads.empty() && thread.number <= out.threads.back().number)
      return Error{"threads are out of order"};
    if (const char *wrong = wrongThread(thread, in, flags))
      return Error{wrong};
    out.threads.push_back(std::move(thread));
  }
  if (!in.isGood() || in.size() != 0)
    return Error{"events of threads do not fill their bytes"};
  return out;
}

} // namespace quincunx
