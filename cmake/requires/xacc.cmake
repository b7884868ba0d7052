# Sources with XcalableACC directives. tenken_xacc_command translates and compiles one (`… cc -c FILE.c -o FILE.o`), with the C
# compiler beside the C++ one where there is one and the MPI of the build; programs link the runtime, and depend on
# tenken_xacc_runtime.
set(install "Debian: python3-clang, and MPI's mpicc; elsewhere: pip install libclang")
set(missing "xacc needs libclang for Python and MPI's wrapper of the C compiler, and one of them was not found")
unset(tenken_xacc_python)
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "from clang import cindex; cindex.Index.create()" RESULT_VARIABLE result
    OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    set(tenken_xacc_python ${candidate})
    break()
  endif()
endforeach()
string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)" "mpicc" tenken_xacc_mpicc "${MPI_CXX_COMPILER}")
string(REGEX REPLACE "clang\\+\\+" "clang" tenken_xacc_cc "${CMAKE_CXX_COMPILER}")
string(REGEX REPLACE "g\\+\\+" "gcc" tenken_xacc_cc "${tenken_xacc_cc}")
if(tenken_xacc_python AND tenken_xacc_mpicc MATCHES "mpicc" AND EXISTS ${tenken_xacc_mpicc})
  set(found TRUE)
  set(tenken_xacc_command ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/xacc/src PYTHONDONTWRITEBYTECODE=1
    XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache XACC_MPICC=${tenken_xacc_mpicc} ${tenken_xacc_python} -m xacc)
  set(tenken_xacc_flags -O3)
  if(TENKEN_ISA STREQUAL "native")
    list(APPEND tenken_xacc_flags ${tenken_best})
  endif()
  if(EXISTS ${tenken_xacc_cc} AND NOT tenken_xacc_cc STREQUAL CMAKE_CXX_COMPILER)
    list(APPEND tenken_xacc_flags --cc ${tenken_xacc_cc})
  endif()
  file(GLOB tenken_xacc_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/xacc/src/xacc/*.py
    ${PROJECT_SOURCE_DIR}/xacc/src/xacc/runtime/*.[ch])
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/libxacc.a DEPENDS ${tenken_xacc_sources} VERBATIM
    COMMAND ${tenken_xacc_command} runtime -o ${PROJECT_BINARY_DIR}/libxacc.a ${tenken_xacc_flags})
  add_custom_target(tenken_xacc_runtime DEPENDS ${PROJECT_BINARY_DIR}/libxacc.a)
  add_library(tenken_xacc INTERFACE)
  target_include_directories(tenken_xacc INTERFACE ${PROJECT_SOURCE_DIR}/xacc/src/xacc/runtime)
  target_link_libraries(tenken_xacc INTERFACE ${PROJECT_BINARY_DIR}/libxacc.a m)
  set(link tenken_xacc)
endif()
