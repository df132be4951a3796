# What makes mistakes with memory end a program in place of something worse: for the library, the tool and all that is
# linked with them. The runtime, which is linked into users' programs, and the plugin that compilers load have none of it.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported() # CMAKE_POSITION_INDEPENDENT_CODE goes for linking, too

# Those of the flags that the compiler takes, as a list in `out`.
function(quincunx_flags_taken out)
  foreach(flag ${ARGN})
    string(MAKE_C_IDENTIFIER "takes${flag}" takes)
    check_cxx_compiler_flag(${flag} ${takes})
    if(${takes})
      list(APPEND taken ${flag})
    endif()
  endforeach()
  set(${out} ${taken} PARENT_SCOPE)
endfunction()

add_library(quincunx_hardened INTERFACE)
target_compile_options(quincunx_hardened INTERFACE -D_GLIBCXX_ASSERTIONS)
# It needs an optimiser, and sanitizers see more than it does.
if(NOT QUINCUNX_SANITIZE)
  target_compile_options(quincunx_hardened INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
endif()
quincunx_flags_taken(taken -fstack-protector-strong -fstack-clash-protection -fcf-protection)
target_compile_options(quincunx_hardened INTERFACE ${taken})
check_linker_flag(CXX LINKER:-z,relro,-z,now takes_relro_now)
if(takes_relro_now)
  target_link_options(quincunx_hardened INTERFACE LINKER:-z,relro,-z,now)
endif()
# For sources whose instructions are what is measured.
set(QUINCUNX_PLAIN_OPTIONS -U_GLIBCXX_ASSERTIONS -U_FORTIFY_SOURCE -fno-stack-protector)
quincunx_flags_taken(taken -fno-stack-clash-protection -fcf-protection=none)
list(APPEND QUINCUNX_PLAIN_OPTIONS ${taken})
