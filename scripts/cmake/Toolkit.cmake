# SPDX-License-Identifier: MIT
# Chooses nvcc, before project(), and the architecture. CMake itself looks at CMAKE_CUDA_COMPILER, CUDACXX, PATH and
# CUDA_PATH. This file adds the usual folders and, last, the toolkit of `scripts/workbook` in .toolkit. It skips
# versions that the workbook cannot use. scripts/workbook_lib/machine/toolkit.py follows the same order.

# PTX only, for the oldest GPU that CUDA 13 knows. The simulator executes it, and a GPU's driver compiles it at load.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 75-virtual CACHE STRING "Architectures of device code, as CMake names them")
endif()

function(workbook_nvcc_is_supported result nvcc)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(NOT version MATCHES "release 1[23]\\.")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT DEFINED CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "")
  find_program(WORKBOOK_NVCC nvcc VALIDATOR workbook_nvcc_is_supported PATHS  # these come after PATH
    "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin /opt/cuda/bin
    "${CMAKE_CURRENT_SOURCE_DIR}/.toolkit/cuda/bin")
  mark_as_advanced(WORKBOOK_NVCC)
  if(NOT WORKBOOK_NVCC)
    message(FATAL_ERROR "No nvcc of CUDA 12 or 13 was found. Name one with CUDACXX=/path/to/nvcc, or run scripts/workbook run, "
      "which installs NVIDIA's toolkit into .toolkit without root.")
  endif()
  set(CMAKE_CUDA_COMPILER "${WORKBOOK_NVCC}")
endif()
