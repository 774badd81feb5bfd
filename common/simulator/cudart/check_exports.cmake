# SPDX-License-Identifier: MIT
# Fails unless the simulator's library exports every symbol, with the same version, that the toolkit's own exports:
#   cmake -DNM=nm -DTOOLKIT=.../libcudart.so.13 -DSIMULATOR=.../libcudart.so.13 -P check_exports.cmake
function(read_exports result library)
  execute_process(COMMAND "${NM}" -D --defined-only "${library}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [TWi] [^\n]+" lines "${text}")
  list(TRANSFORM lines REPLACE "^ . " "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

read_exports(expected "${TOOLKIT}")
read_exports(exported "${SIMULATOR}")
list(LENGTH expected count)
if(count LESS 300)
  message(FATAL_ERROR "${TOOLKIT} exports ${count} symbols only: is it the runtime library?")
endif()
list(REMOVE_ITEM expected ${exported})
if(expected)
  message(FATAL_ERROR "Not exported; add to cudart/not_simulated.txt: ${expected}")
endif()
message(STATUS "All ${count} symbols of ${TOOLKIT} are exported")
