# SPDX-License-Identifier: MIT
# The build's external dependencies. The system's packages come first. GoogleTest, nlohmann-json and CLI11 are
# downloaded, by version and hash, only where the system has none. Targets: CUDA::cudart, GTest::gtest_main,
# zstd::libzstd, nlohmann_json::nlohmann_json, CLI11::CLI11.
include(FetchContent)
find_package(Threads REQUIRED)
# CMake 3.25's module prints a message about this library's target, and CUDA 13 has no such library.
add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
find_package(CUDAToolkit REQUIRED)
# The linker often searches the toolkit's folder anyway. CMake would then leave it out of the run path.
list(APPEND CMAKE_BUILD_RPATH "${CUDAToolkit_LIBRARY_DIR}")

# workbook_library(NAME PACKAGE HASH URL): the system's package, or a download. FETCHCONTENT_SOURCE_DIR_NAME names
# existing sources.
macro(workbook_library name package hash url)
  find_package(${package} QUIET)
  string(TOUPPER "${name}" upper_name)
  if(NOT ${package}_FOUND)
    string(REGEX MATCH "[^/]+$" file_name "${url}")  # CMake chooses the extraction by the file's ending
    set(archive "${CMAKE_BINARY_DIR}/downloads/${name}-${file_name}")
    if(EXISTS "${archive}")
      file(SHA256 "${archive}" found)
      if(NOT found STREQUAL "${hash}")
        file(REMOVE "${archive}")
      endif()
    endif()
    if(NOT EXISTS "${archive}" AND NOT FETCHCONTENT_SOURCE_DIR_${upper_name})
      message(STATUS "${package} is not installed: downloading ${url}")
      # Under another name until it is whole: it may be cut off.
      file(DOWNLOAD "${url}" "${archive}.part" INACTIVITY_TIMEOUT 30 STATUS answer)
      if(answer MATCHES "^0;")
        file(RENAME "${archive}.part" "${archive}")
      else()
        file(REMOVE "${archive}.part")
        list(GET answer 1 reason)
        message(FATAL_ERROR "${package} is not installed, and could not be downloaded from\n  ${url}\n(${reason}). Install it. "
          "Debian and Ubuntu: apt-get install libgtest-dev nlohmann-json3-dev libcli11-dev libzstd-dev. Fedora: dnf install "
          "gtest-devel json-devel cli11-devel libzstd-devel.")
      endif()
    endif()
    # SYSTEM stands first. Elsewhere, CMake 3.25 takes it for a part of the hash.
    FetchContent_Declare(${name} SYSTEM URL "${archive}" URL_HASH SHA256=${hash} DOWNLOAD_EXTRACT_TIMESTAMP ON)
    FetchContent_MakeAvailable(${name})
  endif()
endmacro()
set(INSTALL_GTEST OFF)
workbook_library(googletest GTest 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
  https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz)
workbook_library(nlohmann_json nlohmann_json d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz)
workbook_library(cli11 CLI11 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz)

# Older distributions ship zstd without a CMake package, and its target has had more than one name.
find_path(WORKBOOK_ZSTD_INCLUDE zstd.h)
find_library(WORKBOOK_ZSTD_LIBRARY zstd)
mark_as_advanced(WORKBOOK_ZSTD_INCLUDE WORKBOOK_ZSTD_LIBRARY)
if(NOT WORKBOOK_ZSTD_INCLUDE OR NOT WORKBOOK_ZSTD_LIBRARY)
  message(FATAL_ERROR "zstd is missing. Debian and Ubuntu: apt-get install libzstd-dev. Fedora: dnf install libzstd-devel.")
endif()
add_library(zstd::libzstd UNKNOWN IMPORTED)
set_target_properties(zstd::libzstd PROPERTIES IMPORTED_LOCATION "${WORKBOOK_ZSTD_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${WORKBOOK_ZSTD_INCLUDE}")
