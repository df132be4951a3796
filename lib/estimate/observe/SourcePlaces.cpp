// A group has the name that says what it is, and the place of its first function.
#include "SourcePlaces.h"

namespace quincunx {

FunctionFigures placeOf(const SourceFunctions &sources, const std::vector<Map> &maps, size_t number,
                        const std::vector<bool> &ran) {
  const size_t map = sources.mapOf(number);
  const auto placeOfOne = [&](size_t one) {
    const SourceFunctions::Origin &origin = sources.origin(one);
    FunctionFigures out = placeOf(*origin.function, map, origin.scope);
    out.number = one;
    out.inlined = origin.inlined;
    out.group = sources.groupOf(one);
    return out;
  };
  FunctionFigures out = placeOfOne(number);
  if (sources.members(number).empty())
    return out;
  const FunctionGroup &group = maps[map].groups[sources.origin(number).own().group];
  out.name = group.name;
  out.isForeign = group.isForeign;
  for (const size_t member : sources.members(number)) {
    const FunctionFigures one = placeOfOne(member);
    out.inlined = !group.isForeign && (out.inlined || one.inlined);
    if (ran[member])
      out.members.push_back(one.name);
  }
  return out;
}

bool isGroup(const FunctionFigures &place) {
  return place.members.size() >= (place.isForeign ? 1 : 2);
}

} // namespace quincunx
