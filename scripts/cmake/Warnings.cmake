# SPDX-License-Identifier: MIT
# workbook_warnings: link it (PRIVATE) for the compiler's warnings. They are errors only in C++, because a student's
# unused variable in a .cu file must not stop the build.
add_library(workbook_warnings INTERFACE)
target_compile_options(workbook_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra> $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
  $<$<COMPILE_LANGUAGE:CXX>:-Wsign-conversion>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${WORKBOOK_WERROR}>>:-Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
