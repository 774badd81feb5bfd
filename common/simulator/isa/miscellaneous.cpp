// SPDX-License-Identifier: MIT
// Instructions that wait, or that tell tools or the launcher something and change no value here.
#include "isa/families.h"

namespace cudasim {
namespace {

const Row rows[] = {
    {"nanosleep.u32", "*", Kind::nanosleep, nullptr, "9.7.19.2"},
    {"pmevent[.mask]", "*", Kind::nop, nullptr, "9.7.19.3"},
    // A grid starts when the one before it has ended, so a dependent launch has nothing to wait for.
    {"griddepcontrol<.launch_dependents|.wait>", "*", Kind::nop, nullptr, "9.7.13.13"},
};

}  // namespace

RowSpan miscellaneous_rows() { return span_of(rows); }

}  // namespace cudasim
