# SPDX-License-Identifier: MIT
# Fails unless the simulator's library exports every symbol, with the same version, that the toolkit's own exports:
#   cmake -DNM=nm -DTOOLKIT=.../libcudart.so.13 -DSIMULATOR=.../libcudart.so.13 [-DUNVERSIONED=ON] -P check_exports.cmake
# UNVERSIONED: for the stub of the driver's library, whose symbols have no version.
function(read_exports result library)
  execute_process(COMMAND "${NM}" -D --defined-only "${library}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [TWi] [^\n]+" lines "${text}")
  list(TRANSFORM lines REPLACE "^ . " "")
  if(UNVERSIONED)
    list(TRANSFORM lines REPLACE "@.*$" "")
    list(FILTER lines INCLUDE REGEX "^cu")
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

read_exports(expected "${TOOLKIT}")
read_exports(exported "${SIMULATOR}")
list(LENGTH expected count)
if(count LESS 300)
  message(FATAL_ERROR "${TOOLKIT} exports ${count} symbols only: is it the library?")
endif()
list(REMOVE_ITEM expected ${exported})
if(expected)
  message(FATAL_ERROR "Not exported; add to not_simulated.txt of cudart or driver: ${expected}")
endif()
message(STATUS "All ${count} symbols of ${TOOLKIT} are exported")
