target_link_libraries(mpi_pt2pt_parts PUBLIC tenken_gpu)

# The program as a whole: on many ranks nothing hangs, planted faults are found, bad input is refused in one sentence.
set(few_ranks 2 3 4)
if(TENKEN_OPEN_MPI) # with sanitizers
  set(few_ranks 2 3)
endif()
tenken_program_test(mpi_pt2pt TWO_NODES TIMEOUT 400 RANKS 2 3 7 16 FEW ${few_ranks})
