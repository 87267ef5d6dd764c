# SPDX-License-Identifier: Apache-2.0
# LibTorch without its own CMake package (which insists on toolkit parts that we do not use): headers, and the
# CPU libraries, plus the CUDA ones where the toolkit was found. The files come from the torch wheel that scripts/setup
# unpacks, or from a site's own LibTorch: -DTorch_DIR=.../share/cmake/Torch.
if(Torch_DIR)
  get_filename_component(PUMA_TORCH_ROOT ${Torch_DIR}/../../.. ABSOLUTE)
elseif(NOT PUMA_TORCH_ROOT)
  if(DEFINED ENV{PUMA_TORCH_ROOT})
    set(PUMA_TORCH_ROOT $ENV{PUMA_TORCH_ROOT})
  else()
    set(PUMA_TORCH_ROOT $ENV{HOME}/.cache/puma/torch-2.11.0/torch)
  endif()
endif()
set(PUMA_TORCH_ROOT ${PUMA_TORCH_ROOT} CACHE PATH "The folder with LibTorch's include and lib")
if(NOT EXISTS ${PUMA_TORCH_ROOT}/include/ATen/ATen.h)
  message(FATAL_ERROR "LibTorch is not in '${PUMA_TORCH_ROOT}' (no include/ATen/ATen.h). Run scripts/setup, give a "
          "site's own with -DTorch_DIR=.../share/cmake/Torch, or leave training out with -DPUMA_BUILD_MODEL=OFF.")
endif()
add_library(puma_torch INTERFACE)
# -idirafter: LibTorch ships its own fmt headers, which must not shadow the system's for spdlog.
# SHELL: keeps an option and its argument together (CMake drops options that it has seen before).
target_compile_options(puma_torch INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${PUMA_TORCH_ROOT}/include>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${PUMA_TORCH_ROOT}/include/torch/csrc/api/include>")
set(torch_libs ${PUMA_TORCH_ROOT}/lib/libtorch_cpu.so ${PUMA_TORCH_ROOT}/lib/libc10.so)
if(PUMA_WITH_CUDA AND EXISTS ${PUMA_TORCH_ROOT}/lib/libtorch_cuda.so)
  # The CUDA backend registers itself when it is loaded, so it must be linked although no symbol asks for it.
  list(APPEND torch_libs -Wl,--no-as-needed ${PUMA_TORCH_ROOT}/lib/libtorch_cuda.so -Wl,--as-needed
       ${PUMA_TORCH_ROOT}/lib/libc10_cuda.so CUDA::cudart)
  target_compile_definitions(puma_torch INTERFACE PUMA_TORCH_CUDA)
endif()
target_link_libraries(puma_torch INTERFACE ${torch_libs})
# Libraries that the toolkit lacks lie in wheels beside torch (nvidia/*/lib); LibTorch finds them by its own RPATH.
file(GLOB puma_torch_rpath ${PUMA_TORCH_ROOT}/../nvidia/*/lib)
set(PUMA_TORCH_RPATH ${PUMA_TORCH_ROOT}/lib ${puma_torch_rpath})
if(PUMA_WITH_CUDA)
  list(APPEND PUMA_TORCH_RPATH ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_BIN_DIR}/../extras/CUPTI/lib64)
endif()
target_link_options(puma_torch INTERFACE "LINKER:-rpath,$<JOIN:${PUMA_TORCH_RPATH},:>" "LINKER:--allow-shlib-undefined"
                    "LINKER:--disable-new-dtags")
