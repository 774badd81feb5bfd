# SPDX-License-Identifier: MIT
# From one line of stages/CMakeLists.txt to a stage's programs and tests. Each .cu file is compiled once, into an object
# library that its program and its test share; what a program knows of its stage comes from here, not from the .cu file.
#
#   workbook_stage(stage01 PROBLEM reduction TITLE "global memory only" [BLOCK_SIZE 1024])
#     answer_stage01        bin/answer-stage01         answers/stage01/solution.cu
#     todo_stage01          bin/todo-stage01           stages/stage01/todo.cu
#     wrong_stage01_<stem>  bin/wrong-stage01-<stem>   tests/wrong/stage01/<stem>.cu, each of them
#     bench_answer_stage01  bin/bench-answer-stage01   the same kernels, timed; also of the todo and of variants
#     variant_stage07_<stem>  bin/variant-stage07-<stem>  stages/stage07/variants/<stem>.cu, where the stage has some
#   workbook_stage_tests(stage01), called by tests/stages for each stage: the tests of these programs.

# Paths in messages and assertions begin at the project, not at somebody's home directory. The line tables that
# -lineinfo writes keep whole paths, so that a debugger finds the file.
function(workbook_kernel_library target source)
  add_library(${target} OBJECT "${source}")
  target_link_libraries(${target} PUBLIC workbook PRIVATE workbook_warnings)
  target_compile_options(${target} PRIVATE -lineinfo "-Xcompiler=-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
endfunction()

# A line `// WORDS: VALUE` at the head of a kernel's file: its value, or nothing.
function(workbook_head_line result words source)
  file(STRINGS "${source}" lines LIMIT_COUNT 5 REGEX "^// ${words}: ")
  list(TRANSFORM lines REPLACE "^// ${words}: " "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# The program of one file, and ROOM_NAME_parts: what every program made of this file links (kernel, row, problem).
# `room` is answer, todo, wrong or variant; `name` ends the target's and the program's name.
function(workbook_program room name stage source)
  string(REPLACE "-" "_" target "${room}_${name}")
  workbook_kernel_library(${target}_kernel "${source}")
  set(compute_capability 0)
  workbook_head_line(needs "needs" "${source}")  # "compute_90"
  if(needs)
    string(REPLACE "compute_" "" compute_capability "${needs}")
    set_target_properties(${target}_kernel PROPERTIES CUDA_ARCHITECTURES ${compute_capability}-virtual)
  endif()
  file(RELATIVE_PATH relative_source "${PROJECT_SOURCE_DIR}" "${source}")
  get_property(row GLOBAL PROPERTY WORKBOOK_ROW_${stage})
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  add_library(${target}_parts INTERFACE)
  target_sources(${target}_parts INTERFACE "${PROJECT_SOURCE_DIR}/common/workbook/stage_row.cpp" $<TARGET_OBJECTS:${target}_kernel>
    $<TARGET_OBJECTS:workbook_problem_${problem}>)
  target_compile_definitions(${target}_parts INTERFACE ${row} WORKBOOK_STAGE_COMPUTE_CAPABILITY=${compute_capability}
    "WORKBOOK_STAGE_SOURCE=\"${relative_source}\"")
  target_link_libraries(${target}_parts INTERFACE workbook)
  add_executable(${target})
  target_link_libraries(${target} PRIVATE workbook_main ${target}_parts workbook_warnings)
  string(REPLACE "_" "-" room_name "${room}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${room_name}-${name}")
  # A wrong kernel's time is of no interest.
  if(TARGET workbook_bench_${problem} AND NOT room STREQUAL "wrong")
    add_executable(bench_${target})
    target_link_libraries(bench_${target} PRIVATE workbook_bench_main workbook_bench_${problem} ${target}_parts workbook_warnings)
    set_target_properties(bench_${target} PROPERTIES OUTPUT_NAME "bench-${room_name}-${name}")
    workbook_head_line(not_simulated "not simulated" "${source}")
    if(NOT not_simulated OR WORKBOOK_TEST_DEVICE STREQUAL "gpu")
      workbook_device_test(${name}.${room}.bench LABELS stage ${room} bench TIMEOUT 120
        COMMAND bench_${target} --check-only --sizes 1,1000,4099,100003)
    endif()
  endif()
endfunction()

function(workbook_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROBLEM;TITLE;BLOCK_SIZE" "")
  if(NOT name MATCHES "^stage([0-9][0-9])$")
    message(FATAL_ERROR "workbook_stage(${name}): a stage is named stage01, stage02, ...")
  endif()
  string(REGEX REPLACE "^0" "" number "${CMAKE_MATCH_1}")
  if(NOT TARGET workbook_problem_${arg_PROBLEM} OR NOT arg_TITLE OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "workbook_stage(${name}): needs PROBLEM, one of those in common/workbook/problems, and TITLE \"the idea\"")
  endif()
  if(NOT arg_BLOCK_SIZE)
    set(arg_BLOCK_SIZE 0)
  endif()
  set_property(GLOBAL APPEND PROPERTY WORKBOOK_STAGES ${name})
  set_property(GLOBAL PROPERTY WORKBOOK_PROBLEM_${name} ${arg_PROBLEM})
  set_property(GLOBAL PROPERTY WORKBOOK_ROW_${name} WORKBOOK_STAGE_NUMBER=${number} "WORKBOOK_STAGE_TITLE=\"${arg_TITLE}\""
    WORKBOOK_STAGE_BLOCK_SIZE=${arg_BLOCK_SIZE})

  # A file that is missing fails the contract tests, which name it; the rest of the course still builds.
  set(answer "${PROJECT_SOURCE_DIR}/answers/${name}/solution.cu")
  set(todo "${PROJECT_SOURCE_DIR}/stages/${name}/todo.cu")
  if(EXISTS "${answer}")
    workbook_program(answer ${name} ${name} "${answer}")
  endif()
  if(EXISTS "${todo}")
    workbook_program(todo ${name} ${name} "${todo}")
  endif()
  file(GLOB wrong_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/wrong/${name}/*.cu")
  file(GLOB variants CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/stages/${name}/variants/*.cu")
  if(NOT EXISTS "${answer}")
    return()  # wrong kernels and variants may include it
  endif()
  foreach(kernel IN LISTS wrong_kernels)
    cmake_path(GET kernel STEM stem)
    workbook_program(wrong ${name}-${stem} ${name} "${kernel}")
  endforeach()
  foreach(variant IN LISTS variants)
    cmake_path(GET variant STEM stem)
    workbook_head_line(oldest_toolkit "needs CUDA" "${variant}")
    if(NOT CUDAToolkit_VERSION VERSION_LESS "${oldest_toolkit}")
      workbook_program(variant ${name}-${stem} ${name} "${variant}")
    endif()
  endforeach()
endfunction()

# add_test() with what every test that starts a CUDA program needs. 77 means: not tested, and why is in the output.
function(workbook_device_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${WORKBOOK_TEST_ENVIRONMENT};${arg_ENVIRONMENT}" SKIP_RETURN_CODE 77
    TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# The parts of one program linked with the tests that every stage of its problem shares (tests/stages/CMakeLists.txt): one
# entry of ctest, TEST.GROUP, for each group of them. `target` is the program's.
#   workbook_room_tests(answer_stage01 stage01 stage01.answer LABELS answer [GROUPS Sizes...] [WITHOUT Group.Test:Group.Other])
function(workbook_room_tests target stage test)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "LABELS;WITHOUT" "GROUPS")
  if(NOT TARGET ${target}_parts)
    return()
  endif()
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  add_executable(${target}_test)
  target_link_libraries(${target}_test PRIVATE workbook_stage_test_${problem} ${target}_parts workbook_warnings)
  get_target_property(program_name ${target} OUTPUT_NAME)
  set_target_properties(${target}_test PROPERTIES OUTPUT_NAME "${program_name}-test")
  if(NOT arg_GROUPS)
    get_target_property(arg_GROUPS workbook_stage_test_${problem} WORKBOOK_GROUPS)
  endif()
  if(arg_WITHOUT)
    set(arg_WITHOUT "-${arg_WITHOUT}")
  endif()
  foreach(group IN LISTS arg_GROUPS)
    string(TOLOWER "${group}" word)
    workbook_device_test(${test}.${word} COMMAND ${target}_test "--gtest_filter=${group}.*${arg_WITHOUT}"
      LABELS stage ${arg_LABELS} TIMEOUT 600)
  endforeach()
  # A race that the usual order of warps and blocks hides: other orders must give the same sums.
  if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
    foreach(schedule random adversarial)
      workbook_device_test(${test}.${schedule} COMMAND ${target}_test
        "--gtest_filter=Sizes.*/257:Sizes.*/1025:Sizes.*/4097" LABELS stage ${arg_LABELS} TIMEOUT 600
        ENVIRONMENT CUDASIM_SCHEDULE=${schedule} CUDASIM_SEED=1)
    endforeach()
    # A right sum is not enough: every checker of the simulator must be silent too.
    workbook_device_test(${test}.checks COMMAND ${target}_test "--gtest_filter=Sizes.*${arg_WITHOUT}" LABELS stage ${arg_LABELS}
      TIMEOUT 600 ENVIRONMENT CUDASIM_CHECK=all)
    set_tests_properties(${test}.checks PROPERTIES FAIL_REGULAR_EXPRESSION "cudasim: ")
  endif()
endfunction()

# Variants of the answer are held to its tests of sums. The head of a file may say
#   // needs CUDA: 12.4       the oldest toolkit that can compile it; it is left out where the toolkit is older
#   // not simulated: WORDS     the simulator must refuse it, with these words
#   // fails: GROUP.TEST:...     tests that its idea cannot pass
#   // slow simulated: GROUP.TEST:...   tests for a GPU alone
function(workbook_variant_tests stage)
  file(GLOB variants CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/stages/${stage}/variants/*.cu")
  foreach(variant IN LISTS variants)
    cmake_path(GET variant STEM stem)
    set(target variant_${stage}_${stem})
    if(NOT TARGET ${target})
      continue()
    endif()
    workbook_head_line(not_simulated "not simulated" "${variant}")
    workbook_head_line(without "fails" "${variant}")
    if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      workbook_head_line(slow "slow simulated" "${variant}")
      list(APPEND without ${slow})
      list(JOIN without ":" without)
    endif()
    if(not_simulated AND WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      workbook_device_test(${stage}.${stem}.refused COMMAND ${target} --size 1000 LABELS stage variant TIMEOUT 60)
      set_tests_properties(${stage}.${stem}.refused PROPERTIES PASS_REGULAR_EXPRESSION "${not_simulated}.* not simulated")
    else()
      workbook_room_tests(${target} ${stage} ${stage}.${stem} LABELS variant GROUPS Sizes OnDevice WITHOUT "${without}")
    endif()
  endforeach()
endfunction()

function(workbook_stage_tests name)
  # The student's own file is held to the same tests; while it is not solved, they are skipped.
  workbook_room_tests(answer_${name} ${name} ${name}.answer LABELS answer)
  workbook_room_tests(todo_${name} ${name} ${name}.todo LABELS todo)
  workbook_variant_tests(${name})
  if(TARGET todo_${name})
    workbook_device_test(contract.${name}.todo LABELS contract TIMEOUT 120 COMMAND "${Python3_EXECUTABLE}" -B
      "${PROJECT_SOURCE_DIR}/tests/contract/todo_is_unsolved.py" $<TARGET_FILE:todo_${name}>
      "${PROJECT_SOURCE_DIR}/stages/${name}/todo.cu")
  endif()
  file(GLOB wrong_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/wrong/${name}/*.cu")
  foreach(kernel IN LISTS wrong_kernels)
    cmake_path(GET kernel STEM stem)
    string(REPLACE "-" "_" target "wrong_${name}_${stem}")
    if(NOT TARGET ${target})
      continue()
    endif()
    workbook_device_test(${name}.wrong.${stem} LABELS wrong TIMEOUT 300 COMMAND "${Python3_EXECUTABLE}" -B
      "${PROJECT_SOURCE_DIR}/tests/contract/wrong_is_refused.py" --device ${WORKBOOK_TEST_DEVICE} "${kernel}"
      $<TARGET_FILE:${target}>)
  endforeach()
endfunction()
