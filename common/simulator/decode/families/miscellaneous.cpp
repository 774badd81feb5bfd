// SPDX-License-Identifier: MIT
// Instructions that wait, or that inform tools or the launcher and change no value here.
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {

/// `launch_dependents` allows the next grid to begin, which it may do here without that.
void decode_dependency(FunctionDecoder& decoder, const Found& found) {
  MicroOp op = decoder.start(MicroOpcode::nop);
  if (found.has("wait")) op.extra = kWaitsForPrimary;
  decoder.emit(op);
}

}  // namespace

InstructionDefinitions miscellaneous_rows() {
  static const InstructionDefinition rows[] = {
      {"nanosleep.u32", "*", nullptr, "9.7.19.2", decode_as<MicroOpcode::nanosleep>},
      {"pmevent[.mask]", "*", nullptr, "9.7.19.3", decode_as<MicroOpcode::nop>},
      {"griddepcontrol<.launch_dependents|.wait>", "*", nullptr, "9.7.13.13", decode_dependency},
  };
  return span_of(rows);
}

}  // namespace cudasim
