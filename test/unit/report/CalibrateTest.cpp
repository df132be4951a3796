// A calibration, and a report in time, as text and as JSON: that they are the estimate.
#include "quincunx/report/Calibrate.h"

#include "../estimate/TimedProgram.h"
#include "quincunx/report/Json.h"
#include "quincunx/report/Terminal.h"

#include <nlohmann/json.hpp>
#include <sstream>

using namespace quincunx;
using namespace quincunx::test;

namespace {

struct Calibrated {
  TimedProgramData program{50, 11, 0.05};
  InputTimes timed;
  Calibration c;

  Calibrated() {
    program.matrix.rows[3].label = "in\x1b\xff";
    timed.noise = 0.012;
    timed.startUp = TimedStartUp{1.5e-4, 0.1, 15};
    const Result<Calibration> r = program.calibrated(50);
    EXPECT_TRUE(r);
    c = *r;
    // The first of three is missed most, by a factor and not by a difference.
    c.judged[3].predicted = c.judged[3].time / 4;
    c.judged[7].predicted = c.judged[7].time * 3;
    c.judged[1].predicted = c.judged[1].time * 2;
    c.machine.events.back().second.k1 = 2.5e5;
  }

  std::string text(size_t top) const {
    std::ostringstream out;
    printCalibration(c, program.matrix, timed, top, {}, out);
    return out.str();
  }
};

bool has(const std::string &s, const std::string &part) {
  return s.find(part) != std::string::npos;
}

/// Where the inputs of a text are listed.
std::string worst(const std::string &s) { return s.substr(s.find("inputs missed most")); }

} // namespace

TEST(ReportCalibration, TextSaysHowGoodItIs) {
  const Calibrated all;
  const std::string s = all.text(3);
  EXPECT_TRUE(s.starts_with("Calibration: 50 timed inputs of ")) << s;
  EXPECT_TRUE(has(s, "noise 1.2 %; start of the process 250 us (150 us until its entry point)"))
      << s;
  for (const char *row : {"each: median", "each: p90", "their p50", "their p90", "their p99"})
    EXPECT_TRUE(has(s, row)) << row;
  EXPECT_TRUE(has(s, "of them lie in their 90 % intervals"));
  EXPECT_FALSE(has(s, "\x1b"));
  const std::string list = worst(s);
  EXPECT_TRUE(has(list, "in\\x1b\\xff")) << list;
  EXPECT_TRUE(has(list, "-75.0 %")) << list;
  EXPECT_TRUE(has(list, "+200.0 %")) << list;
  EXPECT_TRUE(has(list, "+100.0 %")) << list;
  EXPECT_LT(list.find("-75.0 %"), list.find("+200.0 %"));
  EXPECT_LT(list.find("+200.0 %"), list.find("+100.0 %"));
  EXPECT_FALSE(has(worst(all.text(2)), "+100.0 %"));
}

TEST(ReportCalibration, NotesAndWhatWasNotMeasured) {
  Calibrated all;
  all.timed.startUp.reset();
  all.c.notes.push_back({"uncounted", "2 of the timed inputs were not counted, and are left out"});
  const std::string s = all.text(5);
  EXPECT_FALSE(has(s, "entry point"));
  EXPECT_TRUE(has(s, "note: 2 of the timed inputs were not counted")) << s;
  EXPECT_FALSE(has(s, "misses carried"));
}

TEST(ReportCalibration, SaysWhatMissesWereCarriedTo) {
  Calibrated all;
  all.c.carried = ImputedMisses{3, 4, 0.975};
  const std::string line =
      "\nmisses carried from simulated runs to 3 of 4 functions, 97.5 % of the work\n\n";
  for (const size_t runs : {all.c.runs, size_t{0}}) { // timed or not
    all.c.runs = runs;
    EXPECT_TRUE(has(all.text(5), line)) << all.text(5);
    std::ostringstream out;
    ASSERT_TRUE(printCalibrationJson(all.c, all.program.matrix, all.timed, "a.qx", out));
    const nlohmann::json misses = nlohmann::json::parse(out.str())["misses"];
    EXPECT_EQ(misses["functions"], 3);
    EXPECT_EQ(misses["of"], 4);
    EXPECT_EQ(misses["work"], 0.975);
  }
}

