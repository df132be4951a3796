// Machine files. What is accepted is written so that it reads the same, and is written the same
// then; its costs are such that a random number can have. Reference: docs/13-machines.md.
#include "Target.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Machine.h"

#include <cmath>

namespace quincunx::fuzz {

namespace {

const std::string file = "fuzz.machine";

void judgeCost(const Cumulants &k, const std::string &of) {
  if (!(k.k1 >= 0) || !admissible(moments(k)))
    wrong("a cost that nothing can have: " + escape(of), printCost(k));
}

void judgeCosts(const Machine &machine) {
  for (const auto *costs : {&machine.classes, &machine.events})
    for (const auto &[name, cost] : *costs)
      judgeCost(cost, name);
  for (const auto &[name, cost] : machine.callees)
    judgeCost(cost, name);
  if (!(machine.programSpread >= 0) || !(machine.fit.scale > 0) ||
      !(machine.fit.memoryExponent >= 0))
    wrong("a figure below 0");
}

void judge(const std::string &text) {
  const Result<Machine> machine = parseMachine(text, file);
  if (!machine) {
    judgeError(machine);
    if (machine.error().file != file)
      wrong("an error that does not name the file", machine.error().message());
    return;
  }
  judgeCosts(*machine);
  const std::string once = printMachine(*machine);
  const Result<Machine> again = parseMachine(once, file);
  if (!again)
    wrong("what was written is refused", again.error().message() + "\n" + once);
  judgeCosts(*again);
  if (const std::string twice = printMachine(*again); twice != once)
    wrong("a machine is written otherwise the second time", once + "----\n" + twice);
  if (again->classes != machine->classes || again->events != machine->events ||
      again->callees != machine->callees || again->programSpread != machine->programSpread)
    wrong("a machine that was written is another one", once);
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
