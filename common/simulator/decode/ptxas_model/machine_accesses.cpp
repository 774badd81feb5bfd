// SPDX-License-Identifier: MIT
#include "decode/ptxas_model/machine_accesses.h"

#include <algorithm>
#include <utility>

#include "decode/ptxas_model/predication.h"

namespace cudasim {
namespace {

using Joined = MemoryAccess::Joined;

/// A plain load or store of shared memory, without a guard.
struct Access {
  std::uint32_t instruction = 0;
  AddressForms::Form at;
  std::uint32_t bytes = 0;
};

unsigned bytes_of(const Found& found) {
  const unsigned elements = found.has("v2") ? 2 : found.has("v4") ? 4 : found.has("v8") ? 8 : 1;
  return size_of(found.type()) * elements;
}

bool is_ordered(const Found& found) {
  return found.has("volatile") || found.has("relaxed") || found.has("acquire") || found.has("release");
}

/// Whether other threads may see what was stored before it, or store what is loaded behind it.
bool is_ordering(const Found& found) {
  if (found.row == nullptr) return true;
  const std::string_view name = found.name();
  const bool is_atomic = name == "atom" || name == "red";
  return name == "bar" || name == "barrier" || name == "membar" || name == "fence" || name == "call" || name == "cp" ||
         name == "mbarrier" || name == "stmatrix" || (is_atomic && (is_shared(found) || is_generic(found)));
}

/// Loads and stores that may still be joined. A load ends the stores, and so does a store of another base; a store ends
/// the loads. The compiler does not check whether two of them can meet at one place.
class Line {
 public:
  Line(const AddressForms& forms, std::map<std::uint32_t, Joined>& joined) : forms_(forms), joined_(joined) {}

  void load(const Access& access) {
    end_stores();
    loads_.push_back(access);
  }
  void store(const Access& access) {
    end_loads();
    if (!stores_.empty() && stores_.back().at.root != access.at.root) end_stores();
    stores_.push_back(access);
  }
  /// The loaded bytes may have a hole of one word, or an end.
  void end_loads() {
    for_each_window(loads_, [&](const Window& window) {
      const unsigned bytes = window.touched();
      const int words = ((bytes & 0xf) != 0) + ((bytes & 0xf0) != 0) + ((bytes & 0xf00) != 0) + ((bytes & 0xf000) != 0);
      if (window.alignment == 16 && words >= 3) return join(window, 0, 16, false);
      for (unsigned first = 0; first < 16; first += 8)
        if (window.alignment >= 8 && (bytes >> first & 0xff) == 0xff) join(window, first, 8, false);
    });
  }
  void end_stores() {
    for_each_window(stores_, [&](const Window& window) {
      unsigned left = window.touched();
      for (unsigned size = window.alignment; size >= 4; size /= 2) {
        const unsigned all = (1u << size) - 1;
        for (unsigned first = 0; first < 16; first += size) {
          if ((left >> first & all) != all) continue;
          join(window, first, size, true);
          left &= ~(all << first);
        }
      }
    });
  }
  void end() {
    end_loads();
    end_stores();
  }

 private:
  /// Accesses to the same 16 bytes, in their order. `alignment`: the known part of it, 16 at most.
  struct Window {
    std::vector<Access> accesses;
    unsigned alignment = 1;
    unsigned touched() const {
      unsigned bytes = 0;
      for (const auto& access : accesses) bytes |= ((1u << access.bytes) - 1) << place(access);
      return bytes;
    }
  };

  const AddressForms& forms_;
  std::map<std::uint32_t, Joined>& joined_;
  std::vector<Access> loads_, stores_;

  static unsigned place(const Access& access) { return static_cast<unsigned>(access.at.offset & 15); }

  template <class Visit>
  void for_each_window(std::vector<Access>& accesses, Visit visit) {
    std::map<std::pair<std::uint32_t, std::int64_t>, Window> windows;
    for (const auto& access : accesses) {
      // An access that lies across two of them is misaligned, or not known to be aligned.
      if (place(access) + access.bytes <= 16)
        windows[{access.at.root, access.at.offset >> 4}].accesses.push_back(access);
    }
    for (auto& [where, window] : windows) {
      window.alignment = 1u << std::min(forms_.zero_bits(where.first), 4u);
      if (window.accesses.size() > 1) visit(window);
    }
    accesses.clear();
  }

  /// The accesses of the `bytes` from `first` on become one: where the first of the loads is, or the last of the
  /// stores.
  void join(const Window& window, unsigned first, unsigned bytes, bool at_last) {
    std::vector<Access> members;
    for (const auto& access : window.accesses)
      if (place(access) >= first && place(access) < first + bytes) members.push_back(access);
    if (members.size() < 2) return;
    for (const auto& member : members) joined_[member.instruction] = {Joined::Part::other, 0, 0};
    const Access& one = at_last ? members.back() : members.front();
    joined_[one.instruction] = {Joined::Part::one, static_cast<std::uint8_t>(bytes),
                                static_cast<std::int8_t>(static_cast<int>(first) - static_cast<int>(place(one)))};
  }
};

/// Goes through the function a straight line at a time. A branch over a few instructions does not end a line, nor does
/// one to two ways that meet again. Loads behind such a branch are joined with loads before it.
class Walk {
 public:
  Walk(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found,
       const SharedOffsets& shared)
      : function_(function),
        flow_(flow),
        found_(found),
        forms_(function, found, shared),
        line_(forms_, result_.joined) {}

