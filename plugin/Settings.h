// Options of this compilation, set by the Clang half before pipelines are built and read by the
// pass.
#pragma once

#include "Instrument.h"

namespace quincunx {
Options &settings();
}
