// SPDX-License-Identifier: MIT
// A case whose result is one array or matrix of 32-bit elements: the call, and the comparison with the reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/reference_case.h"

namespace workbook {

/// Rows of `columns` numbers, with `padding` NaN after each. All bits of such a NaN are set.
std::vector<float> with_gaps(const std::vector<float>& matrix, std::size_t rows, std::size_t columns,
                             std::size_t padding);

/// The base class of cases with one output array or matrix.
class ArrayCase : public ReferenceCase {
 public:
  Outcome call(const Call& call, GpuTimer& timer) final;
  bool is_empty() const final { return expected().size() == 0; }

 protected:
  /// Names the inputs and the output, and launches. Returns the output.
  virtual const void* launch(DeviceCall& steps, const Call& call) = 0;
  /// The reference of the output. It has as many elements as the output, and lives as long as the case.
  virtual Words expected() const = 0;
  /// The error bound of each element, for floats. Null: every bit must match.
  virtual const std::vector<float>* bounds() const { return nullptr; }
  /// Other mistakes of the call, beside DeviceCall::mistake(); "" where there is none.
  virtual std::string mistake() { return ""; }
  /// What a wrong result comes down to, as a clause: ReferenceCase::add_known_mistake(). "" where it is not known.
  virtual std::string known_mistake(const Words&) const { return ""; }
  /// Data that may explain wrong elements, beside the facts of each call.
  virtual Explanations explanations() const { return {}; }
};

}  // namespace workbook
