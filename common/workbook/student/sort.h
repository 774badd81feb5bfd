// SPDX-License-Identifier: MIT
// Sorting as a student meets it: records, and the function that a stage defines; the order of their keys is in
// key_order.h. The inputs, the reference, the checks and the report live behind it, in this folder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/key_order.h"
#include "workbook/student/todo.h"

namespace workbook {

/// Keys side by side, and with each of them a value that goes wherever its key goes; or keys alone.
struct Records {
  std::uint32_t* keys = nullptr;    ///< at a multiple of 4 bytes, and of no more
  std::uint32_t* values = nullptr;  ///< likewise; nullptr: keys alone
};

/// The same, only read.
struct ConstRecords {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* values = nullptr;
};

/// What one sort has to itself beside its input and its output, in device memory. Owned by the caller, and used by one
/// sort at a time. It holds anything: what nobody wrote, or what the sort before has left.
struct SortWorkspace {
  Records records;          ///< n of them, at multiples of 256 bytes; values as in the input, or nullptr
  void* storage = nullptr;  ///< sort_storage_bytes(n) bytes at a multiple of 256
};

/// How large `storage` is: half of the keys, and a little.
constexpr std::size_t sort_storage_bytes(std::size_t n) { return 2 * n + 65536; }

}  // namespace workbook

/// Sorts: output holds the records of the input, in the order of ordinal_of() of their keys. Only what has to be put
/// into the stream: no allocation, no copy to the host, no waiting. The same input gives the same bits each time.
///
/// type           what the keys are.
/// input, output  n records each in DEVICE memory, both with values or both without. They do not overlap. The input
///                must not change.
/// n              any number of records that the stage takes (--help says how many), also none.
/// workspace      see above; it overlaps neither of them.
/// block_size     threads a block: one of those that the stage takes (--help lists them).
/// stream         where the work goes.
/// A stage whose problem is the stable sort keeps records with the same key in the order of the input; the others may
/// leave them in any. Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream);
