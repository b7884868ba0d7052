# The ground state and all that does not move is shared physics.
target_link_libraries(tddft_parts PUBLIC tenken_dft)

if(TENKEN_TESTS)
  set(rank_counts 1 2)
  if(NOT TENKEN_SANITIZE AND TENKEN_OPEN_MPI)
    list(APPEND rank_counts 4)
  endif()
  tenken_test(tddft tddft_program ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_program.py
    $<TARGET_FILE:tddft> ${MPIEXEC_EXECUTABLE} ${rank_counts})
  set_tests_properties(tddft_program PROPERTIES TIMEOUT 600 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
