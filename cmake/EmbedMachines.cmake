# Compiles machines/*.machine into the library: the files are the only copy. Sets machines_source to the
# generated file; a changed .machine file configures again.
file(GLOB machine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/machines/*.machine)
set(QUINCUNX_MACHINES "")
foreach(machine_file ${machine_files})
  get_filename_component(machine_name ${machine_file} NAME_WLE)
  file(READ ${machine_file} machine_text)
  string(APPEND QUINCUNX_MACHINES "      {\"${machine_name}\", R\"machine(${machine_text})machine\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${machine_file})
endforeach()
set(machines_source ${CMAKE_CURRENT_BINARY_DIR}/Builtin.cpp)
configure_file(${PROJECT_SOURCE_DIR}/lib/cost/Builtin.cpp.in ${machines_source} @ONLY)
set_source_files_properties(${machines_source} PROPERTIES
  INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/lib/cost)
