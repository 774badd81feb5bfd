// SPDX-License-Identifier: MIT
// Where instructions come from: `.file`, `.loc` with its chains of inlined calls, and the `.debug_str` section that
// names the inlined functions. Other sections are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/declarations.h"

namespace cudasim::ptx {

class LocationReader {
 public:
  explicit LocationReader(Context& context) : context_(context), cursor_(context.cursor) {}

  // Each is called with its directive already taken.
  void parse_file();
  void parse_section();
  /// Returns an index into Module::locations. Equal lines of one function share an entry.
  std::int32_t parse_loc();

  /// Chains of inlined calls do not reach from one function into another.
  void begin_function();
  /// At the end of the text: the section with the names comes last. Throws SyntaxError for a name that is not there.
  void resolve_functions();

 private:
  struct Place {
    std::int32_t file = 0, line = 0, column = 0;
    bool operator==(const Place& other) const {
      return file == other.file && line == other.line && column == other.column;
    }
  };
  /// The contents of a `.loc` line, plus the call site that was found for it.
  struct Entry {
    Place place;
    std::string_view label;  ///< of the function's name; empty at the outermost level
    std::uint64_t label_offset = 0;
    Place site;  ///< as written
    std::int32_t inlined_at = -1;
    std::uint32_t ptx_line = 0;
    std::uint32_t depth = 0;  ///< number of call sites above
    bool same_text(const Entry& other) const {
      return place == other.place && label == other.label && label_offset == other.label_offset && site == other.site;
    }
    bool operator==(const Entry& other) const { return same_text(other) && inlined_at == other.inlined_at; }
  };
  struct Hash {
    std::size_t operator()(const Place& place) const;
    std::size_t operator()(const Entry& entry) const;
  };

  Place parse_place(std::string_view what);
  std::int32_t add(const Entry& entry);
  std::int32_t find_call_site(const Entry& entry);
  void parse_strings();
  std::string function_name(const Entry& entry) const;

  Context& context_;
  Cursor& cursor_;
  std::vector<Entry> entries_;                                 // by index into Module::locations
  std::unordered_map<Entry, std::int32_t, Hash> known_;        // of this function
  std::unordered_map<Place, std::int32_t, Hash> most_recent_;  // of this function
  std::string strings_;                                        // the bytes of .debug_str
  std::unordered_map<std::string_view, std::size_t> string_labels_;
};

}  // namespace cudasim::ptx
