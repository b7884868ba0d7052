#include "base/checkpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/random.hpp"

namespace tenken {

namespace {

struct Header {
  char magic[8];
  char stage[16];
  std::uint64_t input;
  std::int64_t first, last;
  std::int32_t rank, ranks;
  std::uint64_t bytes;  // of the contents
  std::uint64_t sum;    // fingerprint of the contents
};

constexpr char magic[] = "TKNCKP1";

Header header_of(const CheckpointKey& key) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  std::strncpy(header.stage, key.stage.c_str(), sizeof header.stage - 1);
  header.input = key.input;
  header.first = key.first;
  header.last = key.last;
  header.rank = key.rank;
  header.ranks = key.ranks;
  return header;
}

// On the disk before the file has its name: else a crash of the node could leave a name without contents.
bool sync(const std::string& path) {
  FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const bool done = fsync(fileno(file)) == 0;
  std::fclose(file);
  return done;
}

}  // namespace

std::uint64_t fingerprint(std::uint64_t before, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  std::uint64_t state = mix64(before ^ bytes);
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + i, std::min<std::size_t>(8, bytes - i));
    state = mix64(state ^ word);
  }
  return state;
}

void save_checkpoint(const std::string& path, const CheckpointKey& key,
                     const std::function<void(std::ostream&)>& write) {
  std::ostringstream contents;
  write(contents);
  const std::string_view bytes = contents.view();
  Header header = header_of(key);
  header.bytes = bytes.size();
  header.sum = fingerprint(0, bytes.data(), bytes.size());
  const std::string beside = path + ".new";
  std::ofstream file(beside, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file && sync(beside)) {
    std::filesystem::rename(beside, path, error);
    if (!error) return;
  }
  std::filesystem::remove(beside, error);
  impossible("the checkpoint '" + path + "' cannot be written; is its folder there, and is there room for " +
             std::to_string(bytes.size() >> 20) + " MiB?");
}

bool load_checkpoint(const std::string& path, const CheckpointKey& key,
                     const std::function<bool(std::istream&)>& read) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string damaged = "the checkpoint '" + path + "' is damaged; remove it and start anew";
  Header header{};
  const Header wanted = header_of(key);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.magic, wanted.magic, sizeof header.magic) != 0)
    throw DamagedCheckpoint(damaged);
  if (std::memcmp(header.stage, wanted.stage, sizeof header.stage) != 0) {
    header.stage[sizeof header.stage - 1] = '\0';
    refuse("the checkpoint '" + path + "' is of the stage '" + header.stage + "', not '" + key.stage + "'");
  }
  if (header.input != wanted.input)
    refuse("the checkpoint '" + path +
           "' is of another input; restart with the input it was written for, or start anew");
  if (header.first != wanted.first || header.last != wanted.last || header.rank != wanted.rank ||
      header.ranks != wanted.ranks)
    refuse("the checkpoint '" + path + "' is of another layout (rank " + std::to_string(header.rank) + " of " +
           std::to_string(header.ranks) + "); restart on as many ranks with the same shares");
  std::error_code error;
  if (std::filesystem::file_size(path, error) != sizeof header + header.bytes || error)
    throw DamagedCheckpoint(damaged);
  std::string bytes(header.bytes, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) ||
      fingerprint(0, bytes.data(), bytes.size()) != header.sum)
    throw DamagedCheckpoint(damaged);
  std::istringstream contents(std::move(bytes));
  if (!read(contents)) throw DamagedCheckpoint(damaged);
  return true;
}

}  // namespace tenken
