// The text of a sample profile (llvm/ProfileData/SampleProfReader.h): a line for a function with
// the sum of all its counts and how often it was entered, below it its lines, further in by one
// blank those of what was inlined.
#include "quincunx/report/SampleProfile.h"

#include <cmath>
#include <cstdint>
#include <ostream>

namespace quincunx {

namespace {

bool canBeSaid(const std::string &name) {
  return !name.empty() && name.find_first_of(": \t\r\n") == std::string::npos;
}

uint64_t samples(double count) {
  return static_cast<uint64_t>(std::llround(std::min(count, 1e18)));
}

/// Of all its lines, with what was inlined.
uint64_t total(const InlineCounts &f) {
  uint64_t sum = 0;
  for (const auto &[line, count] : f.lines)
    sum += samples(count);
  for (const auto &[call, inlined] : f.inlined)
    sum += total(inlined);
  return sum;
}

std::ostream &operator<<(std::ostream &out, const CodeOfLine &code) {
  out << code.line;
  return code.discriminator != 0 ? out << '.' << code.discriminator : out;
}

void printBody(const InlineCounts &f, size_t depth, std::ostream &out) {
  const std::string margin(depth, ' ');
  for (const auto &[line, count] : f.lines) {
    out << margin << line << ": " << samples(count);
    if (const auto calls = f.calls.find(line); calls != f.calls.end())
      for (const auto &[callee, times] : calls->second)
        if (canBeSaid(callee) && samples(times) > 0)
          out << ' ' << callee << ':' << samples(times);
    out << "\n";
  }
  for (const auto &[call, inlined] : f.inlined)
    if (const auto &[line, name] = call; canBeSaid(name)) {
      out << margin << line << ": " << name << ':' << total(inlined) << "\n";
      printBody(inlined, depth + 1, out);
    }
}

} // namespace

void printSampleProfile(const std::map<std::string, InlineCounts> &functions, std::ostream &out) {
  for (const auto &[name, f] : functions) {
    if (!canBeSaid(name))
      continue;
    out << name << ':' << total(f) << ':' << samples(f.entered) << "\n";
    printBody(f, 1, out);
  }
}

} // namespace quincunx
