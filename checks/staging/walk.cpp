#include "walk.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <sstream>

#include "base/error.hpp"
#include "storage/launch_folder.hpp"

namespace staging {

using namespace tenken;

namespace {

[[noreturn]] void stop(const std::string& path, const std::string& why) {
  impossible("tree entry " + path + ": " + why + "; the tree is not staged");
}

class Walker {
 public:
  Walker(storage::SystemCalls& system, int folder, std::string top)
      : system_(system), folder_(folder), top_(std::move(top)) {}

  std::vector<Entry> all() {
    below("");
    return std::move(entries_);
  }

 private:
  std::string in_root(const std::string& path) const { return path.empty() ? top_ : top_ + "/" + path; }

  void below(const std::string& path) {
    const int opened = system_.open_at(folder_, in_root(path).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (opened < 0) stop(path.empty() ? top_ : path, std::strerror(errno));
    std::vector<std::string> names = storage::names_in(opened);
    system_.close(opened);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) add(path.empty() ? name : path + "/" + name);
  }

  void add(const std::string& path) {
    struct stat of {};
    if (system_.status_at(folder_, in_root(path).c_str(), of) != 0) stop(path, std::strerror(errno));
    Entry entry{.path = path};
    if (S_ISDIR(of.st_mode)) {
      entries_.push_back(entry);
      return below(path);
    }
    if (S_ISREG(of.st_mode)) {
      entry.kind = Entry::Kind::file;
      entry.bytes = of.st_size;
      entry.number = number_of(path);
    } else if (S_ISLNK(of.st_mode)) {
      entry.kind = Entry::Kind::link;
      entry.target = target_of(path);
      if (leads_out(path, entry.target)) stop(path, "the link to " + entry.target + " leads out of the tree");
    } else {
      stop(path, "it is no file, folder or link");
    }
    entries_.push_back(entry);
  }

  std::string target_of(const std::string& path) const {
    std::array<char, PATH_MAX> target{};
    const ssize_t bytes = system_.read_link(folder_, in_root(path).c_str(), target.data(), target.size());
    if (bytes < 0) stop(path, std::strerror(errno));
    return {target.data(), static_cast<std::size_t>(bytes)};
  }

  storage::SystemCalls& system_;
  int folder_;
  std::string top_;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<Entry> walk(storage::SystemCalls& system, int folder, const std::string& top) {
  return Walker(system, folder, top).all();
}

bool leads_out(const std::string& path, const std::string& target) {
  if (target.starts_with('/')) return true;
  auto above = std::count(path.begin(), path.end(), '/');
  bool named = false;
  std::istringstream parts(target);
  for (std::string part; std::getline(parts, part, '/');) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      named = true;
    } else if (named || --above < 0) {
      return true;
    }
  }
  return false;
}

}  // namespace staging
