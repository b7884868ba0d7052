# What the checks in TENKEN_CHECKS require is looked for here, once: cmake/requires/NAME.cmake (see README.md there).
# In file scope, not in a function, because only so a language can be enabled.
#
# python/tenken/launch/needs.py reads all check.toml and sets needs/CHECK/problem (what keeps it from being built),
# needs/CHECK/{requires,sources,variants}, needs/CHECK/VARIANT/{requires,sources}; and tenken_required, all words.
set(needs_script ${PROJECT_SOURCE_DIR}/python/tenken/launch/needs.py)
file(GLOB tenken_check_tables CONFIGURE_DEPENDS ${TENKEN_CHECKS}/*/check.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tenken_check_tables} ${needs_script})
execute_process(COMMAND ${Python3_EXECUTABLE} ${needs_script} ${tenken_check_tables}
  OUTPUT_FILE ${PROJECT_BINARY_DIR}/needs.cmake COMMAND_ERROR_IS_FATAL ANY)
include(${PROJECT_BINARY_DIR}/needs.cmake)
if(TENKEN_TESTS)
  list(APPEND tenken_required cblas fftw3 lapack cuda)  # of cpp/numerics and cpp/gpu, tested whether a check uses them or not
  list(REMOVE_DUPLICATES tenken_required)
endif()

foreach(tenken_requirement ${tenken_required})
  unset(link)
  set(found FALSE)
  set(file ${PROJECT_SOURCE_DIR}/cmake/requires/${tenken_requirement}.cmake)
  if(EXISTS ${file})
    include(${file})
  else()
    set(missing "'${tenken_requirement}' is not known")
    set(install "use one of cmake/requires or add a file there")
  endif()
  set(tenken_${tenken_requirement}_found ${found})
  set(tenken_${tenken_requirement}_link ${link})
  # The sentence of lists and reports.
  set(tenken_${tenken_requirement}_missing "${missing}; ${install}")
endforeach()

# Sets `result` to what is missing of the requirements that follow, empty where all are there.
function(tenken_missing result)
  set(${result} "" PARENT_SCOPE)
  foreach(requirement ${ARGN})
    if(NOT tenken_${requirement}_found)
      set(${result} "${tenken_${requirement}_missing}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets `result` to what targets that use these requirements link.
function(tenken_links result)
  set(all)
  foreach(requirement ${ARGN})
    list(APPEND all ${tenken_${requirement}_link})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
