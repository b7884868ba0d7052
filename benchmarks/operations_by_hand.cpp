// A plain loop that creates files, stats them, reads them and removes them: operations_by_hand FOLDER FILES BYTES
// PASSES. Prints the operations a second of each pass as JSON. The calls are those of the check metadata.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const int files = argc > 4 ? std::atoi(argv[2]) : 0, passes = argc > 4 ? std::atoi(argv[4]) : 0;
  const long bytes = argc > 4 ? std::atol(argv[3]) : -1;
  if (files < 1 || bytes < 0 || passes < 1) {
    std::fprintf(stderr, "operations_by_hand: expected FOLDER FILES BYTES PASSES\n");
    return 2;
  }
  const std::string top = std::string(argv[1]) + "/operations_by_hand." + std::to_string(getpid());
  if (mkdir(top.c_str(), 0700) != 0) {
    std::perror("operations_by_hand");
    return 1;
  }
  const int folder = open(top.c_str(), O_RDONLY | O_DIRECTORY);
  std::vector<std::string> names;
  for (int i = 0; i < files; ++i) names.push_back("f.0." + std::to_string(i));
  std::vector<char> data(static_cast<std::size_t>(bytes) + 1, 'x');
  bool good = true;
  const auto moved = [&](ssize_t n) { good = good && n == bytes; };
  const std::vector<std::pair<const char*, std::function<void(const char*)>>> phases = {
      {"create",
       [&](const char* name) {
         const int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
         if (bytes > 0) moved(pwrite(file, data.data(), static_cast<std::size_t>(bytes), 0));
         good = good && close(file) == 0;
       }},
      {"stat",
       [&](const char* name) {
         struct stat of {};
         good = good && fstatat(folder, name, &of, AT_SYMLINK_NOFOLLOW) == 0 && of.st_size == bytes;
       }},
      {"read",
       [&](const char* name) {
         const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
         if (bytes > 0) moved(pread(file, data.data(), static_cast<std::size_t>(bytes), 0));
         good = good && close(file) == 0;
       }},
      {"remove", [&](const char* name) { good = good && unlinkat(folder, name, 0) == 0; }},
  };
  std::vector<std::vector<double>> rates(phases.size());
  for (int pass = -1; pass < passes; ++pass) {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      for (const std::string& name : names) phases[i].second(name.c_str());
      const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
      if (pass >= 0) rates[i].push_back(files / s.count());
    }
  }
  rmdir(top.c_str());
  if (!good) {
    std::fprintf(stderr, "operations_by_hand: a call failed in %s\n", argv[1]);
    return 1;
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    std::printf("%s\"%s\": [", i == 0 ? "{" : ", ", phases[i].first);
    for (std::size_t j = 0; j < rates[i].size(); ++j) std::printf("%s%.6g", j > 0 ? ", " : "", rates[i][j]);
    std::printf("]");
  }
  std::printf("}\n");
}
