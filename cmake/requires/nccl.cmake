# Collective operations between cards. Programs are not linked to NCCL: they open it when they need it, so that they
# start where it is not installed. Only its headers are needed to build.
set(install "Debian: libnccl-dev of NVIDIA's package source; elsewhere: a module such as nccl, or NCCL_HOME=/path/to/nccl")
set(missing "no header of NCCL was found (nccl.h)")
find_path(TENKEN_NCCL_INCLUDE nccl.h HINTS $ENV{NCCL_HOME} $ENV{NCCL_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH}
  PATHS /usr/local/cuda PATH_SUFFIXES include)
find_library(TENKEN_NCCL_LIBRARY nccl HINTS $ENV{NCCL_HOME} $ENV{NCCL_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH}
  PATHS /usr/local/cuda PATH_SUFFIXES lib64 lib)
if(TENKEN_NCCL_INCLUDE)
  set(found TRUE)
  add_library(tenken_nccl INTERFACE)
  target_include_directories(tenken_nccl SYSTEM INTERFACE ${TENKEN_NCCL_INCLUDE})
  if(TENKEN_NCCL_LIBRARY)
    target_compile_definitions(tenken_nccl INTERFACE "TENKEN_NCCL=\"${TENKEN_NCCL_LIBRARY}\"")
  endif()
  target_link_libraries(tenken_nccl INTERFACE ${CMAKE_DL_LIBS})
  set(link tenken_nccl)
endif()
