// Which functions of the system's libraries may spend time in the kernel. It knows names only.
#pragma once

#include <string_view>

namespace quincunx {

/// By linkage name: wrappers of system calls (read, fork, pthread_mutex_lock), and functions that
/// make some now and then (printf, malloc, std::ostream). Of names that it does not know: false.
bool mayEnterKernel(std::string_view name);

} // namespace quincunx
