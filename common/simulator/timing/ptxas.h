// SPDX-License-Identifier: MIT
// Registers and spills of a kernel, as ptxas gives them for a GPU. Only ptxas knows them, and it needs no GPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cudasim {

class Ptxas {
 public:
  struct Answer {
    std::uint32_t registers = 0;      ///< of a thread; 0: not known
    std::uint32_t spilled_bytes = 0;  ///< stored by a thread
  };

  /// `command`: the program, as CUDASIM_PTXAS names it. `answers`: a file that keeps its answers from run to run, or
  /// "".
  Ptxas(std::string command, std::string answers, std::uint32_t capability);

  /// `text`: a whole PTX text that has this kernel. The first time it takes about half a second. Not thread-safe.
  Answer ask(const std::string& text, const std::string& kernel);

 private:
  std::string command_, answers_, target_;
  std::map<std::uint64_t, Answer> known_;
};

/// From what `ptxas -v` writes about one kernel; nothing where it has no such answer.
std::optional<Ptxas::Answer> read_ptxas(std::string_view output, const std::string& kernel);

}  // namespace cudasim
