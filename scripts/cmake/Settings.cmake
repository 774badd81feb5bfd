# SPDX-License-Identifier: MIT
# The settings of all compilers and linkers: standard, build type, output folders, run path, sanitizers.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0 OR CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 14.0)
  message(FATAL_ERROR "CUDA ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER}) is not supported: the workbook needs "
    "CUDA 12 or 13. Name another nvcc with CUDACXX, or run scripts/workbook, which installs one into .toolkit.")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
foreach(language CXX CUDA)
  set(CMAKE_${language}_STANDARD 17)
  set(CMAKE_${language}_STANDARD_REQUIRED ON)
  set(CMAKE_${language}_EXTENSIONS OFF)
endforeach()
# Lessons use assert() in kernels, so it stays on in every build type.
string(REPLACE "-DNDEBUG" "" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
string(REPLACE "-DNDEBUG" "" CMAKE_CUDA_FLAGS_RELWITHDEBINFO "${CMAKE_CUDA_FLAGS_RELWITHDEBINFO}")
# -O3 is for the host's code. A target with the property WORKBOOK_HOST_LEVEL has that level, and compiles in less time.
string(REPLACE "-O3" "" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
set(host_level $<TARGET_PROPERTY:WORKBOOK_HOST_LEVEL>)
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Release>>:-O$<IF:$<STREQUAL:${host_level},>,3,${host_level}>>)
# GCC may keep 400 MB before it looks for memory that it needs no more. It compiles our groups in 7 % less time, and takes
# at most 760 MB.
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=400000>)
# Paths in messages and assertions begin at the project, not at a home directory. The line tables of -lineinfo and -g1
# keep whole paths, so that a debugger finds the file. (A compiler cache may make paths relative.)
file(RELATIVE_PATH project_from_build "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
foreach(folder IN ITEMS "${PROJECT_SOURCE_DIR}/" "${project_from_build}")
  set(short_path "-fmacro-prefix-map=${folder}=")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${short_path}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${short_path}>)
endforeach()
# workbook_host_lines: link it (PRIVATE). Then a finding names the line of the host program that allocated or launched.
# With DWARF 5, addr2line before binutils 2.42 takes the lines of a template for lines of a file that nvcc has deleted.
# -g1 stands last: -gdwarf-4 alone means -g2.
add_library(workbook_host_lines INTERFACE)
target_compile_options(workbook_host_lines INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-g1> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-gdwarf-4> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-g1>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# Programs find the CUDA runtime as a shared library through RUNPATH, and LD_LIBRARY_PATH comes before it. So the same
# program runs with the toolkit's runtime (a GPU) or with the simulator's.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
add_link_options($<HOST_LINK:LINKER:--enable-new-dtags>)

string(REPLACE "," ";" sanitizers "${WORKBOOK_SANITIZE}")
foreach(sanitizer IN LISTS sanitizers)  # one by one, because nvcc takes a comma in -Xcompiler for the end of an option
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fsanitize=${sanitizer}>)
  add_link_options($<HOST_LINK:-fsanitize=${sanitizer}>)
endforeach()
if(sanitizers)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer> $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
endif()
