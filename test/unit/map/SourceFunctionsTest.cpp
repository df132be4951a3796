// Which function of the source the code of a scope is of.
#include "quincunx/map/SourceFunctions.h"

#include "quincunx/map/FunctionGroups.h"

#include <gtest/gtest.h>

using namespace quincunx;

namespace {

constexpr uint32_t prog = 0, part = 1;

Function functionOf(const char *name, uint32_t line, std::vector<Scope> inlined = {}) {
  Function f;
  f.name = name;
  f.files = {{"/src/prog.c", {}}, {"/src/part.inc", {}}};
  f.scopes = {{noIndex, name, prog, line, 0, 0}};
  f.scopes.insert(f.scopes.end(), inlined.begin(), inlined.end());
  return f;
}

/// In the first map f holds g, `inner` with a file in its middle, and another file's g; h holds
/// `inner` and itself; `twin` is there twice, as static functions of one header are. The second map
/// has `inner` as well.
std::vector<Map> mapsOf() {
  Map first, second;
  first.functions = {
      functionOf("f", 10,
                 {{0, "g", prog, 20, 11, 1},
                  {0, "inner", prog, 30, 12, 1},
                  {2, "inner", part, 0, 0, 0},
                  {0, "g", part, 20, 13, 1}}),
      functionOf("g", 20),
      functionOf("h", 40, {{0, "inner", prog, 30, 41, 1}, {0, "h", prog, 40, 42, 1}}),
      functionOf("twin", 50),
      functionOf("twin", 50),
      functionOf("nowhere", 0),
      functionOf("nowhere", 0)};
  second.functions = {functionOf("k", 60, {{0, "inner", prog, 30, 61, 1}})};
  return {first, second};
}

} // namespace

TEST(SourceFunctions, CodeIsOfTheFunctionThatStartsThere) {
  const std::vector<Map> maps = mapsOf();
  const SourceFunctions sources(maps, true);
  EXPECT_EQ(sources.first(0), 0u);
  EXPECT_EQ(sources.of(0, 0, 0), 0u);
  EXPECT_EQ(sources.of(0, 0, 1), 1u) << "g, which is compiled as well";
  const size_t inner = sources.of(0, 0, 2), other = sources.of(0, 0, 4);
  EXPECT_EQ(inner, 7u) << "behind the functions of the map";
  EXPECT_EQ(sources.of(0, 0, 3), inner) << "a file in the middle of its body";
  EXPECT_EQ(other, 8u) << "a g that starts elsewhere";
  EXPECT_EQ(sources.of(0, 2, 1), inner) << "the same, inlined elsewhere";
  EXPECT_EQ(sources.of(0, 2, 2), 2u) << "inlined into itself";
  EXPECT_EQ(sources.of(0, 3, 0), 3u);
  EXPECT_EQ(sources.of(0, 4, 0), 4u) << "compiled functions stay apart";
  EXPECT_EQ(sources.origin(inner).function, &maps[0].functions[0]);
  EXPECT_EQ(sources.origin(inner).scope, 2u);
  EXPECT_EQ(sources.origin(inner).own().function, "inner");
}

TEST(SourceFunctions, MapsShareNone) {
  const std::vector<Map> maps = mapsOf();
  const SourceFunctions sources(maps, true);
  EXPECT_EQ(sources.first(1), 9u);
  EXPECT_EQ(sources.of(1, 0, 1), 10u);
  EXPECT_EQ(sources.size(), 11u);
}

TEST(SourceFunctions, InlinedIsWhatIsInOtherFunctions) {
  const std::vector<Map> maps = mapsOf();
  const SourceFunctions sources(maps, true);
  const bool expected[] = {false, true, false, false, false, false, false, true, true, false, true};
  for (size_t i = 0; i < sources.size(); ++i)
    EXPECT_EQ(sources.origin(i).inlined, expected[i]) << i;
}

TEST(SourceFunctions, WithoutInlinedOnesCodeIsOfWhatWasCompiled) {
  const std::vector<Map> maps = mapsOf();
  const SourceFunctions sources(maps, false);
  EXPECT_EQ(sources.size(), 8u);
  for (uint32_t scope = 0; scope < 5; ++scope)
    EXPECT_EQ(sources.of(0, 0, scope), 0u);
  EXPECT_FALSE(sources.origin(1).inlined);
}

TEST(SourceFunctions, GroupsAreBehindTheFunctionsOfTheirMap) {
  std::vector<Map> maps = mapsOf();
  groupFunctions(maps, [](const Scope &own, const std::string &path) {
    return path == "/src/part.inc"                            ? FunctionGroup{"others", true}
           : own.function == "inner" || own.line == 50        ? FunctionGroup{"both", false}
           : own.function == "h" || own.function == "nowhere" ? FunctionGroup{"alone", false}
                                                              : FunctionGroup{};
  });
  const SourceFunctions sources(maps, true);
  const size_t inner = sources.of(0, 0, 2), other = sources.of(0, 0, 4);
  EXPECT_EQ(sources.firstGroup(0), 9u);
  EXPECT_EQ(sources.first(1), 11u) << "h has no other, and nowhere no place";
  EXPECT_EQ(sources.firstGroup(1), 13u);
  EXPECT_EQ(sources.size(), 13u) << "a group of its map only";
  const size_t both = sources.groupOf(inner), others = sources.groupOf(other);
  EXPECT_EQ(maps[0].groups[sources.origin(both).own().group].name, "both");
  EXPECT_EQ(maps[0].groups[sources.origin(others).own().group].name, "others");
  EXPECT_EQ(std::vector<size_t>(sources.members(both).begin(), sources.members(both).end()),
            (std::vector<size_t>{3, 4, inner}));
  EXPECT_EQ(sources.members(others).size(), 1u) << "one alone where it is code of others";
  EXPECT_EQ(sources.groupOf(0), SourceFunctions::none);
  EXPECT_EQ(sources.groupOf(both), SourceFunctions::none);
  EXPECT_TRUE(sources.members(inner).empty());
}
