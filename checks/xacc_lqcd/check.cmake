# The programs, written by programs.py and compiled by xacc.
set(examples ${PROJECT_SOURCE_DIR}/xacc/examples/lqcd)
set(folder_of_programs ${PROJECT_BINARY_DIR}/checks/xacc_lqcd/programs)
file(MAKE_DIRECTORY ${folder_of_programs})
file(GLOB example_sources CONFIGURE_DEPENDS ${examples}/*.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${example_sources} ${CMAKE_CURRENT_LIST_DIR}/steps.c
  ${CMAKE_CURRENT_LIST_DIR}/packed.c ${CMAKE_CURRENT_LIST_DIR}/faces.c ${CMAKE_CURRENT_LIST_DIR}/programs.py)
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/programs.py ${examples} ${folder_of_programs}
  OUTPUT_VARIABLE programs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" programs "${programs}")
set(objects)
foreach(program ${programs})
  set(file ${folder_of_programs}/${program}.c)
  set(group)
  if(program MATCHES "_(reflect|nowait|faces)_")  # those with directives are started by their name
    set(group "-DXACC_GROUP=\"${program}\"")
  endif()
  add_custom_command(OUTPUT ${file}.o DEPENDS ${file} ${CMAKE_CURRENT_LIST_DIR}/version.h ${tenken_xacc_sources} VERBATIM
    COMMAND ${tenken_xacc_command} cc -c ${file} -o ${file}.o ${tenken_xacc_flags} ${group}
      -I${CMAKE_CURRENT_LIST_DIR} -I${PROJECT_SOURCE_DIR}/xacc/src/xacc/runtime -Wno-unknown-pragmas)
  list(APPEND objects ${file}.o)
endforeach()
add_custom_target(xacc_lqcd_programs DEPENDS ${objects})
target_include_directories(xacc_lqcd_parts PUBLIC ${folder_of_programs})
target_link_libraries(xacc_lqcd_parts PUBLIC ${objects} tenken_xacc)  # the runtime behind what calls it
add_dependencies(xacc_lqcd_parts xacc_lqcd_programs tenken_xacc_runtime)

# As a whole: equal answers on many ranks, the planted fault found, refusals; and beside the check lqcd where that is built.
if(TENKEN_TESTS AND NOT TENKEN_SANITIZE)
  set(rank_counts 1 2 4)
  if(TENKEN_OPEN_MPI)
    list(APPEND rank_counts 8)
  endif()
  set(beside none)
  if(TARGET lqcd_parts)
    set(beside $<TARGET_FILE:lqcd>)  # compared with where it was built, as a build of all does
  endif()
  tenken_test(xacc_lqcd xacc_lqcd_program ${tenken_xacc_python} -B ${CMAKE_CURRENT_LIST_DIR}/check_program.py
    $<TARGET_FILE:xacc_lqcd> ${MPIEXEC_EXECUTABLE} ${beside} ${rank_counts})
  set_tests_properties(xacc_lqcd_program PROPERTIES TIMEOUT 600 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive")
endif()
