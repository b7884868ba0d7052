// A plain loop of writes, then of reads, of a file: files_by_hand FOLDER BYTES TRANSFER PASSES. Prints the MB/s of each
// pass, from open to close, as JSON. The file is removed. As in io_throughput, each call has a part of a large buffer.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const long long bytes = argc > 4 ? std::atoll(argv[2]) : 0, transfer = argc > 4 ? std::atoll(argv[3]) : 0;
  const int passes = argc > 4 ? std::atoi(argv[4]) : 0;
  if (bytes < 1 || transfer < 1 || bytes % transfer != 0 || passes < 1) {
    std::fprintf(stderr, "files_by_hand: expected FOLDER BYTES TRANSFER PASSES, with whole transfers\n");
    return 2;
  }
  const std::string name = std::string(argv[1]) + "/files_by_hand." + std::to_string(getpid());
  std::vector<char> buffer(static_cast<std::size_t>(bytes));
  std::vector<double> rates[2];
  for (int pass = -1; pass < passes; ++pass) {
    for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = static_cast<char>(i * 7 + i / 4096 + pass);
    unlink(name.c_str());
    for (const bool writes : {true, false}) {
      if (!writes) std::fill(buffer.begin(), buffer.end(), 0);
      const auto begin = std::chrono::steady_clock::now();
      const int file = open(name.c_str(), writes ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY, 0600);
      for (long long at = 0; at < bytes; at += transfer) {
        char* part = buffer.data() + at;
        const auto some = static_cast<std::size_t>(transfer);
        if ((writes ? pwrite(file, part, some, at) : pread(file, part, some, at)) != transfer) {
          std::perror("files_by_hand");
          unlink(name.c_str());
          return 1;
        }
      }
      if ((writes && fsync(file) != 0) || close(file) != 0) return 1;
      const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
      if (pass >= 0) rates[writes ? 0 : 1].push_back(static_cast<double>(bytes) / s.count() * 1e-6);
    }
  }
  unlink(name.c_str());
  for (const bool writes : {true, false}) {
    std::printf("%s", writes ? "{\"write\": [" : ", \"read\": [");
    const std::vector<double>& of = rates[writes ? 0 : 1];
    for (std::size_t i = 0; i < of.size(); ++i) std::printf("%s%.6g", i > 0 ? ", " : "", of[i]);
    std::printf("]");
  }
  std::printf("}\n");
}
