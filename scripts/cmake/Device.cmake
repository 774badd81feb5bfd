# SPDX-License-Identifier: MIT
# Chooses the device of ctest. It sets WORKBOOK_TEST_DEVICE (gpu or simulator), and WORKBOOK_TEST_ENVIRONMENT for the
# ENVIRONMENT property of every test that starts a CUDA program. That list is empty on a GPU; otherwise it has the
# simulator's library path. WORKBOOK_NOT_IN_ALL is EXCLUDE_FROM_ALL where there is no GPU, for targets that need one.
# The rule for "usable GPU" is in scripts/workbook_lib/machine/device.py, which `scripts/workbook` uses as well.
if(NOT Python3_EXECUTABLE)  # scripts/workbook names its own; the search takes half a second
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()
# The interpreter itself. The found file may be a script that searches for it first (pyenv's takes 0.1 s).
execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)" OUTPUT_VARIABLE WORKBOOK_PYTHON
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

if(NOT WORKBOOK_DEVICE MATCHES "^(auto|gpu|simulator)$")
  message(FATAL_ERROR "WORKBOOK_DEVICE is \"${WORKBOOK_DEVICE}\"; it must be auto, gpu or simulator")
endif()
# This runs on every configure, because a build folder may move to a machine with a GPU.
execute_process(
  COMMAND "${WORKBOOK_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/../workbook_lib/machine/device.py"
    --device "${WORKBOOK_DEVICE}" --toolkit "${CUDAToolkit_VERSION_MAJOR}.${CUDAToolkit_VERSION_MINOR}"
  OUTPUT_VARIABLE WORKBOOK_TEST_DEVICE ERROR_VARIABLE device_reason RESULT_VARIABLE device_status
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
if(NOT device_status EQUAL 0)
  message(FATAL_ERROR "WORKBOOK_DEVICE=${WORKBOOK_DEVICE}: ${device_reason}")
endif()
message(STATUS "Tests run on: ${WORKBOOK_TEST_DEVICE} (${device_reason})")

set(WORKBOOK_TEST_ENVIRONMENT "")
if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
  set(WORKBOOK_TEST_ENVIRONMENT "LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}/simulator")
  if(NOT "$ENV{LD_LIBRARY_PATH}" STREQUAL "")
    string(APPEND WORKBOOK_TEST_ENVIRONMENT ":$ENV{LD_LIBRARY_PATH}")
  endif()
endif()

set(WORKBOOK_NOT_IN_ALL "")
if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
  set(WORKBOOK_NOT_IN_ALL EXCLUDE_FROM_ALL)
endif()
