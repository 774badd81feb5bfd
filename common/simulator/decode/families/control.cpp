// SPDX-License-Identifier: MIT
// Branches, calls and returns. The machine carries them out.
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

void decode_branch(FunctionDecoder& decoder, const Found&) { decoder.emit_branch(decoder.start(MicroOpcode::branch)); }

void decode_indexed_branch(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(2);
  const auto index = decoder.source(decoder.operand(0), ptx::Type::u32);
  MicroOp op = decoder.start(MicroOpcode::branch_indexed);
  op.a = index;
  decoder.emit_branch(op);
}

/// In a function it is a branch to its end, where the lanes meet.
void decode_return(FunctionDecoder& decoder, const Found&) {
  if (decoder.function().is_entry) return decoder.emit(decoder.start(MicroOpcode::exit));
  decoder.emit_branch(decoder.start(MicroOpcode::branch));
}

void decode_call(FunctionDecoder& decoder, const Found&) {
  Call call;
  if (decoder.operand_count() < 3) decoder.fail("a call without its lists of operands");
  auto offsets = [&](const ptx::Operand& list, std::vector<std::uint32_t>& at, std::vector<std::uint32_t>& bytes) {
    for (const auto& element : list.elements) {
      const std::uint32_t* const local = decoder.local_offset(element.name);
      if (element.kind != Kinds::name || local == nullptr)
        decoder.fail("a call whose arguments are not .param variables is not simulated");
      at.push_back(*local);
      std::uint32_t size = 0;
      for (const auto* variables :
           {&decoder.function().variables, &decoder.function().parameters, &decoder.function().returns}) {
        for (const auto& v : *variables) {
          if (v.name == element.name) size = static_cast<std::uint32_t>(v.size_bytes);
        }
      }
      bytes.push_back(size);
    }
  };
  offsets(decoder.operand(0), call.return_offsets, call.return_bytes);
  offsets(decoder.operand(2), call.argument_offsets, call.argument_bytes);
  const auto& callee = decoder.operand(1);
  if (callee.kind == Kinds::reg) {
    call.callee = Call::Callee::indirect;
    call.address_slot = decoder.source(callee, ptx::Type::u64);
  } else {
    std::uint32_t index = kNoPc;
    for (std::size_t f = 0; f < decoder.text().functions.size(); ++f) {
      if (decoder.text().functions[f].name == callee.name && !decoder.text().functions[f].is_declaration)
        index = decoder.program().function_of_text[f];
    }
    const std::size_t arguments = call.argument_offsets.size();
    auto host = [&](const char* name, Call::Callee kind, std::size_t needs) {
      if (index != kNoPc || callee.name != name) return;
      if (arguments < needs) decoder.fail("'" + callee.name + "' is called with too few arguments");
      call.callee = kind;
      index = 0;
    };
    host("vprintf", Call::Callee::printf, 2);
    host("__assertfail", Call::Callee::assert_fail, 5);
    host("malloc", Call::Callee::malloc, 1);
    host("free", Call::Callee::free, 1);
    if (index == kNoPc) decoder.fail("the function '" + callee.name + "' is called but has no body in this module");
    call.function = index;
    if (call.callee == Call::Callee::function) {
      const auto& f = decoder.program().functions[index];
      if (f.return_bytes.empty()) {  // Numba calls any function of C for a value. Here it has none.
        call.return_offsets.clear();
        call.return_bytes.clear();
      }
      if (f.parameter_bytes != call.argument_bytes ||
          (!call.return_bytes.empty() && f.return_bytes != call.return_bytes)) {
        decoder.fail("'" + callee.name + "' is called with other parameters than it is defined with");
      }
    } else {
      decoder.program().order_sensitive = true;  // printed text and heap addresses follow the order of execution
    }
  }
  const bool indirect = call.callee == Call::Callee::indirect;
  if (indirect) call.reconverge = static_cast<std::uint32_t>(decoder.program().code.size() + 1);
  decoder.emit(decoder.start(MicroOpcode::call), decoder.program().calls, call);
  if (indirect) {
    MicroOp meet;
    meet.kind = MicroOpcode::reconverge;
    decoder.emit(meet);
  }
}

}  // namespace

InstructionDefinitions control_rows() {
  static const InstructionDefinition rows[] = {
      {"bra[.uni]", "*", nullptr, "9.7.12.3", decode_branch},
      {"brx.idx[.uni]", "*", nullptr, "9.7.12.4", decode_indexed_branch},
      {"call[.uni]", "*", nullptr, "9.7.12.5", decode_call},
      {"ret[.uni]", "*", nullptr, "9.7.12.6", decode_return},
      {"exit", "*", nullptr, "9.7.12.7", decode_as<MicroOpcode::exit>},
      {"trap", "*", nullptr, "9.7.19.4", decode_as<MicroOpcode::trap>},
      {"brkpt", "*", nullptr, "9.7.19.1", decode_as<MicroOpcode::breakpoint>},
  };
  return span_of(rows);
}

}  // namespace cudasim
