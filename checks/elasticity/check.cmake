# The program as a whole: iterations of a second program, the same answers on many ranks, planted faults, refusals.
if(TENKEN_TESTS)
  # Oversubscribed it would take minutes: with MPICH, which spins while it waits, and with sanitizers.
  if(NOT TENKEN_SANITIZE AND TENKEN_OPEN_MPI)
    set(rank_counts 1 2 4 8)
  else()
    set(rank_counts 1 2)
  endif()
  # The second program needs NumPy, which the Python that was found first may not have.
  set(python)
  foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE no_numpy OUTPUT_QUIET ERROR_QUIET)
    if(no_numpy EQUAL 0 AND NOT python)
      set(python ${candidate})
    endif()
  endforeach()
  if(python)
    tenken_test(elasticity elasticity_program ${python} ${CMAKE_CURRENT_LIST_DIR}/check_program.py
      $<TARGET_FILE:elasticity> ${MPIEXEC_EXECUTABLE} ${rank_counts})
    tenken_long_test(elasticity_published ${python} ${CMAKE_CURRENT_LIST_DIR}/check_program.py --published
      $<TARGET_FILE:elasticity> ${MPIEXEC_EXECUTABLE} 1)
    set_tests_properties(elasticity_program elasticity_published PROPERTIES TIMEOUT 7200 PROCESSORS 2 ENVIRONMENT
      "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
  else()
    message(STATUS "elasticity_program is not tested: no Python with NumPy was found")
  endif()
endif()
