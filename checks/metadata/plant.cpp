#include "plant.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"

namespace metadata {

using namespace tenken;

namespace {

void require(bool done) {
  if (!done) impossible(std::string("a fault could not be planted: ") + std::strerror(errno));
}

}  // namespace

void plant_in_files(int folder, const std::string& fault, const Places& places, int writer) {
  const std::string path = places.path({writer, places.files / 2});
  if (fault == "missing_file") require(unlinkat(folder, path.c_str(), 0) == 0);
  if (fault == "extra_file") {
    const std::string extra = places.leaf(writer, 0) + "/extra";
    const int file = openat(folder, extra.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    require(file >= 0);
    close(file);
  }
  if (fault != "flip_byte" && fault != "short_file") return;
  const SharedFile file("/proc/self/fd/" + std::to_string(folder) + "/" + path, O_RDWR | O_NOFOLLOW);
  require(file.is_open());
  std::array<std::byte, 1> byte{};
  require(file.read(0, byte) == 1);
  if (fault == "short_file") return require(ftruncate(file.descriptor(), 0) == 0);
  byte[0] ^= std::byte{1};
  require(file.write(0, byte));
}

}  // namespace metadata
