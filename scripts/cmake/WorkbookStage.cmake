# SPDX-License-Identifier: MIT
# Makes a stage's programs and tests from one line of stages/CMakeLists.txt. Each .cu file is compiled once, into an
# object library that its programs share. The facts about a stage in a program come from here, not from the .cu file.
#
#   workbook_stage(stage01 PROBLEM reduction TITLE "global memory only" [BLOCK 32x8] [BLOCKS "32x8 32x32"] [DEFAULT_STREAM] [WRONG_LEVEL 1])
#     answer_stage01        bin/answer-stage01         answers/stage01/solution.cu
#     todo_stage01          bin/todo-stage01           stages/stage01/todo.cu
#     wrong_stage01         bin/wrong-stage01          answers/stage01/wrong/*.cu, all in one: --kernel NAME comes first
#     bench_answer_stage01  bin/bench-answer-stage01   the same kernels, timed; also for the todo and for variants
#     variant_stage07_<stem>  bin/variant-stage07-<stem>  answers/stage07/variants/<stem>.cu, where the stage has some
# * BLOCK: the default threads a block. BLOCKS: the only blocks that the stage takes.
# * WRONG_LEVEL: the compiler takes long for its kernels, so the wrong ones are optimised less (Collection.cmake).
# * stages/stageNN/*.cuh: what is given to the student beside todo.cu. The answer includes the same files, by name.
# * DEFAULT_STREAM: its launches go into the default stream. In cases, all others are called with their own stream.
#
#   workbook_stage_tests(stage01)   the tests of these programs; tests/course/stages calls it for each stage
include(CheckLinkerFlag)
include(Collection)

# No stage uses atomics of half-precision types. Without them <cuda/atomic> compiles in two thirds of the time.
function(workbook_kernel_library target source)
  add_library(${target} OBJECT ${ARGN} "${source}")
  target_link_libraries(${target} PUBLIC workbook PRIVATE workbook_warnings workbook_host_lines)
  target_compile_definitions(${target} PRIVATE CCCL_DISABLE_FP16_SUPPORT CCCL_DISABLE_BF16_SUPPORT)
  target_compile_options(${target} PRIVATE -lineinfo)
  set_target_properties(${target} PROPERTIES WORKBOOK_HOST_LEVEL 1)  # it launches, and does little else
endfunction()

