// Names of ISO C, POSIX and the Itanium C++ ABI. What is on no list may do anything.
#include "LibraryCalls.h"

#include <algorithm>
#include <string>

namespace quincunx {

namespace {

constexpr std::string_view silent[] = {
    // memory and strings
    "free", "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memcpy", "memmove",
    "memset", "memcmp", "memchr", "memrchr", "bcmp", "strlen", "strnlen", "strcpy", "strncpy",
    "stpcpy", "strcat", "strncat", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll",
    "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "strtok", "strtok_r", "strdup",
    "strndup", "strerror", "strtol", "strtoul", "strtoll", "strtoull", "strtof", "strtod",
    "strtold", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
    "atoi", "atol", "atoll", "atof", "toupper", "tolower", "__ctype_b_loc", "__ctype_toupper_loc",
    "__ctype_tolower_loc", "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower",
    "ispunct", "isprint", "isxdigit",
    // streams and files
    "printf", "fprintf", "sprintf", "snprintf", "dprintf", "vprintf", "vfprintf", "vsprintf",
    "vsnprintf", "puts", "fputs", "putchar", "putc", "fputc", "_IO_putc", "fwrite", "fread",
    "fgets", "getc", "fgetc", "_IO_getc", "getchar", "ungetc", "getline", "getdelim", "scanf",
    "fscanf", "sscanf", "__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf", "__isoc23_scanf",
    "__isoc23_fscanf", "__isoc23_sscanf", "fopen", "fopen64", "fdopen", "fclose", "fflush", "fseek",
    "fseeko", "ftell", "ftello", "rewind", "feof", "ferror", "clearerr", "fileno", "setvbuf",
    "perror", "open", "open64", "close", "read", "write", "pread", "pwrite", "lseek", "lseek64",
    "fsync", "stat", "fstat", "lstat", "stat64", "fstat64", "lstat64", "isatty", "unlink", "rename",
    "mmap", "munmap", "getenv",
    // numbers and time
    "rand", "srand", "random", "srandom", "rand_r", "time", "clock", "clock_gettime",
    "gettimeofday", "sqrt", "sqrtf", "cbrt", "sin", "sinf", "cos", "cosf", "tan", "asin", "acos",
    "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expf", "exp2", "expm1", "log", "logf", "log2",
    "log10", "log1p", "pow", "powf", "fmod", "fmodf", "floor", "ceil", "round", "trunc", "lround",
    "llround", "lrint", "rint", "ldexp", "frexp", "modf", "hypot", "erf", "erfc", "lgamma",
    "tgamma", "__errno_location",
    // C++
    "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", "__cxa_allocate_exception",
    "__cxa_begin_catch", "__cxa_guard_acquire", "__cxa_guard_release", "_ZSt17__throw_bad_allocv",
    "_ZSt20__throw_length_errorPKc", "_ZSt20__throw_out_of_rangePKc",
    "_ZSt24__throw_out_of_range_fmtPKcz", "_ZSt19__throw_logic_errorPKc"};

constexpr std::string_view comparing[] = {"qsort",   "qsort_r", "bsearch", "lfind",
                                          "lsearch", "tsearch", "tfind",   "tdelete"};

bool isOneOf(std::string_view name, const auto &names) {
  return std::ranges::find(names, name) != std::end(names);
}

} // namespace

bool callsNothingBack(std::string_view name) {
  if (isOneOf(name, silent))
    return true;
  if (name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") || // operator delete
      name.starts_with("_ZNSt7__cxx1112basic_stringIc") ||
      name.starts_with("_ZNKSt7__cxx1112basic_stringIc"))
    return true;
  if (name.starts_with("__") && name.ends_with("_chk")) // of _FORTIFY_SOURCE
    return isOneOf(name.substr(2, name.size() - 6), silent);
  return false;
}

bool callsComparison(std::string_view name) { return isOneOf(name, comparing); }

bool isComparison(std::string_view type) { return type.empty() || type == "ipp" || type == "ippp"; }

bool leavesCallbacks(std::string_view name) {
  return name == "fopencookie" || name == "register_printf_function" ||
         name == "register_printf_specifier" || name == "mtrace";
}

} // namespace quincunx
