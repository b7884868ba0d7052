#include "plant.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"

namespace io_throughput {

using namespace tenken;

namespace {

constexpr std::int64_t block = 4096;

void require(bool done) {
  if (!done) impossible(std::string("a fault could not be planted: ") + std::strerror(errno));
}

}  // namespace

void plant_in_file(int folder, const std::string& fault, const Places& places, const RankData& data,
                   std::int64_t pass) {
  const bool known = fault == "flip_byte" || fault == "short_file" || fault == "swap_blocks" || fault == "stale_block";
  if (!known) return;
  const SharedFile file("/proc/self/fd/" + std::to_string(folder) + "/" + places.file(), O_RDWR | O_NOFOLLOW);
  require(file.is_open());
  const std::int64_t middle = places.calls() / 2;  // a call
  std::vector<std::byte> first(block), second(block);
  if (fault == "short_file") {
    require(ftruncate(file.descriptor(), places.file_bytes() - block) == 0);
  } else if (fault == "flip_byte") {
    require(file.read(places.at(middle) + 3, std::span(first).first(1)) == 1);
    first[0] ^= std::byte{1};
    require(file.write(places.at(middle) + 3, std::span(first).first(1)));
  } else if (fault == "swap_blocks") {
    require(file.read(places.at(0), first) == block && file.read(places.at(middle), second) == block);
    require(file.write(places.at(0), second) && file.write(places.at(middle), first));
  } else {
    std::vector<std::uint64_t> words(block / 8);
    const int earlier = (data.launch() + 1) % storage::Origin::launches;
    data.words_of(earlier, places.rank, pass, middle * places.transfer, words);
    require(file.write(places.at(middle), std::as_bytes(std::span(words))));
  }
}

}  // namespace io_throughput
