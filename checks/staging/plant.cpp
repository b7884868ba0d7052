#include "plant.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"

namespace staging {

using namespace tenken;

namespace {

constexpr std::int64_t block = 4096;

void require(bool done) {
  if (!done) impossible(std::string("a fault could not be planted: ") + std::strerror(errno));
}

}  // namespace

void plant_in_file(const std::string& fault, const Planted& in, const Content& content) {
  if (fault == "missing_file") return require(unlinkat(in.folder, in.path.c_str(), 0) == 0);
  if (fault != "flip_byte" && fault != "short_file" && fault != "swap_blocks" && fault != "stale_block") return;
  const SharedFile file("/proc/self/fd/" + std::to_string(in.folder) + "/" + in.path, O_RDWR | O_NOFOLLOW);
  require(file.is_open());
  const std::int64_t middle = in.bytes / 2 / 8 * 8, size = std::min(block, middle);
  std::vector<std::byte> first(static_cast<std::size_t>(size)), second(first.size());
  if (fault == "short_file") {
    require(ftruncate(file.descriptor(), in.at + in.bytes - 1) == 0);
  } else if (fault == "flip_byte") {
    const std::span<std::byte> byte = std::span(first).first(1);
    require(file.read(in.at + middle, byte) == 1);
    byte[0] ^= std::byte{1};
    require(file.write(in.at + middle, byte));
  } else if (fault == "swap_blocks") {
    require(file.read(in.at, first) == size && file.read(in.at + middle, second) == size);
    require(file.write(in.at, second) && file.write(in.at + middle, first));
  } else {
    std::vector<std::uint64_t> words(first.size() / 8);
    content.fill_stale(words, in.owner, in.number, middle);
    require(file.write(in.at + middle, std::as_bytes(std::span(words))));
  }
}

}  // namespace staging
