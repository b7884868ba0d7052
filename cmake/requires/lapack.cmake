# The library alone: its routines are called by their Fortran names.
set(install "Debian: liblapack-dev; elsewhere: a module such as openblas or mkl")
set(missing "no LAPACK was found")
find_package(LAPACK QUIET)
if(LAPACK_FOUND)
  set(found TRUE)
  set(link ${LAPACK_LIBRARIES})
endif()
