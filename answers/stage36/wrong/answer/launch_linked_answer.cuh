// SPDX-License-Identifier: MIT
// Stands at the end of a wrong kernel of stage 36: the launches of the answer. They take the functions that the file
// defines, and otherwise the answer's. Only one form is wrong, for keys without values or with them. Tiles are small
// for every size. More kernels take long to compile.
void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  using Tile = SmallTile<kOfValues>;
  if (n == 0) return;
  if (kOfValues == (input.values == nullptr)) {
    return sort_right<!kOfValues>(taken(type), input, output, n, workspace, stream);
  }
  right::count_digits<kWarp> = count_digits_with<digit_of, kWarp>;
  right::sort_by_digit<Tile> = sort_by_digit_with<Tile, digit_of, draw_tile, ordinal_at, sum_before,
                                                  place_keys<Tile::kKeysAThread>, look_back, say>;
  right::asks_for_room = kAsksForRoom;
  right::not_zeroed = kNotZeroed;
  right::sort<Tile>(taken(type), input, output, n, workspace, stream);
}
