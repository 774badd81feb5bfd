# SPDX-License-Identifier: MIT
# Several kernels of one stage in one program. nvcc spends most of its time on headers, and here it reads them once.
# Each file is included within a namespace of its own, after the headers that any of them includes. So a file must
# #undef its macros. A header beside them, or of what is given to the student (stages/stageNN/*.cuh), is one of two kinds.
# With `#pragma once` it comes before all namespaces, and has their shared code. Without it, it is part of each file that
# includes it, so that a wrong kernel can rename what it defines.
#
#   workbook_collection(wrong stage01 FILE...)   wrong_stage01, bin/wrong-stage01 --kernel STEM [options of a program]
#
# Where a stage's line has WRONG_LEVEL, the kernels' code is optimised less. At level 2 stage 30 takes 6 s instead of 10
# to compile; at level 1 stage 32 takes 5 s instead of 16. The mistakes remain. But at level 1 kernels run up to eight
# times as long. The first finding of a mistake may change, and so may its hint. So these stages have the same kernels
# once more, compiled as a student's file, and built only on request:
#
#   workbook_collection(hints stage32 FILE...)   hints_stage32
function(workbook_collection kind stage)
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  get_property(row GLOBAL PROPERTY WORKBOOK_ROW_${stage})
  get_target_property(problem_file workbook_problem_${problem} WORKBOOK_ENTRY)
  file(GLOB given CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/stages/${stage}/*.cuh")
  file(GLOB shared CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${stage}/solution.cu"
    "${PROJECT_SOURCE_DIR}/answers/${stage}/wrong/answer/*.cuh")
  list(PREPEND shared ${given})  # the answer includes them
  set(includes "")
  foreach(file IN LISTS ARGN shared ITEMS "${problem_file}")
    file(STRINGS "${file}" lines REGEX "^#include (<|\"workbook/)")
    list(APPEND includes ${lines})
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(SORT includes)
  list(JOIN includes "\n" text)
  foreach(file IN LISTS shared)
    file(STRINGS "${file}" once REGEX "^#pragma once")
    if(once)
      string(APPEND text "\n#include \"${file}\"")
    endif()
  endforeach()
  string(PREPEND text "// Generated: see scripts/cmake/Collection.cmake.\n#include \"workbook/case/collection.h\"\n")
  set(rows "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM stem)
    file(RELATIVE_PATH source "${PROJECT_SOURCE_DIR}" "${file}")
    string(APPEND text "\nnamespace ${stem} {\n#include \"${file}\"\n#include \"${problem_file}\"\n}")
    string(APPEND rows "    {\"${stem}\", \"${source}\", &${stem}::this_problem},\n")
  endforeach()
  string(APPEND text "\n\nnamespace workbook {\nconst std::vector<CollectedKernel>& collected_kernels() {\n"
    "  static const std::vector<CollectedKernel> kernels{\n${rows}  };\n  return kernels;\n}\n}\n")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/${kind}_${stage}.cu")
  file(CONFIGURE OUTPUT "${generated}" CONTENT "${text}" @ONLY)
  set(target ${kind}_${stage})
  set(not_in_all "")
  if(kind STREQUAL "hints")
    set(not_in_all EXCLUDE_FROM_ALL)
  endif()
  workbook_kernel_library(${target}_kernel "${generated}" ${not_in_all})
  workbook_find_given_headers(${target}_kernel ${stage})
  if(kind STREQUAL "wrong")
    set_target_properties(${target}_kernel PROPERTIES WORKBOOK_HOST_LEVEL 0)
    get_property(level GLOBAL PROPERTY WORKBOOK_WRONG_LEVEL_${stage})
    if(level)
      target_compile_options(${target}_kernel PRIVATE "SHELL:-Xcicc -O${level}")
    endif()
  endif()
  workbook_compile_for_needs(compute_capability ${target}_kernel "${PROJECT_SOURCE_DIR}/answers/${stage}/solution.cu")
  add_executable(${target} ${not_in_all} "${PROJECT_SOURCE_DIR}/common/workbook/case/stage_row.cpp")
  target_compile_definitions(${target} PRIVATE ${row} WORKBOOK_STAGE_COMPUTE_CAPABILITY=${compute_capability}
    "WORKBOOK_STAGE_SOURCE=\"\"" "WORKBOOK_STAGE_FILE=\"\"" "WORKBOOK_STAGE_BUILT_FROM=\"\"")
  get_target_property(families workbook_problem_${problem} WORKBOOK_FAMILIES)
  target_link_libraries(${target} PRIVATE workbook_collection_main ${target}_kernel ${families} workbook_warnings)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${kind}-${stage}")
endfunction()
