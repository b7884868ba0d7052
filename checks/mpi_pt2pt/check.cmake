# The program as a whole: on many ranks nothing hangs, planted faults are found, bad input is refused in one sentence.
if(TENKEN_TESTS)
  # More ranks than cores take minutes with MPICH, which spins while it waits.
  if(TENKEN_OPEN_MPI AND NOT TENKEN_SANITIZE)
    set(rank_counts 2 3 7 16)
  elseif(TENKEN_OPEN_MPI)
    set(rank_counts 2 3)
  else()
    set(rank_counts 2 4)
  endif()
  tenken_test(mpi_pt2pt mpi_pt2pt_program ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_program.py
    $<TARGET_FILE:mpi_pt2pt> ${MPIEXEC_EXECUTABLE} ${rank_counts})
  set_tests_properties(mpi_pt2pt_program PROPERTIES TIMEOUT 400 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
