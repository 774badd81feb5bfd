// SPDX-License-Identifier: MIT
// Where an address lies, in words: in or beside which allocation or shared array, and the likely cause.
#include "messages/describe_address.h"

#include <cstring>
#include <string>
#include <vector>

#include "base/demangle.h"
#include "messages/finding_messages.h"
#include "messages/guards.h"

namespace cudasim {
namespace {

/// "directly", "3 floats"
std::string distance(const Element& element, std::uint64_t bytes) {
  return bytes == 0 ? "directly" : amount(element, bytes);
}

/// "element 3" of an array whose elements are known, "byte 12" of another.
std::string position(const Element& element, std::uint64_t offset) {
  const bool is_known = element.is_counted() && offset % element.bytes == 0;
  return is_known ? "element " + std::to_string(offset / element.bytes) : "byte " + std::to_string(offset);
}

/// "the 32 floats (128 bytes)", "the 128 bytes"
std::string extent(const Element& element, std::uint64_t bytes) {
  const std::string text = "the " + amount(element, bytes);
  const bool is_known = element.is_counted() && bytes % element.bytes == 0;
  return is_known && bytes != element.bytes ? text + " (" + std::to_string(bytes) + " bytes)" : text;
}

/// Whole numbers among the kernel's arguments: mostly one of them is the number of elements.
std::vector<std::uint64_t> integer_arguments(const Grid& grid) {
  constexpr std::uint64_t kMost = std::uint64_t{1}
                                  << 40;  // larger values are pointers that were cast, and negative numbers
  std::vector<std::uint64_t> values;
  const ptx::Function* kernel = grid.program.text->find_function(grid.program.info.name);
  const auto& places = grid.program.info.parameters;
  if (kernel == nullptr) return values;
  for (std::size_t i = 0; i < kernel->parameters.size() && i < places.size(); ++i) {
    const ptx::Variable& parameter = kernel->parameters[i];
    const bool is_integer = parameter.type == ptx::Type::u32 || parameter.type == ptx::Type::s32 ||
                            parameter.type == ptx::Type::u64 || parameter.type == ptx::Type::s64;
    const std::size_t end = std::size_t{places[i].offset_bytes} + places[i].size_bytes;
    if (!is_integer || parameter.is_array || places[i].size_bytes > 8 || end > grid.launch.parameters.size()) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, grid.launch.parameters.data() + places[i].offset_bytes, places[i].size_bytes);
    const bool is_negative = places[i].size_bytes == 4 && value >> 31 != 0;
    if (value != 0 && value < kMost && !is_negative) values.push_back(value);
  }
  return values;
}

/// An element of memory that is still there, as an index from the begin of its allocation.
struct Indexed {
  const Allocation* allocation = nullptr;
  std::int64_t index = 0;
};

/// For an address in freed memory to which no argument of the kernel points: the place as an index from the nearest
/// argument that points to memory which is there. Nothing if an argument points to the freed memory, or none points
/// anywhere.
Indexed index_from_argument(const Grid& grid, const Allocation& freed, std::uint64_t address, const Element& element) {
  Indexed nearest;
  const auto& bytes = grid.launch.parameters;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, bytes.data() + at, sizeof pointer);
    if (freed.contains(pointer)) return {};
    const Allocation* there = grid.memory.find(pointer);
    if (there == nullptr || there->host == nullptr) continue;
    const auto index = static_cast<std::int64_t>(address - there->address) / static_cast<std::int64_t>(element.bytes);
    if (nearest.allocation == nullptr || std::abs(index) < std::abs(nearest.index)) nearest = {there, index};
  }
  return nearest;
}

/// Whether its size is an argument of a call of the host.
bool is_sized(const Allocation& allocation) {
  return allocation.origin == Origin::cuda_malloc || allocation.origin == Origin::cuda_malloc_host ||
         allocation.origin == Origin::managed;
}

/// For an access past the end, where a branch asks for its index already.
std::string advice_behind_guard(const std::string& guard) {
  return "the branch at " + guard +
         " asks for the index already, and lets it pass: is it `<=` for `<`? Does it ask for another index than this "
         "one? Does it compare with the extent of "
         "another array (rows for "
         "columns, the pitch of the input for that of the output)? Or is something added to the index behind it, as in "
         "`in[i + 1]`, which needs `i + 1 < n`?";
}

