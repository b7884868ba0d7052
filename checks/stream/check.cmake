# Compilers see memcpy in the copy loop; the C library's memcpy uses non-temporal stores on large arrays.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(stream_no_library_call -fno-tree-loop-distribute-patterns)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang|IntelLLVM")
  set(stream_no_library_call -fno-builtin-memcpy)
endif()
set_source_files_properties(${folder}/plain.cpp PROPERTIES COMPILE_OPTIONS "${stream_no_library_call}")

target_link_libraries(stream_parts PUBLIC tenken_gpu)

# Of the variant `cuda`, too, with its kernels as loops on the host (on_host_main.cpp).
tenken_program_test(stream TIMEOUT 120 RANKS 1 2)
