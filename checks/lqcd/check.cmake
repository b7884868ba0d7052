# The hopping term in the order in which it is written, and at the start of a cache line: 1 to 2 % (docs/decisions/0013).
# GCC else draws statements together into expressions and moves them to their first use, which costs spilled registers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/lanes/hopping_double.cpp
    ${CMAKE_CURRENT_LIST_DIR}/lanes/hopping_single.cpp PROPERTIES COMPILE_OPTIONS
    "-fno-tree-ter;-fno-tree-sink;-falign-functions=64;-falign-loops=64")
endif()

# Vectors that are not timed, but in blocks too small for others: with all optimizations these are a minute to compile
# where they are wider than a register. The check of each access to an element of a vector is half a minute more in a
# sanitizer build; the same template is checked at the widths of the build in the two files above.
set(lqcd_few -O1)
if(TENKEN_SANITIZE)
  list(APPEND lqcd_few -fno-sanitize=undefined)
endif()
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/lanes/hopping_others.cpp PROPERTIES COMPILE_OPTIONS "${lqcd_few}")

# The program as a whole: the same answers on many ranks, planted faults found, refusals in one sentence.
if(TENKEN_TESTS)
  # Not a test by itself: tests/plaquettes.py runs it for a long one.
  add_executable(lqcd_history ${CMAKE_CURRENT_LIST_DIR}/gauge/history_main.cpp)
  target_link_libraries(lqcd_history PRIVATE lqcd_parts)

  # Oversubscribed it would take minutes: with MPICH, which spins while it waits, and with sanitizers.
  if(NOT TENKEN_SANITIZE AND TENKEN_OPEN_MPI)
    set(rank_counts 1 2 4 8 16)
  else()
    set(rank_counts 1 2)
  endif()
  set(programs program configuration)
  set(python ${Python3_EXECUTABLE})
  # A second program needs NumPy, which the Python that was found first may not have.
  foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE no_numpy OUTPUT_QUIET ERROR_QUIET)
    if(no_numpy EQUAL 0)
      set(python ${candidate})
      list(APPEND programs pion)
      break()
    endif()
  endforeach()
  if(NOT pion IN_LIST programs)
    message(STATUS "lqcd_pion is not tested: no Python with NumPy was found")
  endif()
  foreach(test ${programs})
    tenken_test(lqcd lqcd_${test} ${python} ${CMAKE_CURRENT_LIST_DIR}/check_${test}.py
      $<TARGET_FILE:lqcd> ${MPIEXEC_EXECUTABLE} ${rank_counts})
  endforeach()
  list(TRANSFORM programs PREPEND lqcd_)
  set_tests_properties(${programs} PROPERTIES TIMEOUT 900 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
