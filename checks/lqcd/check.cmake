# The program as a whole: the same answers on many ranks, planted faults found, refusals in one sentence.
if(TENKEN_TESTS)
  # Not a test by itself: tests/plaquettes.py runs it for a long one.
  add_executable(lqcd_history ${CMAKE_CURRENT_LIST_DIR}/gauge/history_main.cpp)
  target_link_libraries(lqcd_history PRIVATE lqcd_parts)

  # MPICH spins while it waits: oversubscribed it would take minutes.
  if(MPI_CXX_LIBRARY_VERSION_STRING MATCHES "Open MPI" OR MPIEXEC_EXECUTABLE MATCHES "openmpi")
    set(rank_counts 1 2 4 8 16)
  else()
    set(rank_counts 1 2)
  endif()
  foreach(test program configuration)
    add_test(NAME lqcd_${test} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_${test}.py
      $<TARGET_FILE:lqcd> ${MPIEXEC_EXECUTABLE} ${rank_counts})
  endforeach()
  set_tests_properties(lqcd_program lqcd_configuration PROPERTIES TIMEOUT 300 RUN_SERIAL ON ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
