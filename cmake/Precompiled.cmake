# What nearly every file includes is read once for each target: a third of the time that a build takes. Whatever a file
# uses it includes nevertheless: scripts/test --full builds once with CMAKE_DISABLE_PRECOMPILE_HEADERS.
set(QUINCUNX_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional> <ostream>
  <random> <set> <span> <string> <string_view> <tuple> <utility> <vector>)