/// Whether it is an asynchronous copy that says how many of its bytes it reads.
bool is_copy_with_zeros(const Program& program, std::int32_t ptx_line) {
  return std::any_of(program.text->functions.begin(), program.text->functions.end(), [=](const auto& function) {
    return std::any_of(function.instructions.begin(), function.instructions.end(), [=](const ptx::Instruction& i) {
      return i.ptx_line == ptx_line && i.opcode.rfind("cp.async.c", 0) == 0 && i.operands.size() > 3;
    });
  });
}

/// So far below 0 an index comes by an overflow, and not by a subtraction.
constexpr std::uint64_t kFarBelow = std::uint64_t{1} << 28;

/// For an access before the begin of an array, by so many elements.
std::string advice_below(std::uint64_t elements) {
  const std::string n = std::to_string(elements);
  if (elements >= kFarBelow) {
    return "the index is -" + n +
           ": has a sum or a product of ints grown above 2147483647, from where it is below 0? " +
           "Compute it in std::size_t, or in the middle of two as left + (right - left) / 2";
  }
  return "the index is -" + n +
         ": below 0, where `if (index < n)` lets it pass. What is subtracted from it, or has a product of ints grown "
         "above 2147483647? Threads that " +
         "have nothing there must leave the access out (`if (index >= 0)`), or take another value; an unsigned index "
         "is " +
         "never below 0, so compare before the subtraction";
}

/// For an access past the end of an allocation: is a guard missing, or is the allocation too small? The answer is the
/// second where a guard would let the access pass. Such a guard compares with one of the kernel's own arguments, or
/// with the number of blocks.
std::string advice_on_size(const Grid& grid, const Finding& f, const Element& element, std::uint64_t offset,
                           std::uint64_t size_bytes) {
  const std::uint64_t index = offset / element.bytes;
  const auto arguments = integer_arguments(grid);
  const std::string elements = element.name[0] != '\0' ? std::string(element.name) + "s" : "elements";
  const std::string size_of =
      element.name[0] != '\0' ? std::string("sizeof(") + element.name + ")" : std::to_string(element.bytes) + " bytes";
  if (is_copy_with_zeros(grid.program, f.ptx_line)) {
    return "this copy reads here. Its last argument says how many of its bytes become zeros and are not read "
           "(__pipeline_memcpy_async(to, from, bytes, zeros)): all of them where the element does not exist, 0 where "
           "it "
           "does. Is it the other way round, or does the question let the index pass?";
  }
  const std::string guard = guard_of(grid.program, f.ptx_line);
  if (arguments.empty() && !guard.empty()) {
    return advice_behind_guard(guard) + " Or is the buffer too small (sizes are in bytes" +
           (element.bytes == 1 ? ")?" : ": n " + elements + " need n * " + size_of + ")?");
  }
  if (arguments.empty()) {
    return "compare the index with the size that was allocated: either a guard, `if (index < n)`, is missing, or the "
           "buffer is too small (sizes are in bytes" +
           (element.bytes == 1 ? ")" : ": n " + elements + " need n * " + size_of + ")");
  }
  std::uint64_t enough = 0;  // the smallest number that lets the index pass
  for (const std::uint64_t value : arguments) {
    if (value > index && (enough == 0 || value < enough)) enough = value;
  }
  // An index that is the block's number needs an element for each block.
  const std::uint64_t blocks = grid.launch.grid.x;
  const bool is_a_block = index == f.block[0] && grid.launch.block.x > 1;
  if (is_a_block) enough = blocks;
  if (enough == 0) return guard.empty() ? "" : advice_behind_guard(guard);
  const std::string n = std::to_string(enough);
  const std::string what = is_a_block ? "the number of blocks: " : "an argument of the kernel: ";
  if (enough == size_bytes && element.bytes > 1) {
    return "is the buffer too small? It was allocated with " + n + " bytes, and " + n + " is also " + what + n + " " +
           elements + " need " + n + " * " + size_of;
  }
  const std::uint64_t room = size_bytes / element.bytes;
  return "is the buffer too small, or the wrong one, the number too large, or the index wrong? Element " +
         std::to_string(index) + " is below " + n + ", " + what + "a guard `if (index < " + n +
         ")` lets it pass. But the buffer has room for " + std::to_string(room) + " " +
         (room == 1 ? elements.substr(0, elements.size() - 1) : elements) + ", and " + n + " need " + n + " * " +
         size_of;
}

