// SPDX-License-Identifier: MIT
// Decompression of one bare LZ4 block (no frame around it), as CUDA 12 stores PTX in a fat binary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudasim {

/// Decompresses `block` into exactly `output_bytes` bytes of `output`. False when the block is malformed or gives
/// another size. It never reads outside of `block`, and never writes more than `output_bytes`. The size of `output`
/// grows as data comes, so a wrong size in a header costs nothing. Format: lz4_Block_format.md of the LZ4 project.
bool decompress_lz4_block(std::string_view block, std::size_t output_bytes, std::string& output);

}  // namespace cudasim
