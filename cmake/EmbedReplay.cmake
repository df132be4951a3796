# Compiles share/replay/replay.c into the library as text. Sets replay_source to the generated file; a changed program configures
# again.
set(replay_file ${PROJECT_SOURCE_DIR}/share/replay/replay.c)
file(READ ${replay_file} replay_program)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${replay_file})
set(replay_source ${CMAKE_CURRENT_BINARY_DIR}/ReplayProgram.cpp)
configure_file(${PROJECT_SOURCE_DIR}/lib/report/threads/ReplayProgram.cpp.in ${replay_source} @ONLY)
set_source_files_properties(${replay_source} PROPERTIES
  INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/lib/report/threads)
