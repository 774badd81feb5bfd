// SPDX-License-Identifier: MIT
// The sorting problem: records, and the function that a stage defines. The order of keys is in key_order.h. The inputs,
// the reference, the checks and the report are in common/workbook/problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/key_order.h"
#include "workbook/student/todo.h"

namespace workbook {

/// Keys side by side, each with a value that moves with it; or keys alone.
struct Records {
  std::uint32_t* keys = nullptr;    ///< At a multiple of 4 bytes only.
  std::uint32_t* values = nullptr;  ///< Likewise. Null: keys alone.
};

/// The same for reading only.
struct ConstRecords {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* values = nullptr;
};

/// The workspace of one sort, in device memory. The caller owns it. One sort at a time uses it. It may hold anything:
/// undefined data, or those of an earlier sort.
struct SortWorkspace {
  Records records;          ///< The n records, at multiples of 256 bytes. The values are as in the input, or null.
  void* storage = nullptr;  ///< Holds sort_storage_bytes(n) bytes at a multiple of 256.
};

/// The size of `storage`: half of the keys, and a few more bytes.
constexpr std::size_t sort_storage_bytes(std::size_t n) { return 2 * n + 65536; }

}  // namespace workbook

/// Sorts: output holds the records of the input, in the order of ordinal_of() of their keys. The function only puts
/// work into the stream: no allocation, no copy to the host, no waiting. The same input gives the same bits each time.
///
/// * type           The type of the keys.
/// * input, output  n records each in DEVICE memory, both with values or both without. They do not overlap. The input
///   must not change.
/// * n              Any number of records that the stage takes, also none (--help gives the limit).
/// * workspace      See above; it overlaps neither of them.
/// * block_size     Threads a block: one of those that the stage takes (--help lists them).
/// * stream         The stream for all work.
///
/// A stage whose problem is the stable sort keeps records with the same key in the order of the input. The others may
/// use any order for them. Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream);
