// Which source file a path means.
#include "quincunx/map/SourceFiles.h"

#include <gtest/gtest.h>

using namespace quincunx;

TEST(SourceFiles, MatchSource) {
  const std::vector<SourceFile> sources{{"/b/proj/src/main.c", {}},
                                        {"/b/proj/lib/util.c", {}},
                                        {"/b/proj/src/util.c", {}},
                                        {"rel/only.c", {}}};
  struct {
    const char *path, *means, *error;
  } const table[] = {
      {"main.c", "/b/proj/src/main.c", ""},
      {"./src/main.c", "/b/proj/src/main.c", ""},
      {"/elsewhere/proj/lib/util.c", "/b/proj/lib/util.c", ""},
      {"src/../lib/util.c", "/b/proj/lib/util.c", ""},
      {"/b/proj/src/util.c", "/b/proj/src/util.c", ""},
      {"/home/x/rel/only.c", "rel/only.c", ""},
      {"util.c", "",
       "may be any of these; give more of its path: /b/proj/lib/util.c, /b/proj/src/util.c"},
      {"other/util.c", "", "may be any"},
      {"mian.c", "",
       "no function of the corpus comes from 'mian.c'; the nearest is '/b/proj/src/main.c'"},
      {"zzzzzzzz.f90", "", "no function of the corpus comes from 'zzzzzzzz.f90'"},
      {"in.c", "", "no function"}, // a suffix of the name is not the name
  };
  for (const auto &row : table) {
    const Result<std::string> r = matchSource(row.path, sources);
    ASSERT_EQ(static_cast<bool>(r), *row.error == 0) << row.path;
    if (r)
      EXPECT_EQ(*r, row.means);
    else
      EXPECT_NE(r.error().text.find(row.error), std::string::npos) << r.error().text;
  }
}
