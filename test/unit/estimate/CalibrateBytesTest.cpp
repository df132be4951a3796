// Calibrations of programs whose calls move bytes, of which the times are known to the last digit.
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Calibrate.h"

#include "Synthetic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr size_t runCount = 120, timedCount = 60;
constexpr double start = 1e5, perTrip = 3, perCall = 8, perByte = 0.06; // ns

/// A loop whose arm A copies as many bytes as its fourth counter has in all.
struct Copying {
  std::vector<Map> maps;
  CountMatrix matrix;
  std::vector<TimedRun> times;

  Copying() {
    Function f = loopWithBranch("main");
    f.calls = {{.block = 2, .callee = "memcpy", .at = {5, 3, 0}}};
    f.calls[0].bytes = ByteSource::argument;
    f.calls[0].byteCounter = f.counterCount++;
    maps = {mapOf({f})};
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> trips(std::log(1e4), std::log(1e6)), size(0, 8);
    CountMatrixBuilder builder(maps, runCount);
    for (size_t d = 0; d < runCount; ++d) {
      const auto a = static_cast<uint64_t>(std::exp(trips(random))),
                 b = static_cast<uint64_t>(std::exp(trips(random))),
                 bytes = a * static_cast<uint64_t>(std::exp(size(random)));
      EXPECT_TRUE(builder.add(runOf("r" + std::to_string(d), maps[0], {1, a, b, bytes})));
      const auto x = static_cast<double>(a), y = static_cast<double>(b);
      times.push_back(
          {d, start + perTrip * (x + y) + perCall * x + perByte * static_cast<double>(bytes)});
    }
    Result<CountMatrix> built = builder.finish();
    EXPECT_TRUE(built);
    matrix = std::move(*built);
  }

  Result<Calibration> calibrated() const {
    return calibrate(matrix, maps, *machineByName("x86-64"), std::span(times).first(timedCount),
                     {0.001, 0, {}});
  }
};

} // namespace

TEST(CalibrateBytes, AByteHasAPrice) {
  const Copying p;
  const Result<Calibration> c = p.calibrated();
  ASSERT_TRUE(c) << c.error().text;
  ASSERT_TRUE(c->machine.bytes.contains("memcpy"));
  EXPECT_NEAR(c->machine.bytes.at("memcpy").k1 / perByte, 1, 0.05);
  const std::vector<Cumulants> runs = BlockCosts(p.matrix, p.maps, c->machine).runs();
  for (size_t d = timedCount; d < runCount; ++d)
    EXPECT_NEAR(runs[d].k1 / p.times[d].time, 1, 0.05) << d;
}

TEST(CalibrateBytes, NoByteMakesARunShorter) {
  Copying p;
  for (TimedRun &run : p.times) { // the more it copies, the less is left to do
    const std::vector<double> row = p.matrix.row(run.row);
    run.time = start + perTrip * (row[1] + row[2]);
    run.time -= std::min(0.3 * run.time, 0.001 * row.back());
  }
  const Result<Calibration> c = p.calibrated();
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_FALSE(c->machine.bytes.contains("memcpy"));
}
