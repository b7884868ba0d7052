target_link_libraries(mpi_collectives_parts PUBLIC tenken_gpu)

if(TENKEN_TESTS AND tenken_cuda_found AND tenken_nccl_found)  # opened in place of NCCL
  add_library(fake_nccl MODULE ${PROJECT_SOURCE_DIR}/cpp/testing/fake_nccl.cpp)
  target_link_libraries(fake_nccl PRIVATE tenken_nccl ${tenken_cuda_link} MPI::MPI_CXX)
  set_target_properties(fake_nccl PROPERTIES PREFIX "" OUTPUT_NAME libnccl SUFFIX .so.2
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/mpi_collectives/fake_nccl)
  add_dependencies(mpi_collectives fake_nccl)
endif()

# The program as a whole: right answers on many ranks, planted faults found, refusals in one sentence, nothing hangs.
tenken_program_test(mpi_collectives TWO_NODES TIMEOUT 400 RANKS 1 2 3 16 FEW 1 2 3 4)
