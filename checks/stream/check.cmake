# Compilers see memcpy in the copy loop; the C library's memcpy uses non-temporal stores on large arrays.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(stream_no_library_call -fno-tree-loop-distribute-patterns)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang|IntelLLVM")
  set(stream_no_library_call -fno-builtin-memcpy)
endif()
set_source_files_properties(${folder}/plain.cpp PROPERTIES COMPILE_OPTIONS "${stream_no_library_call}")

target_link_libraries(stream_parts PUBLIC tenken_gpu)

# The program of variant `cuda` where no card is: its kernels as loops on the host. check_program.py starts it.
tenken_program_test(stream TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(stream_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(stream_cuda_on_host PRIVATE stream_parts stream_on_host)
  set_target_properties(stream_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/stream)
  add_dependencies(stream stream_cuda_on_host)  # built wherever the program is tested
endif()