/// Where an index is that of its thread, and whole blocks are past the end; empty elsewhere.
std::string advice_on_launch(const Grid& grid, const Finding& f, std::uint64_t index, std::uint64_t elements) {
  const Dim3 &blocks = grid.launch.grid, &threads = grid.launch.block;
  const bool is_a_row = blocks.count() == blocks.x && threads.count() == threads.x;
  if (!is_a_row || index != std::uint64_t{f.block[0]} * threads.x + f.thread[0]) return "";
  if ((blocks.count() - 1) * threads.count() < elements) return "";
  return ". Or has the launch too many threads? Element " + std::to_string(index) + " is that of thread " +
         std::to_string(f.thread[0]) + " in block " + std::to_string(f.block[0]) +
         " (blockIdx.x * blockDim.x + threadIdx.x), and there are " + std::to_string(blocks.x) + " blocks of " +
         std::to_string(threads.x) + (threads.x == 1 ? " thread" : " threads");
}

/// For an access past the end of a shared array.
std::string advice_on_shared(const Grid& grid, const Element& element, bool is_dynamic, std::uint64_t bytes) {
  const std::uint64_t threads = grid.launch.block.count();
  const std::string size = std::to_string(bytes), n = std::to_string(threads);
  std::string text =
      "is the index too large, or the array too small? Each block has its own, from element 0 on, and "
      "here a block has " +
      n + " threads";
  if (!is_dynamic) return text;
  text += ". The launch gives the array's size in bytes, the third argument in <<<...>>>: " + size;
  if (element.name[0] == '\0') return text;
  return text + (bytes == threads && element.bytes > 1
                     ? ", but " + n + " " + element.name + "s need " + n + " * sizeof(" + element.name + ")"
                     : "");
}

/// "shared array 'sums'" of the kernel; "shared variable 'turn' of draw_tile()".
std::string name_of(const Program& program, const SharedVariable& variable) {
  const std::string name = "'" + variable_name(variable.name) + "'";
  if (variable.size_bytes == 0) return "dynamic shared array " + name;
  const std::string& kernel = program.info.name;
  const bool is_kernels = kernel.rfind("_Z", 0) == 0 && variable.name.rfind("_Z" + kernel.substr(1) + "E", 0) == 0;
  const std::string function = is_kernels ? "" : function_of_variable(variable.name);
  return function.empty() ? "shared array " + name : "shared variable " + name + " of " + function;
}

/// For an access that begins in an allocation and ends past it, `left_bytes` further on.
std::string advice_on_rest(const Element& element, std::uint32_t bytes, std::uint64_t left_bytes) {
  return "one access takes " + amount(element, bytes) + ", and only " + amount(element, left_bytes) +
         (left_bytes == element.bytes ? " is" : " are") +
         " left in the buffer from there on: guard it by the last element that it takes, not by the first, and take "
         "the "
         "rest one by one";
}

}  // namespace

/// The array that holds an address in shared memory, or is nearest to it.
void describe_shared(const Grid& grid, Finding& f, std::uint64_t address) {
  const Element element = element_of(grid.program, f.ptx_line);
  const SharedVariable* nearest = nullptr;
  for (const auto& variable : grid.program.shared) {
    if (variable.offset <= address) nearest = &variable;
  }
  if (nearest == nullptr || address >= grid.shared_bytes + kSharedWindowBytes) {
    const std::uint64_t below =
        0 - static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(address)));
    if (f.kind == FindingKind::out_of_bounds && below < kSharedWindowBytes && below % element.bytes == 0)
      f.advice = advice_below(below / element.bytes);
    f.allocation = "offset " + std::to_string(static_cast<std::int32_t>(address)) +
                   " in shared memory, of which the block has " +
                   std::to_string(grid.program.static_shared_bytes + grid.launch.dynamic_shared_bytes) + " bytes";
    return;
  }
  const bool dynamic = nearest->size_bytes == 0;
  const std::uint64_t bytes = dynamic ? grid.launch.dynamic_shared_bytes : nearest->size_bytes;
  const std::uint64_t offset = address - nearest->offset;
  const std::string array = extent(element, bytes) + " of the " + name_of(grid.program, *nearest);
  if (offset < bytes) {
    f.allocation = position(element, offset) + " of " + array;
    return;
  }
  f.allocation = distance(element, offset - bytes) + " past the end of " + array;
  if (f.kind == FindingKind::out_of_bounds) {
    f.advice = advice_on_shared(grid, element, dynamic, bytes);
  }
}

