// Types of calls and functions.
#include "quincunx/map/CallType.h"

namespace quincunx {

namespace {

std::string_view parametersOf(std::string_view type) {
  return type.substr(type.front() == '{' ? type.find('}') + 1 : 1);
}

} // namespace

TypeFit fitOfTypes(std::string_view call, std::string_view function) {
  if (call.empty() || function.empty() || call == function)
    return TypeFit::exact;
  std::string_view given = parametersOf(call), taken = parametersOf(function);
  if (given == ".") // a call without a prototype
    return TypeFit::exact;
  if (taken.ends_with('.'))
    taken.remove_suffix(1);
  const bool result = call.front() == 'v' ||
                      call.substr(0, call.size() - given.size()) ==
                          function.substr(0, function.size() - parametersOf(function).size());
  return result && given.starts_with(taken) ? TypeFit::prefix : TypeFit::none;
}

} // namespace quincunx
