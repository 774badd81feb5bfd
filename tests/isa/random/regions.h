// SPDX-License-Identifier: MIT
// Control flow of a random kernel. It is any mixture of conditions, loops, switches and calls, and *tangles*. A tangle
// is pieces of code between which lanes jump forwards and backwards, also into the middle of loops, so that the flow is
// irreducible. A tangle ends because each of its labels costs a unit of fuel.
#pragma once

#include <string>
#include <vector>

#include "statements.h"

namespace random_kernels {

class Regions {
 public:
  /// `functions` is how many device functions there are to call: f0, f1, ...
  Regions(Writer& writer, unsigned functions) : w_(writer), functions_(functions) {}

  /// `length` things, one after the other. At the end the same threads are together as at the beginning.
  void write_sequence(const Setting& setting, unsigned length, unsigned depth);

  static constexpr unsigned max_depth = 4;  // so many loop counters %c0... and masks %m0... a kernel declares

 private:
  struct Tangle {
    std::vector<std::string> labels;
    std::size_t placed = 0;
    std::string end;
  };

  void write_item(const Setting& setting, unsigned depth);
  void write_lane_item(const Setting& setting, unsigned depth);
  void write_straight_code(const Setting& setting);
  void write_if(const Setting& setting, unsigned depth);
  void write_masked_if(const Setting& setting, unsigned depth);
  void write_loop(const Setting& setting, unsigned depth);
  void write_masked_loop(const Setting& setting, unsigned depth);
  void write_uniform_loop(const Setting& setting, unsigned depth);
  void write_uniform_if(const Setting& setting, unsigned depth);
  void write_switch(const Setting& setting, unsigned depth);
  void write_tangle(const Setting& setting, unsigned depth);
  void write_call(const Setting& setting);
  void place_label();
  void maybe_jump();

  Writer& w_;
  unsigned functions_;
  unsigned repeats_ = 1;  // an upper bound of how often what is being written runs
  Tangle* tangle_ = nullptr;
};

}  // namespace random_kernels