void describe_global(const Grid& grid, Finding& f, std::uint64_t address, std::uint32_t bytes) {
  const auto* inside = grid.memory.find(address);
  const auto* below = inside != nullptr ? inside : grid.memory.nearest_below(address);
  const auto* above = grid.memory.nearest_above(address);
  const std::uint64_t past = below != nullptr ? address - below->address - below->size_bytes : ~0ull;
  const std::uint64_t before = above != nullptr ? above->address - address : ~0ull;
  constexpr std::uint64_t kNear = 1ull << 32;
  if (f.kind == FindingKind::null_pointer) return;
  const Element element = element_of(grid.program, f.ptx_line);
  const Allocation* named = inside;
  if (inside != nullptr && address - inside->address + bytes <= inside->size_bytes) {
    f.allocation = position(element, address - inside->address) + " of " + describe(*inside, element);
  } else if (inside != nullptr) {
    f.allocation = "it begins " + std::to_string(inside->address + inside->size_bytes - address) +
                   " bytes before the end of " + describe(*inside, element);
  } else if (past <= before && past < kNear) {
    named = below;
    f.allocation = distance(element, past) + " past the end of " + describe(*below, element);
  } else if (before < kNear) {
    named = above;
    f.allocation = amount(element, before) + " before the start of " + describe(*above, element);
    if (f.kind == FindingKind::out_of_bounds && before % element.bytes == 0)
      f.advice = advice_below(before / element.bytes);
  } else if (window_of(address) == kSharedWindow || window_of(address) == kLocalWindow) {
    const bool is_shared = window_of(address) == kSharedWindow;
    f.allocation = is_shared ? "no memory of this block: it is an address in the shared memory of a block"
                             : "no memory of this thread: it is an address in the local memory of a thread";
    f.advice = std::string("was the address of a ") + (is_shared ? "__shared__ array" : "local variable") +
               " kept in memory? It means something only to " + (is_shared ? "its block" : "its thread") +
               ", and only until that ends: store the values, not their address";
  } else {
    f.allocation = kNearNothing;
    f.advice =
        "kernels can only use pointers that cudaMalloc (or a relative of it) returned: check what was passed to the "
        "kernel, and how the index is computed (0 - 1 is a very large number where none is below 0)";
  }
  if (named != nullptr) f.callers = named->callers;
  if (f.kind == FindingKind::out_of_bounds && inside != nullptr && bytes > element.bytes) {
    f.advice = advice_on_rest(element, bytes, inside->address + inside->size_bytes - address);
  } else if (f.kind == FindingKind::out_of_bounds && named != nullptr && address >= named->address &&
             is_sized(*named)) {
    const std::uint64_t offset = address - named->address;
    const std::string advice = advice_on_size(grid, f, element, offset, named->size_bytes);
    if (!advice.empty()) {
      f.advice = advice;
    } else {
      f.advice += advice_on_launch(grid, f, offset / element.bytes, named->size_bytes / element.bytes);
    }
  }
  if (f.kind != FindingKind::use_after_free || below == nullptr) return;
  f.allocation += ", freed before this launch";
  const Indexed from = index_from_argument(grid, *below, address, element);
  if (from.allocation == nullptr) return;
  f.advice = "no argument of the kernel points into this memory. From " + describe(*from.allocation, element) +
             " it is element " + std::to_string(from.index) + ", so perhaps " +
             (from.index < 0 ? advice_below(static_cast<std::uint64_t>(-from.index))
                             : "that index is too large: is a guard (`if (index < n)`) missing?");
}

Finding finding_of(const Grid& grid, const AccessSeen& seen, unsigned lane, FindingKind kind) {
  Finding f = finding_at(grid, seen.block, seen.warp, seen.instruction, 1u << lane, kind);
  f.address = seen.address[lane];
  f.access_bytes = seen.bytes;
  f.is_store = seen.is_store;
  f.is_atomic = seen.is_atomic;
  if (seen.space == ptx::Space::shared) {
    describe_shared(grid, f, f.address);
  } else {
    describe_global(grid, f, f.address, f.access_bytes);
  }
  return f;
}

std::string describe(const Allocation& a, const Element& element) {
  std::string size = extent(element, a.size_bytes);
  switch (a.origin) {
    case Origin::cuda_malloc:
      return size + " of allocation " + std::to_string(a.id) + " (cudaMalloc)";
    case Origin::cuda_malloc_host:
      return size + " of allocation " + std::to_string(a.id) + " (pinned host memory)";
    case Origin::managed:
      return size + " of allocation " + std::to_string(a.id) + " (cudaMallocManaged)";
    case Origin::host_registered:
      return size + " of registered host memory";
    case Origin::variable:
      return size + " of the variable '" + a.name + "'";
    case Origin::constant:
      return size + " of the constant '" + a.name + "'";
    case Origin::kernel_heap:
      return size + " of allocation " + std::to_string(a.id) + " (malloc in a kernel)";
    case Origin::internal:
      return "the simulator's own memory";
  }
  return size;
}

}  // namespace cudasim
