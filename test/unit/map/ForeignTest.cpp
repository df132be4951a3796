// Which files are of others, and where their code is called.
#include "quincunx/map/Foreign.h"

#include <gtest/gtest.h>

using namespace quincunx;

TEST(Foreign, HeadersOfTheSystemByTheirPaths) {
  const std::pair<const char *, bool> table[] = {
      {"/usr/include/c++/12/bits/stl_vector.h", true},
      {"/usr/include/x86_64-linux-gnu/bits/stdio.h", true},
      {"/usr/local/include/fmt/core.h", true},
      {"/usr/lib/llvm-22/lib/clang/22/include/immintrin.h", true},
      {"/opt/clang/lib/clang/22/include/immintrin.h", true},
      {"/opt/gcc/lib/gcc/x86_64-linux-gnu/14/include/stdarg.h", true},
      {"/opt/llvm/include/c++/v1/vector", true},
      {"/home/me/sysroot/usr/include/stdlib.h", true},
      {"/home/me/prog/include/prog.h", false},
      {"/home/me/prog/src/main.cpp", false},
      {"/usr/src/prog/main.cpp", false},
      {"prog.cpp", false},
      {"", false},
  };
  for (const auto &[path, is] : table)
    EXPECT_EQ(isSystemHeader(path), is) << path;
}

namespace {

constexpr uint32_t own = 0, header = 1;

/// Scopes: 0 the function, in the file `of`; 1 others' code called on 10; 2 more of it in 1; 3 a
/// lambda of the user called there; 4 others' code that the lambda calls on 12; 5 a header's text
/// in the middle of the lambda.
std::vector<Map> mapsOf(uint32_t of) {
  Function f;
  f.name = "f";
  f.files = {{"/home/me/prog.cpp", {}}, {"/usr/include/c++/12/bits/x.h", {}}};
  f.scopes = {{noIndex, "f", of, 5, 0, 0},   {0, "g", header, 100, 10, 3},
              {1, "h", header, 200, 110, 5}, {2, "lambda", own, 11, 210, 7},
              {3, "i", header, 300, 12, 9},  {3, "lambda", header, 0, 0, 0}};
  f.blocks.resize(1);
  for (uint32_t scope = 0; scope < f.scopes.size(); ++scope)
    f.blocks[0].lines.push_back({1000 + scope, 1, scope});
  f.branches.resize(1);
  f.branches[0].at = {203, 4, 2};
  f.loops.resize(1);
  f.loops[0].at = {13, 4, 3};
  f.calls.resize(1);
  f.calls[0].at = {301, 4, 4};
  f.assemblies.resize(1);
  f.assemblies[0].at = {101, 4, 1};
  Map m;
  m.functions = {f};
  return {m};
}

} // namespace

TEST(Foreign, PlacesMoveToTheInnermostCallOutsideOfForeignFiles) {
  std::vector<Map> maps = mapsOf(own);
  foldForeign(maps, isSystemHeader);
  const Function &f = maps[0].functions[0];
  const Location call{10, 3, 0, true}, inLambda{12, 9, 3, true};
  EXPECT_EQ(
      f.blocks[0].lines,
      (std::vector<Location>{{1000, 1, 0}, call, call, {1003, 1, 3}, inLambda, {11, 0, 3, true}}));
  EXPECT_EQ(f.branches[0].at, call);
  EXPECT_EQ(f.loops[0].at, (Location{13, 4, 3}));
  EXPECT_EQ(f.calls[0].at, inLambda);
  EXPECT_EQ(f.assemblies[0].at, call);
  EXPECT_EQ(f.scopes, mapsOf(own)[0].functions[0].scopes);
}

TEST(Foreign, AFunctionOfOthersKeepsItsOwnPlaces) {
  std::vector<Map> maps = mapsOf(header);
  foldForeign(maps, isSystemHeader);
  const std::vector<Location> &lines = maps[0].functions[0].blocks[0].lines;
  EXPECT_EQ(lines[0], (Location{1000, 1, 0}));
  EXPECT_EQ(lines[2], (Location{10, 3, 0, true}));
  EXPECT_EQ(lines[3], (Location{1003, 1, 3}));
}

TEST(Foreign, NothingMovesWhereNothingIsForeign) {
  std::vector<Map> maps = mapsOf(own);
  foldForeign(maps, [](const std::string &) { return false; });
  EXPECT_EQ(maps[0].functions, mapsOf(own)[0].functions);
}

TEST(Foreign, BlocksOfTheSourceLoseThem) {
  const std::vector<Map> maps = mapsOf(own);
  SourceBlock block;
  block.lines = maps[0].functions[0].blocks[0].lines;
  std::vector<MapSources> sources{{{block}}};
  foldForeign(sources, maps, isSystemHeader);
  EXPECT_EQ(sources[0][0][0].lines, (std::vector<Location>{{1000, 1, 0}, {1003, 1, 3}}));
}