# The folder of a stage's given headers, where it has some: todo.cu lies beside them, and the answer does not.
function(workbook_find_given_headers kernel stage)
  file(GLOB given CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/stages/${stage}/*.cuh")
  if(given)
    target_include_directories(${kernel} PRIVATE "${PROJECT_SOURCE_DIR}/stages/${stage}")
  endif()
endfunction()

# Reads a line `// WORDS: VALUE` at the head of a kernel's file. The result is its value, or nothing.
function(workbook_head_line result words source)
  file(STRINGS "${source}" lines LIMIT_COUNT 5 REGEX "^// ${words}: ")
  list(TRANSFORM lines REPLACE "^// ${words}: " "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# Compiles a kernel for the architecture in the head of `source`: `// needs: compute_90`. `result`: 90, or 0 without
# such a line.
function(workbook_compile_for_needs result kernel source)
  set(${result} 0 PARENT_SCOPE)
  workbook_head_line(needs "needs" "${source}")
  if(needs)
    string(REPLACE "compute_" "" compute_capability "${needs}")
    set_target_properties(${kernel} PROPERTIES CUDA_ARCHITECTURES ${compute_capability}-virtual)
    set(${result} ${compute_capability} PARENT_SCOPE)
  endif()
endfunction()

# The program of one file, and KIND_NAME_parts with everything that its programs link (kernel, row, problem). `kind` is
# answer, todo or variant; `name` ends the target's and the program's name.
function(workbook_program kind name stage source)
  string(REPLACE "-" "_" target "${kind}_${name}")
  workbook_kernel_library(${target}_kernel "${source}")
  workbook_find_given_headers(${target}_kernel ${stage})
  if(kind STREQUAL "todo")
    target_compile_options(${target}_kernel PRIVATE --diag-error=940)  # a missing return would crash, or worse
    # In a kernel, cudaMalloc stays a call, which a message can name. CUDA's header would remove it without a trace.
    target_compile_definitions(${target}_kernel PRIVATE __CUDACC_INTERNAL_NO_STUBS__)
    if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      set_target_properties(${target}_kernel PROPERTIES WORKBOOK_HOST_LEVEL 0)  # it is never timed, and a person waits for it
    endif()
  endif()
  # A copy of the compiled file. With it, a program can later see and report that the file has changed.
  set(built_from "${CMAKE_CURRENT_BINARY_DIR}/${target}.built-from")
  add_custom_command(OUTPUT "${built_from}" DEPENDS "${source}" VERBATIM COMMENT "Keeping what ${target} is built from"
    COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${built_from}")
  target_sources(${target}_kernel PRIVATE "${built_from}")
  workbook_compile_for_needs(compute_capability ${target}_kernel "${source}")
  file(RELATIVE_PATH relative_source "${PROJECT_SOURCE_DIR}" "${source}")
  get_property(row GLOBAL PROPERTY WORKBOOK_ROW_${stage})
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  add_library(${target}_parts INTERFACE)
  target_sources(${target}_parts INTERFACE "${PROJECT_SOURCE_DIR}/common/workbook/case/stage_row.cpp" $<TARGET_OBJECTS:${target}_kernel>
    $<TARGET_OBJECTS:workbook_problem_${problem}>)
  target_compile_definitions(${target}_parts INTERFACE ${row} WORKBOOK_STAGE_COMPUTE_CAPABILITY=${compute_capability}
    "WORKBOOK_STAGE_SOURCE=\"${relative_source}\"" "WORKBOOK_STAGE_FILE=\"${source}\"" "WORKBOOK_STAGE_BUILT_FROM=\"${built_from}\"")
  get_target_property(families workbook_problem_${problem} WORKBOOK_FAMILIES)
  target_link_libraries(${target}_parts INTERFACE ${families})
  add_executable(${target})
  target_link_libraries(${target} PRIVATE workbook_main ${target}_parts workbook_warnings)
  string(REPLACE "_" "-" kind_name "${kind}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${kind_name}-${name}")
  if(kind STREQUAL "todo" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    # Takes half of the time of the usual linker, which is a tenth of a second.
    check_linker_flag(CXX "-fuse-ld=gold" WORKBOOK_HAS_GOLD)
    if(WORKBOOK_HAS_GOLD)
      target_link_options(${target} PRIVATE -fuse-ld=gold)
    endif()
  endif()
  get_target_property(benchmark workbook_problem_${problem} WORKBOOK_BENCHMARK)
  if(TARGET ${benchmark})
    add_executable(bench_${target} ${WORKBOOK_NOT_IN_ALL})
    target_link_libraries(bench_${target} PRIVATE workbook_bench_main ${benchmark} ${target}_parts workbook_warnings)
    set_target_properties(bench_${target} PROPERTIES OUTPUT_NAME "bench-${kind_name}-${name}")
    workbook_head_line(not_simulated "not simulated" "${source}")
    # A student's benchmark is for a GPU. On the simulator the answer's shows that benchmarks work.
    if(WORKBOOK_TEST_DEVICE STREQUAL "gpu" OR NOT (not_simulated OR kind STREQUAL "todo"))
      workbook_device_test(${name}.${kind}.bench ON_REQUEST LABELS stage ${kind} bench TIMEOUT 120
        COMMAND bench_${target} --check-only)
    endif()
  endif()
endfunction()

# A stage's judging program, and the student's process that it judges: KIND_NAME's kernel in a program of its own.
#   judge_stage01            bin/judge-stage01            WORKBOOK_STUDENT="COMMAND of the other program"
#   student_answer_stage01   bin/student-answer-stage01   to be run with <build>/student in the library path
function(workbook_judge stage)
  if(NOT TARGET workbook_student_main)
    return()  # a copy of the course without common/remote
  endif()
  get_property(row GLOBAL PROPERTY WORKBOOK_ROW_${stage})
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  add_executable(judge_${stage} EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/common/workbook/case/stage_row.cpp")
  target_compile_definitions(judge_${stage} PRIVATE ${row} WORKBOOK_STAGE_COMPUTE_CAPABILITY=0
    "WORKBOOK_STAGE_SOURCE=\"stages/${stage}/todo.cu\"" WORKBOOK_STAGE_FILE=\"\" WORKBOOK_STAGE_BUILT_FROM=\"\")
  get_target_property(families workbook_problem_${problem} WORKBOOK_FAMILIES)
  target_link_libraries(judge_${stage} PRIVATE workbook_main workbook_problem_${problem} workbook_judge_${problem} workbook_judge
    ${families} workbook_warnings)
  set_target_properties(judge_${stage} PROPERTIES OUTPUT_NAME "judge-${stage}")
endfunction()

function(workbook_student_program target stage)
  if(NOT TARGET workbook_student_main)
    return()
  endif()
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  get_target_property(libraries workbook_problem_${problem} WORKBOOK_FAMILIES)
  list(POP_FRONT libraries)  # the problem's own family
  add_executable(student_${target} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}_kernel>)
  target_link_libraries(student_${target} PRIVATE workbook_student_main workbook_student_${problem} ${libraries} workbook_warnings)
  string(REPLACE "_" "-" name "${target}")
  set_target_properties(student_${target} PROPERTIES OUTPUT_NAME "student-${name}")
endfunction()

# What a grader links to the object of a student's todo.cu: <build>/student/stage01.parts has the files, a line each.
#   student_parts_stage01   builds them, and the judging program
function(workbook_student_parts stage)
  if(NOT TARGET workbook_student_main)
    return()  # a copy of the course without common/remote
  endif()
  get_property(problem GLOBAL PROPERTY WORKBOOK_PROBLEM_${stage})
  get_target_property(libraries workbook_problem_${problem} WORKBOOK_FAMILIES)
  list(POP_FRONT libraries)
  set(targets workbook_student_main workbook_student_${problem})
  set(archives ${libraries})
  if(libraries)
    list(APPEND archives workbook)
  endif()
  list(APPEND archives remote_channel)
  set(parts "")
  foreach(target IN LISTS targets)
    list(APPEND parts "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>")
  endforeach()
  foreach(target IN LISTS archives)
    list(APPEND parts "$<TARGET_FILE:${target}>")
  endforeach()
  list(APPEND parts "$<TARGET_FILE:CUDA::cudart>")
  list(JOIN parts "\n" text)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/student/${stage}.parts" CONTENT "${text}\n")
  add_custom_target(student_parts_${stage} DEPENDS ${targets} ${archives} remote_client judge_${stage})
endfunction()

# A track: the stages whose lines follow. NEEDS: the stages of other tracks that a learner should have solved before.
# CMake builds nothing from it; scripts/workbook_lib/course/tracks.py reads it.
function(workbook_track title)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NEEDS" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "workbook_track(\"${title}\"): knows NEEDS \"1-5 7\" alone")
  endif()
endfunction()

# The wrong kernels whose hints are drawn: all, or WORKBOOK_HINTS of those that are not slow, as far from each other as
# they can be.
function(workbook_kernels_for_hints result)
  set(kernels "${ARGN}")
  if(WORKBOOK_HINTS)
    foreach(kernel IN LISTS ARGN)
      workbook_head_line(slow "slow" "${kernel}")
      if(slow)
        list(REMOVE_ITEM kernels "${kernel}")
      endif()
    endforeach()
    list(LENGTH kernels count)
    if(count GREATER WORKBOOK_HINTS)
      set(all "${kernels}")
      set(kernels "")
      math(EXPR last "${WORKBOOK_HINTS} - 1")
      foreach(number RANGE ${last})
        math(EXPR index "${number} * ${count} / ${WORKBOOK_HINTS}")
        list(GET all ${index} kernel)
        list(APPEND kernels "${kernel}")
      endforeach()
    endif()
  endif()
  set(${result} "${kernels}" PARENT_SCOPE)
endfunction()

function(workbook_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg DEFAULT_STREAM "PROBLEM;TITLE;BLOCK;BLOCKS;WRONG_LEVEL" "")
  if(NOT name MATCHES "^stage([0-9][0-9])$")
    message(FATAL_ERROR "workbook_stage(${name}): a stage is named stage01, stage02, ...")
  endif()
  string(REGEX REPLACE "^0([0-9])$" "\\1" number "${CMAKE_MATCH_1}")
  if(NOT TARGET workbook_problem_${arg_PROBLEM} OR NOT arg_TITLE OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "workbook_stage(${name}): needs PROBLEM, an entry of a folder in common/workbook/problem, and TITLE \"the idea\"")
  endif()
  set_property(GLOBAL APPEND PROPERTY WORKBOOK_STAGES ${name})
  set_property(GLOBAL PROPERTY WORKBOOK_PROBLEM_${name} ${arg_PROBLEM})
  set_property(GLOBAL PROPERTY WORKBOOK_WRONG_LEVEL_${name} "${arg_WRONG_LEVEL}")
  set_property(GLOBAL PROPERTY WORKBOOK_ROW_${name} WORKBOOK_STAGE_NUMBER=${number} "WORKBOOK_STAGE_TITLE=\"${arg_TITLE}\""
    "WORKBOOK_STAGE_BLOCK=\"${arg_BLOCK}\"" "WORKBOOK_STAGE_BLOCKS=\"${arg_BLOCKS}\""
    "WORKBOOK_STAGE_DEFAULT_STREAM=$<IF:$<BOOL:${arg_DEFAULT_STREAM}>,true,false>")

  # A missing file fails the contract tests, which name it; the rest of the course still builds. Each build looks for
  # new and removed files.
  file(GLOB answer CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${name}/solution.cu")
  file(GLOB todo CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/stages/${name}/todo.cu")
  if(answer OR todo)
    workbook_judge(${name})
  endif()
  if(answer)
    workbook_program(answer ${name} ${name} "${answer}")
    workbook_student_program(answer_${name} ${name})
  endif()
  if(todo)
    workbook_program(todo ${name} ${name} "${todo}")
    workbook_student_parts(${name})
  endif()
  file(GLOB wrong_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${name}/wrong/*.cu")
  file(GLOB variants CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${name}/variants/*.cu")
  if(NOT answer)
    return()  # wrong kernels and variants may include it
  endif()
  if(wrong_kernels)
    workbook_collection(wrong ${name} ${wrong_kernels})
    if(arg_WRONG_LEVEL EQUAL 1)
      workbook_kernels_for_hints(for_hints ${wrong_kernels})
      workbook_collection(hints ${name} ${for_hints})
    endif()
  endif()
  foreach(variant IN LISTS variants)
    cmake_path(GET variant STEM stem)
    workbook_head_line(oldest_toolkit "needs CUDA" "${variant}")
    if(NOT CUDAToolkit_VERSION VERSION_LESS "${oldest_toolkit}")
      workbook_program(variant ${name}-${stem} ${name} "${variant}")
      if(NOT WORKBOOK_MAINTAINER_TESTS)
        set_target_properties(variant_${name}_${stem} variant_${name}_${stem}_kernel PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
    endif()
  endforeach()
endfunction()

# add_test() with the properties of every test that starts a CUDA program. 77 means: not tested, with the reason in the
# output. ON_REQUEST: where there is no GPU, only `scripts/workbook test -C all` runs it (tests/README.md).
function(workbook_device_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ON_REQUEST" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT")
  set(configurations "")
  if(arg_ON_REQUEST)
    list(APPEND arg_LABELS maintainer)
    if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      set(configurations CONFIGURATIONS all)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} ${configurations})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${WORKBOOK_TEST_ENVIRONMENT};${arg_ENVIRONMENT}" SKIP_RETURN_CODE 77
    TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# The tests of a program: all cases of its problem, and two other orders of warps and blocks, which show hidden races.
# Every checker of the simulator runs, because a right result is not enough. Then come the tests of the stage,
# tests/course/stages/STAGE_test.cpp, where there is such a file. A file with several stages in its name is for each of
# them.
#
#   workbook_kind_tests(answer_stage01 stage01 stage01.answer LABEL answer [WITHOUT full random adversarial checks own hostile])
function(workbook_kind_tests target stage test)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "LABEL" "WITHOUT")
  if(NOT TARGET ${target})
    return()
  endif()
  set(small quick,hostile)
  if("hostile" IN_LIST arg_WITHOUT)
    set(small quick)
  endif()
  function(cases name purposes)
    if(NOT name IN_LIST arg_WITHOUT)
      set(on_request "")
      if(name STREQUAL "full")
        set(on_request ON_REQUEST)
      endif()
      workbook_device_test(${test}.${name} ${on_request} COMMAND ${target} --cases ${purposes} LABELS stage ${arg_LABEL} TIMEOUT 600
        ENVIRONMENT ${ARGN})
    endif()
  endfunction()
  if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
    cases(random ${small} CUDASIM_SCHEDULE=random CUDASIM_SEED=1 CUDASIM_BLOCKS=6 CUDASIM_MULTIPROCESSORS=1)
    cases(adversarial ${small} CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1)
    cases(checks ${small} CUDASIM_CHECK=all)
    if(TEST ${test}.checks)
      set_tests_properties(${test}.checks PROPERTIES FAIL_REGULAR_EXPRESSION "cudasim: ")
    endif()
  else()
    cases(cases ${small})
  endif()
  cases(full full)
  file(GLOB own_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/course/stages/*${stage}_*test.cpp")
  if(own_tests AND NOT "own" IN_LIST arg_WITHOUT)
    foreach(own IN LISTS own_tests)
      cmake_path(GET own STEM stem)
      if(NOT TARGET workbook_own_${stem})
        add_library(workbook_own_${stem} OBJECT "${own}")
        target_link_libraries(workbook_own_${stem} PUBLIC workbook GTest::gtest PRIVATE workbook_warnings)
        set_target_properties(workbook_own_${stem} PROPERTIES WORKBOOK_HOST_LEVEL 1)
      endif()
    endforeach()
    list(TRANSFORM own_tests REPLACE "^.*/(.*)\\.cpp$" "workbook_own_\\1")
    add_executable(${target}_test)
    target_link_libraries(${target}_test PRIVATE workbook_stage_test_main ${own_tests} ${target}_parts workbook_warnings)
    get_target_property(program_name ${target} OUTPUT_NAME)
    set_target_properties(${target}_test PROPERTIES OUTPUT_NAME "${program_name}-test")
    workbook_device_test(${test}.own COMMAND ${target}_test LABELS stage ${arg_LABEL} TIMEOUT 600)
  endif()
endfunction()

# Variants of the answer, which lessons measure, must pass its tests. The head of a file may have:
#   // needs CUDA: 12.4       the oldest toolkit that can compile it; with an older one it is left out
#   // not simulated: WORDS     the simulator must refuse it, with these words
#   // fails: TEST ...          tests that its idea cannot pass, by the names of workbook_kind_tests
#   // slow simulated: TEST ... tests for a GPU alone
function(workbook_variant_tests stage)
  file(GLOB variants CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${stage}/variants/*.cu")
  foreach(variant IN LISTS variants)
    cmake_path(GET variant STEM stem)
    set(target variant_${stage}_${stem})
    if(NOT TARGET ${target})
      continue()
    endif()
    add_dependencies(maintainer_tests ${target})
    workbook_head_line(not_simulated "not simulated" "${variant}")
    workbook_head_line(without "fails" "${variant}")
    if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      workbook_head_line(slow "slow simulated" "${variant}")
      list(APPEND without ${slow})
    endif()
    if(not_simulated AND WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      workbook_device_test(${stage}.${stem}.refused COMMAND ${target} --cases quick LABELS stage variant maintainer TIMEOUT 60)
      set_tests_properties(${stage}.${stem}.refused PROPERTIES PASS_REGULAR_EXPRESSION "${not_simulated}.* not simulated")
    else()
      string(REPLACE " " ";" without "${without}")
      workbook_kind_tests(${target} ${stage} ${stage}.${stem} LABEL "variant;maintainer" WITHOUT ${without})
      if(TARGET ${target}_test)
        add_dependencies(maintainer_tests ${target}_test)
      endif()
    endif()
  endforeach()
endfunction()

function(workbook_stage_tests name)
  # The student's own file has the same tests. While it is not solved, they are skipped.
  workbook_kind_tests(answer_${name} ${name} ${name}.answer LABEL answer)
  workbook_kind_tests(todo_${name} ${name} ${name}.todo LABEL todo)
  if(WORKBOOK_MAINTAINER_TESTS)
    workbook_variant_tests(${name})
    if(TARGET student_answer_${name} AND WORKBOOK_TEST_DEVICE STREQUAL "simulator")
      add_dependencies(maintainer_tests remote_client judge_${name} student_answer_${name})
      workbook_device_test(${name}.judge LABELS answer maintainer TIMEOUT 120 COMMAND judge_${name} --cases quick
        ENVIRONMENT CUDASIM_CHECK=all "WORKBOOK_STUDENT=exec env LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}/student $<TARGET_FILE:student_answer_${name}>")
    endif()
  endif()
  if(TARGET todo_${name})
    workbook_device_test(contract.${name}.todo LABELS contract TIMEOUT 120 COMMAND "${WORKBOOK_PYTHON}" -B
      "${PROJECT_SOURCE_DIR}/tests/course/contract/todo_is_unsolved.py" $<TARGET_FILE:todo_${name}>
      "${PROJECT_SOURCE_DIR}/stages/${name}/todo.cu")
  endif()
  file(GLOB wrong_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/answers/${name}/wrong/*.cu")
  if(NOT TARGET wrong_${name})
    return()
  endif()
  # One process for all of a stage: Python takes as long to start as a small kernel to be refused.
  set(slow_kernels "")
  set(quick_kernels "")
  foreach(kernel IN LISTS wrong_kernels)
    workbook_head_line(slow "slow" "${kernel}")
    if(slow)
      list(APPEND slow_kernels "${kernel}")
    else()
      list(APPEND quick_kernels "${kernel}")
    endif()
  endforeach()
  set(wrong_is_refused "${WORKBOOK_PYTHON}" -S -B "${PROJECT_SOURCE_DIR}/tests/course/contract/wrong_is_refused.py"
    --device ${WORKBOOK_TEST_DEVICE} $<TARGET_FILE:wrong_${name}>)
  if(quick_kernels)
    workbook_device_test(${name}.wrong LABELS wrong TIMEOUT 600 COMMAND ${wrong_is_refused} ${quick_kernels})
  endif()
  if(slow_kernels)
    workbook_device_test(${name}.wrong.slow ON_REQUEST LABELS wrong TIMEOUT 300 COMMAND ${wrong_is_refused} ${slow_kernels})
    set_tests_properties(${name}.wrong.slow PROPERTIES COST 20)  # tests/unit/scripts gives the reason
  endif()
  if(WORKBOOK_TEST_DEVICE STREQUAL "simulator")
    set(program wrong_${name})
    if(TARGET hints_${name})
      set(program hints_${name})
    endif()
    workbook_kernels_for_hints(for_hints ${wrong_kernels})
    workbook_device_test(${name}.wrong-hints ON_REQUEST LABELS wrong TIMEOUT 300 COMMAND "${WORKBOOK_PYTHON}" -B
      "${PROJECT_SOURCE_DIR}/tests/course/contract/hint_is_drawn.py" "${CMAKE_BINARY_DIR}/simulator" $<TARGET_FILE:${program}>
      ${for_hints})
  endif()
endfunction()
