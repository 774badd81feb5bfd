// SPDX-License-Identifier: MIT
// Instructions that wait, or that inform tools or the launcher and change no value here.
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {}  // namespace

InstructionDefinitions miscellaneous_rows() {
  static const InstructionDefinition rows[] = {
      {"nanosleep.u32", "*", nullptr, "9.7.19.2", decode_as<MicroOpcode::nanosleep>},
      {"pmevent[.mask]", "*", nullptr, "9.7.19.3", decode_as<MicroOpcode::nop>},
      // A grid starts when the one before it has ended, so a dependent launch has nothing to wait for.
      {"griddepcontrol<.launch_dependents|.wait>", "*", nullptr, "9.7.13.13", decode_as<MicroOpcode::nop>},
  };
  return span_of(rows);
}

}  // namespace cudasim