TEST(ReportCalibration, JsonIsTheEstimate) {
  Calibrated all;
  all.c.notes.push_back({"some", "words"});
  std::ostringstream out;
  ASSERT_TRUE(printCalibrationJson(all.c, all.program.matrix, all.timed, "a\xff.qx", out));
  const nlohmann::json j = nlohmann::json::parse(out.str());
  EXPECT_EQ(j["schema"], "quincunx/calibrate/1");
  EXPECT_EQ(j["corpus"], "a\uFFFD.qx");
  EXPECT_EQ(j["unit"], "ns");
  EXPECT_FALSE(j.contains("misses"));
  EXPECT_EQ(j["timed"], 50);
  EXPECT_EQ(j["noise"], 0.012);
  EXPECT_EQ(j["start"], 2.5e5);
  EXPECT_EQ(j["error"]["median"], all.c.medianError);
  EXPECT_EQ(j["error"]["p90"], all.c.p90Error);
  EXPECT_EQ(j["coverage"], all.c.coverage);
  ASSERT_EQ(j["percentiles"].size(), 3u);
  EXPECT_EQ(j["percentiles"]["p99"]["measured"], all.c.percentiles[2].measured);
  EXPECT_EQ(j["percentiles"]["p99"]["error"], all.c.percentiles[2].error());
  EXPECT_EQ(j["residual"]["deviation"], all.c.machine.fit.residual.deviation());
  EXPECT_EQ(j["residual"]["interval"][0], all.c.residual.low);
  EXPECT_EQ(j["departures"].size(), all.c.departures.size());
  ASSERT_EQ(j["inputs"].size(), 50u);
  for (size_t d = 0; d < 50; ++d) {
    EXPECT_EQ(j["inputs"][d]["measured"], all.c.judged[d].time);
    EXPECT_EQ(j["inputs"][d]["predicted"], all.c.judged[d].predicted);
    EXPECT_EQ(j["inputs"][d]["interval"][1], all.c.judged[d].interval.high);
  }
  EXPECT_EQ(j["inputs"][3]["error"], -0.75);
  EXPECT_EQ(j["notes"].back()["kind"], "some");
}

TEST(ReportCalibration, AReportInTimeTellsInputsFromTheMachine) {
  const TimedProgramData p(40, 12, 0.05);
  const Result<Calibration> c = p.calibrated(40);
  ASSERT_TRUE(c);
  const Observed o = observed(p, c->machine), counts = observed(p, *machineByName("x86-64"));
  ASSERT_GT(o.fromMachine, 0);
  ASSERT_GT(o.fromInputs, o.fromMachine);
  std::ostringstream text, without, out, none;
  ReportOptions all;
  all.all = true;
  ASSERT_TRUE(printReport(o, all, text));
  EXPECT_TRUE(has(text.str(), "Processor time per run in ns (machine calibrated), 40 runs"))
      << text.str();
  EXPECT_TRUE(has(text.str(), "  from inputs"));
  EXPECT_TRUE(has(text.str(), "  from the machine"));
  ASSERT_TRUE(printReport(counts, all, without));
  EXPECT_FALSE(has(without.str(), "from the machine"));
  ASSERT_TRUE(printJson(o, "a.qx", {}, out));
  const nlohmann::json j = nlohmann::json::parse(out.str());
  EXPECT_EQ(j["unit"], "ns");
  const double inputs = j["spread"]["inputs"], machine = j["spread"]["machine"],
               deviation = j["program"]["sd"];
  EXPECT_DOUBLE_EQ(inputs, std::sqrt(o.fromInputs));
  EXPECT_NEAR(inputs * inputs + machine * machine, deviation * deviation,
              1e-9 * deviation * deviation);
  ASSERT_TRUE(printJson(counts, "a.qx", {}, none));
  EXPECT_FALSE(nlohmann::json::parse(none.str()).contains("spread"));
}
