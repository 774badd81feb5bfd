// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

namespace cudasim {

/// Sets the host's floating-point environment to its default: rounding to nearest, subnormals kept. The destructor
/// restores the previous one. A GPU does not see what the program has set for the host (fesetround, or flush-to-zero by
/// -ffast-math).
class FloatEnvironment {
 public:
  FloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() { std::fesetenv(&before_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace cudasim
