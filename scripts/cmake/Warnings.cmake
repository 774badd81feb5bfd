# SPDX-License-Identifier: MIT
# workbook_warnings: link it (PRIVATE) and the compiler speaks up. Errors are for C++ only: a student's unused variable in a .cu
# file must not stop the lesson.
add_library(workbook_warnings INTERFACE)
target_compile_options(workbook_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra> $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${WORKBOOK_WERROR}>>:-Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
