// share/replay/replay.c, which follows tables that stand in place of its line TABLES.
#pragma once

#include <string_view>

namespace quincunx {

extern const std::string_view replayProgram;

} // namespace quincunx
