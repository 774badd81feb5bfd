// SPDX-License-Identifier: MIT
// Storage of blocks that are over, kept for later ones.
#include "state/storage.h"

#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace cudasim {
namespace {

struct Piece {
  std::byte* storage;
  std::size_t bytes;
};

struct Spare {
  static constexpr std::size_t kMostBytes = 32u << 20;
  std::mutex mutex;
  std::vector<Piece> pieces;  // those given back last are behind
  std::size_t bytes = 0;      // of all

  Piece take(std::vector<Piece>::iterator piece) {
    const Piece taken = *piece;
    pieces.erase(piece);
    bytes -= taken.bytes;
    return taken;
  }
};

/// Never destroyed: programs launch kernels from their own static destructors.
Spare& spare() {
  static Spare* const spare = new Spare;
  return *spare;
}

}  // namespace

Storage take_storage(std::size_t bytes) {
  {
    const std::lock_guard<std::mutex> lock(spare().mutex);
    auto& pieces = spare().pieces;
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
      if (piece->bytes < bytes || piece->bytes / 2 > bytes) continue;
      const Piece taken = spare().take(piece);
      return {taken.storage, GiveBack{taken.bytes}};
    }
  }
  Storage storage(static_cast<std::byte*>(std::aligned_alloc(64, bytes)), GiveBack{bytes});
  if (!storage) throw std::bad_alloc();
  return storage;
}

void GiveBack::operator()(std::byte* storage) const {
  const std::lock_guard<std::mutex> lock(spare().mutex);
  auto& pieces = spare().pieces;
  try {
    pieces.push_back({storage, bytes});
  } catch (const std::bad_alloc&) {
    return std::free(storage);
  }
  spare().bytes += bytes;
  while (spare().bytes > Spare::kMostBytes) std::free(spare().take(pieces.begin()).storage);
}

}  // namespace cudasim
