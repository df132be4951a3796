// The reader of names that lib/estimate asks, from those that lib/report shows.
#include "NamesAsked.h"

#include "quincunx/report/Names.h"

namespace quincunx::tool {

NameReader namesAsked(const Display &display) {
  NameReader reader;
  reader.demangle = demangle;
  reader.shown = [&](const std::string &name) { return display.function(name); };
  reader.isCalled = [&](const std::string &name, const std::string &text) {
    return display.names.isCalled(name, text);
  };
  reader.mayBeCalled = [&](const std::string &name, const std::string &text) {
    return display.names.mayBeCalled(name, text);
  };
  return reader;
}

} // namespace quincunx::tool