  MachineAccesses run() {
    std::vector<bool> seen(flow_.blocks.size(), false);
    for (std::uint32_t block = 0; block < flow_.exit_block(); ++block) {
      if (!seen[block]) walk(block, seen);
    }
    for (auto& [branch, skipped] : result_.skipped) {
      for (auto* list : {&skipped.when_all_jump, &skipped.when_none_jumps})
        list->erase(std::remove_if(list->begin(), list->end(), [&](std::uint32_t i) { return is_in_another(i); }),
                    list->end());
    }
    return std::move(result_);
  }

 private:
  const ptx::Function& function_;
  const ControlFlow& flow_;
  const std::vector<Found>& found_;
  MachineAccesses result_;
  AddressForms forms_;
  Line line_;
  bool waits_ = false;  // see becomes_predicate()

  bool is_in_another(std::uint32_t instruction) const {
    const auto joined = result_.joined.find(instruction);
    return joined != result_.joined.end() && joined->second.part == Joined::Part::other;
  }

  void walk(std::uint32_t block, std::vector<bool>& seen) {
    forms_.begin();
    waits_ = block == 0;
    for (;;) {
      seen[block] = true;
      for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) step(i, line_);
      const auto& successors = flow_.blocks[block].successors;
      const auto fork = find_fork(flow_, block);
      std::uint32_t next = flow_.exit_block();
      if (fork) {
        go_through(*fork, seen);
        if (fork->is_closed) next = fork->meeting;
      } else if (successors.size() == 1 && flow_.blocks[successors[0]].predecessors.size() == 1) {
        next = successors[0];
      }
      if (next == flow_.exit_block() || seen[next]) break;
      block = next;
    }
    line_.end();
  }

  void go_through(const Fork& fork, std::vector<bool>& seen) {
    const bool waits = waits_;
    for (const auto* way : {&fork.jump, &fork.fall}) {
      Line own(forms_, result_.joined);
      for (auto block : *way) {
        seen[block] = true;
        for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) step(i, own);
      }
      own.end();
    }
    for (const auto* way : {&fork.jump, &fork.fall}) {
      for (auto block : *way) {
        for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) forms_.perhaps(i);
      }
    }
    if (!becomes_predicate(function_, flow_, found_, fork, waits)) {
      waits_ = false;
      return;
    }
    auto& skipped = result_.skipped[flow_.blocks[fork.block].end - 1];
    skipped.when_all_jump = shared_accesses(fork.fall);
    skipped.when_none_jumps = shared_accesses(fork.jump);
  }

  std::vector<std::uint32_t> shared_accesses(const std::vector<std::uint32_t>& way) const {
    std::vector<std::uint32_t> result;
    for (auto block : way) {
      for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
        if (is_load_or_store(found_[i]) && is_shared(found_[i])) result.push_back(i);
      }
    }
    return result;
  }

  /// `line`: the main one, or that of a way of a branch. What ends that line ends the main one, too.
  void step(std::uint32_t i, Line& line) {
    const Found& found = found_[i];
    const std::string_view name = found.row == nullptr ? std::string_view() : found.name();
    if (name == "bar" || name == "barrier") waits_ = false;
    if (name == "ld" && !found.has("param") && !found.has("const")) waits_ = true;
    if (is_load_or_store(found)) {
      const bool is_store = name == "st";
      Access access{i, {}, bytes_of(found)};
      const auto& operands = function_.instructions[i].operands;
      const bool is_refused = operands.size() < 2;  // decoding, which comes later, refuses it
      const bool plain = is_shared(found) && !is_ordered(found) && function_.instructions[i].guard < 0 && !is_refused;
      const bool narrow = access.bytes > 8 || access.bytes < (is_store ? 2u : 4u);
      if (plain && !narrow) {
        access.at = forms_.of(operands[is_store ? 0 : 1]);
        if (&line != &line_) is_store ? line_.end() : line_.end_stores();
        is_store ? line.store(access) : line.load(access);
      } else if (is_shared(found) || is_generic(found)) {
        end(line, is_store || is_ordered(found));
      }
    } else if (is_ordering(found) || name == "ldmatrix") {
      end(line, name != "ldmatrix");
    }
    forms_.step(i);
  }

  /// Before an access that may meet others. One that stores, or orders, ends loads as well.
  void end(Line& line, bool all) {
    for (Line* one : {&line, &line_}) all ? one->end() : one->end_stores();
  }
};

}  // namespace

MachineAccesses machine_accesses(const ptx::Function& function, const ControlFlow& flow,
                                 const std::vector<Found>& found, const SharedOffsets& shared) {
  return Walk(function, flow, found, shared).run();
}

}  // namespace cudasim
