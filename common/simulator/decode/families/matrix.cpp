// SPDX-License-Identifier: MIT
// Instructions of tensor cores: products of small matrices that the lanes of a warp hold together, and moves of such
// matrices. All 32 lanes carry them out at once (MicroOpcode::matrix).
#include <string>
#include <utility>
#include <vector>

#include "decode/families/fragment_layout.h"
#include "decode/families/memory_parts.h"

namespace cudasim {
namespace {

using Mode = MatrixOperation::Mode;
using Kinds = ptx::Operand::Kind;

MatrixElement element_of(std::string_view type) {
  constexpr std::pair<std::string_view, MatrixElement> kElements[] = {
      {"f16", MatrixElement::f16}, {"bf16", MatrixElement::bf16}, {"tf32", MatrixElement::tf32},
      {"f32", MatrixElement::f32}, {"f64", MatrixElement::f64},   {"s8", MatrixElement::s8},
      {"u8", MatrixElement::u8},   {"s32", MatrixElement::s32},
  };
  for (const auto& [name, element] : kElements) {
    if (name == type) return element;
  }
  return MatrixElement::f32;
}

/// The slots of a fragment's registers: `{r0, r1}`, or `r0` alone.
void read_registers(FunctionDecoder& decoder, std::size_t operand, bool written, MatrixFragment& fragment) {
  const auto& given = decoder.operand(operand);
  const bool vector = given.kind == Kinds::vector;
  if ((vector ? given.elements.size() : 1) != fragment.registers)
    decoder.fail_here("needs " + std::to_string(fragment.registers) + " registers as its operand " +
                      std::to_string(operand + 1));
  const auto type = fragment.element == MatrixElement::f64 ? ptx::Type::f64 : ptx::Type::b32;
  for (unsigned i = 0; i < fragment.registers; ++i) {
    const auto& element = vector ? given.elements[i] : given;
    if (decoder.is_wide(element, type) != (type == ptx::Type::f64))
      decoder.fail_here("has a register of a wrong width as its operand " + std::to_string(operand + 1));
    fragment.slot[i] = written ? decoder.destination(element, type) : decoder.source(element, type);
  }
}

void emit(FunctionDecoder& decoder, const MatrixOperation& operation) {
  decoder.emit(decoder.start(MicroOpcode::matrix), decoder.program().matrices, operation);
}

/// "m16n8k16", among the tokens of the opcode.
MatrixShape shape_of(const Found& found) {
  MatrixShape shape;
  unsigned* at = nullptr;
  for (const auto token : found.tokens) {
    if (token[0] != 'm' || token[1] < '0' || token[1] > '9') continue;
    for (const char c : token) {
      if (c == 'm') at = &shape.m;
      if (c == 'n') at = &shape.n;
      if (c == 'k') at = &shape.k;
      if (c >= '0' && c <= '9') *at = *at * 10 + static_cast<unsigned>(c - '0');
    }
  }
  return shape;
}

/// The types at the end of the opcode: those of D, A, B and C. wmma with f16 has only those of D and C.
void decode_multiply(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(4);
  const MatrixShape shape = shape_of(found);
  const bool is_wmma = found.name() == "wmma";
  std::vector<std::string_view> types;
  for (const auto token : found.tokens) {
    if (ptx::type_from_text(token) != ptx::Type::none || token == "tf32") types.push_back(token);
  }
  if (types.size() == 2) types = {types[0], "f16", "f16", types[1]};
  MatrixOperation operation;
  operation.saturates = found.has("satfinite");
  operation.d = make_fragment(MatrixRole::accumulator, element_of(types[0]), shape, is_wmma);
  operation.a = make_fragment(MatrixRole::a, element_of(types[1]), shape, is_wmma);
  operation.b = make_fragment(MatrixRole::b, element_of(types[2]), shape, is_wmma);
  operation.c = make_fragment(MatrixRole::accumulator, element_of(types[3]), shape, is_wmma);
  // ptxas makes two products of four terms from it, one after the other.
  operation.step = is_wmma && operation.a.element == MatrixElement::tf32 ? 4 : shape.k;
  read_registers(decoder, 1, false, operation.a);
  read_registers(decoder, 2, false, operation.b);
  read_registers(decoder, 3, false, operation.c);
  read_registers(decoder, 0, true, operation.d);
  emit(decoder, operation);
}

/// wmma.load.a r, [p]{, stride} and wmma.store.d [p], r{, stride}
void decode_fragment(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(2, 3);
  const bool stores = found.has("store");
  const MatrixRole role = found.has("a") ? MatrixRole::a : found.has("b") ? MatrixRole::b : MatrixRole::accumulator;
  MatrixOperation operation;
  operation.mode = stores ? Mode::store : Mode::load;
  operation.by_columns = found.has("col");
  operation.is_operand = role != MatrixRole::accumulator;
  operation.d = make_fragment(role, element_of(found.tokens.back()), shape_of(found), true);
  read_registers(decoder, stores ? 1 : 0, !stores, operation.d);
  if (decoder.operand_count() == 3) operation.stride = decoder.source(decoder.operand(2), ptx::Type::u32);
  MemoryAccess access;
  access.space = space_of(found);
  access.is_store = stores;
  decoder.decode_address(decoder.operand(stores ? 0 : 1), access);
  operation.access = static_cast<std::uint32_t>(decoder.program().accesses.size());
  decoder.program().accesses.push_back(access);
  emit(decoder, operation);
}

/// ldmatrix and stmatrix: matrices of 8 x 8 elements of 16 bits, each by the addresses of its rows.
void decode_rows(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(2);
  const bool stores = found.name() == "stmatrix";
  MatrixOperation operation;
  operation.mode = stores ? Mode::store_rows : Mode::load_rows;
  operation.transposed = found.has("trans");
  operation.d = make_fragment(MatrixRole::accumulator, MatrixElement::f16, {8, 8, 0});
  operation.d.registers = found.has("x4") ? 4 : found.has("x2") ? 2 : 1;
  read_registers(decoder, stores ? 1 : 0, !stores, operation.d);
  MemoryAccess access;
  access.space = space_of(found);
  access.is_store = stores;
  decoder.decode_address(decoder.operand(stores ? 0 : 1), access);
  operation.access = static_cast<std::uint32_t>(decoder.program().accesses.size());
  decoder.program().accesses.push_back(access);
  emit(decoder, operation);
}

void decode_transposition(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(2);
  MatrixOperation operation;
  operation.mode = Mode::transpose;
  operation.d = operation.a = make_fragment(MatrixRole::accumulator, MatrixElement::f16, {8, 8, 0});
  read_registers(decoder, 1, false, operation.a);
  read_registers(decoder, 0, true, operation.d);
  emit(decoder, operation);
}

#define ALIGNED ".sync.aligned"
#define MMA "mma" ALIGNED
#define WMMA "wmma"
#define LAYOUT "<.row|.col>"
#define SHAPES "<.m16n16k16|.m32n8k16|.m8n32k16>"
#define SPACE "[.global|.shared|.shared::cta]"

}  // namespace

InstructionDefinitions matrix_rows() {
  static const InstructionDefinition rows[] = {
      {MMA "<.m16n8k8|.m16n8k16>.row.col.f32<.f16|.bf16><.f16|.bf16>.f32", "d *", nullptr, "9.7.14.5", decode_multiply},
      {MMA "<.m16n8k8|.m16n8k16>.row.col.f16.f16.f16.f16", "d *", nullptr, "9.7.14.5", decode_multiply},
      {MMA "<.m16n8k4|.m16n8k8>.row.col.f32.tf32.tf32.f32", "d *", nullptr, "9.7.14.5", decode_multiply},
      {MMA "<.m8n8k16|.m16n8k16|.m16n8k32>.row.col[.satfinite].s32<.s8|.u8><.s8|.u8>.s32", "d *", nullptr, "9.7.14.5",
       decode_multiply},
      {MMA "<.m8n8k4|.m16n8k4|.m16n8k8|.m16n8k16>.row.col.f64.f64.f64.f64", "d *", nullptr, "9.7.14.5",
       decode_multiply},
      {WMMA ".mma" ALIGNED LAYOUT LAYOUT SHAPES "<.f16|.f32><.f16|.f32>", "d *", nullptr, "9.7.14.4.5",
       decode_multiply},
      {WMMA ".mma" ALIGNED LAYOUT LAYOUT SHAPES ".f32.bf16.bf16.f32", "d *", nullptr, "9.7.14.4.5", decode_multiply},
      {WMMA ".mma" ALIGNED LAYOUT LAYOUT ".m16n16k8.f32.tf32.tf32.f32", "d *", nullptr, "9.7.14.4.5", decode_multiply},
      {WMMA ".mma" ALIGNED LAYOUT LAYOUT SHAPES ".s32<.s8|.u8><.s8|.u8>.s32[.satfinite]", "d *", nullptr, "9.7.14.4.5",
       decode_multiply},
      {WMMA ".mma" ALIGNED LAYOUT LAYOUT ".m8n8k4.f64.f64.f64.f64[.rn]", "d *", nullptr, "9.7.14.4.5", decode_multiply},
      {WMMA ".load<.a|.b>" ALIGNED LAYOUT SHAPES SPACE "<.f16|.bf16|.s8|.u8>", "d *", nullptr, "9.7.14.4.3",
       decode_fragment},
      {WMMA ".load.c" ALIGNED LAYOUT SHAPES SPACE "<.f16|.f32|.s32>", "d *", nullptr, "9.7.14.4.3", decode_fragment},
      {WMMA ".load<.a|.b|.c>" ALIGNED LAYOUT "<.m16n16k8|.m8n8k4>" SPACE "<.tf32|.f32|.f64>", "d *", nullptr,
       "9.7.14.4.3", decode_fragment},
      {WMMA ".store.d" ALIGNED LAYOUT SHAPES SPACE "<.f16|.f32|.s32>", "*", nullptr, "9.7.14.4.4", decode_fragment},
      {WMMA ".store.d" ALIGNED LAYOUT "<.m16n16k8|.m8n8k4>" SPACE "<.f32|.f64>", "*", nullptr, "9.7.14.4.4",
       decode_fragment},
      {"ldmatrix.sync.aligned.m8n8<.x1|.x2|.x4>[.trans]" SHARED_SPACE ".b16", "d *", nullptr, "9.7.14.5.15",
       decode_rows},
      {"stmatrix.sync.aligned.m8n8<.x1|.x2|.x4>[.trans]" SHARED_SPACE ".b16", "*", nullptr, "9.7.14.5.16", decode_rows},
      {"movmatrix.sync.aligned.m8n8.trans.b16", "d *", nullptr, "9.7.14.5.17", decode_transposition},
  };
  return span_of(rows);
}

}  // namespace cudasim
