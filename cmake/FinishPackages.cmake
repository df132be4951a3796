# What CPack runs between laying out what a package holds and packing it: what Debian's policy asks for that an
# installation from sources does not have (in packages), and what a system may lack (in the tarball).
cmake_minimum_required(VERSION 3.25)

# `to`: the file `from`, packed the same each time.
function(pack from to)
  execute_process(COMMAND gzip -9n INPUT_FILE ${from} OUTPUT_FILE ${to} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${from})
endfunction()

# An entry of changelog.Debian for the version at the head of CHANGELOG.md, with the day of the commit.
function(debian_changelog file)
  execute_process(COMMAND date -u -R -d @$ENV{SOURCE_DATE_EPOCH} OUTPUT_VARIABLE day
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${file} "quincunx (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) bookworm; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; /usr/share/doc/quincunx/changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
endfunction()

# The package of a component, in `folder`.
function(finish_package component folder)
  string(TOUPPER ${component} key)
  set(documents ${folder}/usr/share/doc/${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${documents})
  if(component MATCHES "tool|plugin")
    file(COPY_FILE ${notices} ${documents}/copyright)
  else() # holds no code of others' headers
    file(COPY_FILE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/copyright ${documents}/copyright)
  endif()
  debian_changelog(${documents}/changelog.Debian)
  pack(${documents}/changelog.Debian ${documents}/changelog.Debian.gz)
  if(EXISTS ${documents}/CHANGELOG.md)
    pack(${documents}/CHANGELOG.md ${documents}/changelog.gz)
  endif()
  file(GLOB pages ${folder}/usr/share/man/man1/*.1)
  foreach(page ${pages})
    pack(${page} ${page}.gz)
  endforeach()
  if(EXISTS ${folder}/usr/share/zsh/site-functions) # where zsh of Debian looks
    file(RENAME ${folder}/usr/share/zsh/site-functions ${folder}/usr/share/zsh/vendor-completions)
  endif()
  file(GLOB programs ${folder}/usr/bin/quincunx ${folder}/usr/lib/quincunx/quincunx-print*.so)
  foreach(program ${programs})
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  set(override ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lintian/${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  if(EXISTS ${override})
    file(COPY ${override} DESTINATION ${folder}/usr/share/lintian/overrides)
  endif()
endfunction()

# Libraries that other systems may lack, or call otherwise, lie beside the plugins, their notices with those of headers.
function(finish_tarball folder)
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${folder}/bin/quincunx RESOLVED_DEPENDENCIES_VAR libraries
    PRE_INCLUDE_REGEXES sqlite3 zstd utf8proc libz\\.so PRE_EXCLUDE_REGEXES .)
  foreach(library ${libraries})
    file(COPY ${library} DESTINATION ${folder}/lib/quincunx FOLLOW_SYMLINK_CHAIN)
  endforeach()
  foreach(library libsqlite3-0 libzstd1 libutf8proc2 zlib1g)
    file(READ /usr/share/doc/${library}/copyright text)
    file(APPEND ${folder}/share/doc/quincunx/copyright "\n---- ${library} ----\n\n${text}")
  endforeach()
  file(COPY ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../LICENSE DESTINATION ${folder})
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  set(notices ${CPACK_TEMPORARY_DIRECTORY}/tool/usr/share/doc/quincunx/copyright)
  foreach(component ${CPACK_COMPONENTS_ALL})
    finish_package(${component} ${CPACK_TEMPORARY_DIRECTORY}/${component})
  endforeach()
else()
  finish_tarball(${CPACK_TEMPORARY_DIRECTORY})
endif()
