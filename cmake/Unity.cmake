# Files of a folder are compiled eight at a time, which takes half of the time: headers are read, and templates made, once
# for all of them. Names without linkage have to differ within a folder, therefore. scripts/test --full builds once with
# QUINCUNX_UNITY=OFF.
option(QUINCUNX_UNITY "Compile the library and the tool several files at a time" ON)

# unity_by_folder(TARGET FILE...)
function(unity_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${QUINCUNX_UNITY} UNITY_BUILD_MODE GROUP)
  set(last "")
  foreach(file ${ARGN})
    get_filename_component(folder ${file} DIRECTORY)
    if(NOT folder STREQUAL last)
      set(last ${folder})
      set(number 0)
      file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER "${name}" name)
    endif()
    math(EXPR part "${number} / 8")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${name}_${part})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()
