# What packages hold and say, for CPack; scripts/package makes them of the builds for each LLVM. Components: the tool; what
# all plugins share (runtime); a plugin for each LLVM; the book. The tarball has all of them.
set(documents ${CMAKE_INSTALL_DATADIR}/doc/quincunx)
# Libraries whose code is in what is built: their notices go with it.
set(notices ${PROJECT_BINARY_DIR}/copyright)
file(READ ${PROJECT_SOURCE_DIR}/cmake/copyright text)
foreach(library libcli11-dev libeigen3-dev nlohmann-json3-dev libboost-dev node-d3)
  if(EXISTS /usr/share/doc/${library}/copyright)
    file(READ /usr/share/doc/${library}/copyright of_library)
    string(APPEND text "\n---- code of ${library} ----\n\n${of_library}")
  endif()
endforeach()
file(WRITE ${notices} "${text}")
install(FILES ${notices} DESTINATION ${documents} COMPONENT tool)
install(FILES CHANGELOG.md DESTINATION ${documents} COMPONENT tool)
install(DIRECTORY share/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/quincunx COMPONENT tool)
install(FILES README.md CONTRIBUTING.md DESTINATION ${documents} COMPONENT doc)
install(DIRECTORY docs examples DESTINATION ${documents} COMPONENT doc PATTERN "*.1" EXCLUDE)

set(CPACK_PACKAGE_VENDOR "quincunx")
set(CPACK_PACKAGE_CONTACT "quincunx maintainers <maintainers@quincunx.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "quincunx built using CMake") # its own default: components have their own
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FinishPackages.cmake)
set(CPACK_COMPONENTS_GROUPING IGNORE)
foreach(component tool runtime plugin-22 plugin-19 doc) # each can be asked for by itself, as scripts/package does
  string(TOUPPER ${component} key)
  set(CPACK_COMPONENTS_${key} ${component})
endforeach()

# ---- the tarball: unpacks to one folder, which may lie anywhere ----
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})

# ---- Debian ----
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb12u1) # what is made for Debian 12, older than anything of Debian's own
set(CPACK_DEBIAN_PACKAGE_SOURCE quincunx)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Scripts that are not there keep CPack from writing some that call ldconfig: plugins are no libraries of the system.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA none/postinst none/postrm)
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME quincunx)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "quincunx-plugin-22 | quincunx-plugin-19, llvm-22 | llvm")
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS quincunx-doc)
set(CPACK_COMPONENT_TOOL_DESCRIPTION
"cost of C and C++ programs as a distribution over their inputs
quincunx tells how long a program takes not as one number but as percentiles
over the inputs it meets, of the program and of each of its functions; which
of them make the variance and the tail; and what would happen if one of them
were changed. What the program does is counted exactly and for each run
apart; some timed runs of the plain program turn counts into time.

This package has the command. A plugin of a compiler counts: it is in
quincunx-plugin-22 for clang 22, and in quincunx-plugin-19 for clang 19.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME quincunx-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"runtime of programs that are counted by quincunx
quincunx tells how long programs take as a distribution over their inputs.

This package has the library that is linked into programs which are compiled
with its plugin, the header <quincunx/quincunx.h>, and the package for CMake's
find_package. It is the same for each version of clang.")

# A plugin and its runtime are two halves of one program: of one version. Who installs all packages gets one compiler,
# clang 22; the plugin for clang 19 is for those who have it.
foreach(llvm 22 19)
  string(CONCAT name CPACK_DEBIAN_PLUGIN- ${llvm})
  set(${name}_PACKAGE_NAME quincunx-plugin-${llvm})
  set(${name}_PACKAGE_DEPENDS "quincunx-runtime ${same}")
  set(${name}_PACKAGE_RECOMMENDS quincunx)
  set(CPACK_COMPONENT_PLUGIN-${llvm}_DESCRIPTION
"plugin of clang ${llvm} that has programs counted by quincunx
quincunx tells how long programs take as a distribution over their inputs.

This package has the plugin that has clang ${llvm} add counters to programs
and a map of their control flow, its configuration file (its path is what
\"quincunx flags\" prints), and a printer of regions for opt.")
endforeach()
set(CPACK_DEBIAN_PLUGIN-22_PACKAGE_RECOMMENDS "quincunx, clang-22")
set(CPACK_DEBIAN_PLUGIN-19_PACKAGE_SUGGESTS clang-19)

set(CPACK_DEBIAN_DOC_PACKAGE_NAME quincunx-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DOC_DESCRIPTION
"book and examples of quincunx
quincunx tells how long programs take as a distribution over their inputs.

This package has the chapters of its book, from the tutorial to the formats
of its files, and programs with inputs to try it on. They are in
/usr/share/doc/quincunx.")

include(CPack)
