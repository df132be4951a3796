# Compiles share/page, and d3 that draws in it (Debian's node-d3), into the library: a page asks nobody for
# anything. Sets page_source to the generated file; a changed part configures again.
find_file(QUINCUNX_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist /usr/share/javascript/d3 NO_DEFAULT_PATH
  DOC "d3 5, minified (Debian: node-d3)")
if(NOT QUINCUNX_D3)
  message(FATAL_ERROR "d3.min.js was not found: install node-d3 (scripts/deps build), or set QUINCUNX_D3 to it")
endif()
set(page_folder ${PROJECT_SOURCE_DIR}/share/page)
function(read_part file variable)
  file(READ ${file} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
read_part(${page_folder}/page.html page_html)
read_part(${page_folder}/page.css page_style)
read_part(${page_folder}/d3-licence.txt page_licence)
read_part(${QUINCUNX_D3} page_library)
set(page_script "")
# In this order: a file uses what stands above it.
foreach(name law data state world virtual charts groups distribution overview functions function flame inputs source trust whatif compare main)
  read_part(${page_folder}/${name}.js text)
  string(APPEND page_script "${text}")
endforeach()
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/PageParts.cpp)
configure_file(${PROJECT_SOURCE_DIR}/lib/report/page/PageParts.cpp.in ${page_source} @ONLY)
set_source_files_properties(${page_source} PROPERTIES
  INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/lib/report/page)
