// SPDX-License-Identifier: MIT
// The contents of a PTX text as data: the parser's output and the decoder's input. Nothing here executes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudasim::ptx {

/// The fundamental types of PTX (PTX ISA, section 5.2), plus `none` where an instruction names no type.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
};

/// Size of one value in bytes; 0 for `none` and `pred`.
unsigned size_of(Type type);
/// "u32" to Type::u32; Type::none when the text names no type.
Type type_from_text(std::string_view text);

/// State spaces (PTX ISA, section 5.1). `generic` is an address whose space is found at run time.
enum class Space : std::uint8_t { generic, reg, param, global, constant, shared, local };

/// One `.loc` line. `inlined_at` is an index into Module::locations (the call site), or -1.
struct Location {
  std::int32_t file = 0;  ///< key of Module::files
  std::int32_t line = 0;  ///< 0: the compiler knows of no line
  std::int32_t column = 0;
  std::string function;  ///< mangled name of the inlined function; empty at the outermost level
  std::int32_t inlined_at = -1;
};

/// One operand as written. Names of registers are resolved to indices of the enclosing Function. Labels, variables,
/// functions and special registers stay names for the decoder.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,       ///< `%r1`: `reg` is the index into Function::registers; `negated` for `!%p1`.
    integer,   ///< `-5`, `0x10`, `WARP_SZ`: value in `bits` (two's complement, 64 bits).
    f32_bits,  ///< `0f3F800000`: 32 bits in `bits`.
    f64_bits,  ///< `0d3FF0...` or `1.5`: 64 bits in `bits`.
    name,      ///< Variable, label, function, prototype; `name`, plus `offset` for `s+4`.
    special,   ///< `%tid.x`, `%laneid`, `%envreg1`, `%clock64`: `name` with the % and the .x.
    address,   ///< `[...]`: `elements[0]` is reg, name or integer; byte displacement in `offset`. More elements stand
               ///< for `[tex, {x, y}]` and `[map, {x}]`, which only texture and tensor instructions have.
    vector,    ///< `{a, b}`: `elements`.
    pair,      ///< `d|p`: `elements[0]` and `elements[1]`.
    list,      ///< `(a, b)` of a call: `elements`.
    sink,      ///< `_`.
  };
  Kind kind = Kind::integer;
  bool negated = false;
  std::int32_t reg = -1;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
};

/// One instruction. Labels are not instructions: see Function::labels. A call has one shape, in whichever form it is
/// written. It is [list of returns, callee (reg or name), list of arguments], then perhaps the name of a prototype or
/// of call targets.
struct Instruction {
  std::string opcode;  ///< the whole dotted text, e.g. "add.rn.ftz.f32", "ld.global.v4.f32"
  std::vector<Operand> operands;
  std::int32_t guard = -1;     ///< predicate register of `@%p`, or -1
  bool guard_negated = false;  ///< `@!%p`
  std::int32_t ptx_line = 0;   ///< 1-based line in the PTX text
  std::int32_t location = -1;  ///< index into Module::locations, or -1 (no `.loc` so far)
};

/// A declared register. `.reg .f32 %f<3>;` declares three of them. Scopes (`{}`) are resolved by the parser:
/// registers of the same name in different scopes have different indices.
struct Register {
  std::string name;
  Type type = Type::none;  ///< pred, or a sized type; size_of gives the width
};

/// Which other modules may mean a name of module scope when modules are linked (PTX ISA, section 11.6). `.common`
/// counts as weak.
enum class Linkage : std::uint8_t { local, visible, weak };

/// A variable or a parameter. For an array, `element_count` > 1 or `is_array`.
struct Variable {
  struct Initialiser {           ///< One element: a number, or the address of `symbol` plus `bits`.
    std::uint64_t bits = 0;      ///< Already in the element's own representation (an f32 is 32 bits).
    std::string symbol;          ///< Variable or function; empty for a plain number.
    std::uint64_t mask = ~0ull;  ///< For `0xFF00(symbol)` bytes; ~0 otherwise.
    bool generic = false;        ///< Written as `generic(symbol)`.
  };
  std::string name;
  Space space = Space::global;
  Type type = Type::none;  ///< element type
  std::uint64_t element_count = 1;
  std::uint64_t size_bytes = 0;  ///< 0 for `.extern .shared x[]`
  std::uint32_t align = 1;
  bool is_extern = false;
  Linkage linkage = Linkage::local;  ///< of a name of module scope that is not extern
  bool is_array = false;             ///< declared with `[]`; `[1]` is an array too
  bool is_managed = false;           ///< `.attribute(.managed)`: `__managed__` in CUDA C++
  std::vector<Initialiser> initialisers;
};

/// A jump table of `brx.idx` or a list of `call` targets, or a `.callprototype`.
struct Prototype {
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
};

/// A `.entry` or `.func`. `instructions` is in text order. Where scopes repeat a name, the second and later ones become
/// `x#2`, `x#3`, which PTX itself cannot spell. Names that hide one of the module are renamed likewise. A `.shared`
/// name is unique in the whole module (`x#shared2`).
struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;  ///< no body: extern, or defined elsewhere in the module
  Linkage linkage = Linkage::local;
  std::vector<Variable> returns;  ///< of a .func, space param (or reg)
  std::vector<Variable> parameters;
  std::vector<Register> registers;
  std::vector<Variable>
      variables;  ///< `.local`, `.shared`, `.param` declared in the body; names made unique where scopes repeat one
  std::vector<Instruction> instructions;
  struct Label {
    std::string name;
    std::uint32_t instruction;
  };                          ///< index of the instruction that follows; may equal instructions.size()
  std::vector<Label> labels;  ///< names made unique where scopes repeat one
  struct BranchTargets {
    std::string name;
    std::vector<std::string> labels;
  };
  std::vector<BranchTargets> branch_targets;
  struct NamedPrototype {
    std::string name;
    Prototype prototype;
  };
  std::vector<NamedPrototype> prototypes;
  std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid; 0 = not given
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid; 0 = not given
  std::uint32_t cluster_blocks[3] = {0, 0, 0};    ///< .reqnctapercluster; 0 = not given
  std::int32_t ptx_line = 0;
};

struct Module {
  std::string version;                                      ///< "9.0"
  std::string target;                                       ///< "sm_75"
  bool debug = false;                                       ///< `.target sm_75, debug`: compiled with -G
  std::vector<std::pair<std::int32_t, std::string>> files;  ///< `.file` table
  std::vector<Location> locations;
  std::vector<Variable> variables;  ///< module scope: .global, .const, .shared (also .extern .shared)
  std::vector<Function> functions;

  const std::string* file_name(std::int32_t key) const;
  const Function* find_function(const std::string& name) const;  ///< a definition if there is one, else a declaration
};

}  // namespace cudasim::ptx
