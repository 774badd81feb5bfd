// SPDX-License-Identifier: MIT
// Prints the simulator's instruction table, one row a line, with tabs between the fields. These are family, kind (pure
// or machine), pattern, operands, and section of the PTX ISA manual. The script make_cases.py reads it, so cases cannot
// drift from rows.
#include <cstddef>
#include <cstdio>

#include "isa/instruction.h"

int main() {
  for (std::size_t family = 0; family < cudasim::family_count(); ++family) {
    const cudasim::InstructionDefinitions rows = cudasim::all_rows(cudasim::best_level(), family);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const cudasim::InstructionDefinition& row = rows.begin[i];
      std::printf("%s\t%s\t%s\t%s\t%s\n", cudasim::family_name(family), cudasim::is_pure(row) ? "pure" : "machine",
                  row.pattern, row.operands, row.section);
    }
  }
  return 0;
}
