# The program as a whole: right answers on many ranks, planted faults found, refusals in one sentence, nothing hangs.
if(TENKEN_TESTS)
  # With MPICH, which spins while it waits, few are enough to wait for.
  if(TENKEN_OPEN_MPI AND NOT TENKEN_SANITIZE)
    set(rank_counts 1 2 3 16)
  else()
    set(rank_counts 1 2 4)
  endif()
  tenken_test(mpi_collectives mpi_collectives_program ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_program.py
    $<TARGET_FILE:mpi_collectives> ${MPIEXEC_EXECUTABLE} ${rank_counts})
  set_tests_properties(mpi_collectives_program PROPERTIES TIMEOUT 400 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
