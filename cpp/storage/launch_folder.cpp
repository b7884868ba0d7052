#include "storage/launch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/error.hpp"
#include "storage/cache_state.hpp"

namespace tenken::storage {

namespace {

constexpr std::string_view lock_ending = ".lock";
constexpr std::size_t start_digits = 8, digits = 16, longest_host = 64;
constexpr double old_s = 86400;  // where a lock does not decide, a launch that was alive since then may be alive

std::string host_part(const std::string& host) {
  std::string part;
  for (const char one : host.substr(0, longest_host)) {
    part += std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '-' || one == '.' ? one : '_';
  }
  return part;
}

// Host and start of "HOST+01234567+0123456789abcdef"; both empty where `name` is no name of a launch.
struct Launched {
  std::string host, start;
};

Launched launched(std::string_view name) {
  constexpr std::size_t end = start_digits + digits + 2;  // with each plus
  if (name.size() <= end) return {};
  const std::string_view host = name.substr(0, name.size() - end), rest = name.substr(host.size());
  const std::string_view start = rest.substr(1, start_digits), number = rest.substr(start_digits + 2);
  const auto hexadecimal = [](std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  const bool is_name =
      rest.front() == '+' && rest[start_digits + 1] == '+' && hexadecimal(start) && hexadecimal(number);
  return is_name ? Launched{std::string(host), std::string(start)} : Launched{};
}

[[noreturn]] void cannot(const std::string& what, int error) {
  const std::string sentence = what + ": " + std::strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EIO)
    impossible(sentence + "; free space there or name another root");
  refuse(sentence + "; name a folder of this machine that you may write to with --set root=DIR");
}

}  // namespace

std::string new_launch_name(const std::string& host, const std::string& start) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) impossible("the system gave no random number");
  char text[digits + 1];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return host_part(host) + "+" + start + "+" + text;
}

std::string start_of_system(const Tree& tree) {
  const std::string id = tree.text("/proc/sys/kernel/random/boot_id").value_or("");
  const std::string start = id.substr(0, start_digits);
  const bool known = start.size() == start_digits && start.find_first_not_of("0123456789abcdef") == std::string::npos;
  return known ? start : std::string(start_digits, '0');
}

LaunchFolder::LaunchFolder(SystemCalls& system, std::string root, std::string name)
    : system_(system), root_(std::move(root)), name_(std::move(name)) {
  constexpr int trials = 100;  // another launch may remove the folder that both use as its last one leaves
  try {
    for (int trial = 0; trial < trials; ++trial) {
      if (enter()) return;
      close_all();
    }
  } catch (...) {
    leave(true);
    throw;
  }
  cannot("root " + root_, ENOENT);
}

LaunchFolder::~LaunchFolder() { leave(false); }

std::string LaunchFolder::path() const { return root_ + "/tenken-" + std::to_string(system_.user()) + "/" + name_; }

bool LaunchFolder::enter() {
  top_ = system_.open_at(AT_FDCWD, root_.c_str(), O_RDONLY | O_DIRECTORY);
  if (top_ < 0) cannot("root " + root_, errno);
  struct stat of {};
  if (system_.status(top_, of) != 0) cannot("root " + root_, errno);
  if (of.st_uid != system_.user() && (of.st_mode & S_IWOTH) != 0 && (of.st_mode & S_ISVTX) == 0) {
    refuse("root " + root_ + " belongs to user " + std::to_string(of.st_uid) +
           " and every user may rename its entries; name a folder of your user, or a folder with the sticky bit");
  }
  own_ = open_own(top_, "tenken-" + std::to_string(system_.user()), "root " + root_);
  if (own_ < 0 || !take_lock()) return false;
  folder_ = open_own(own_, name_, path());
  return folder_ >= 0;
}

int LaunchFolder::open_own(int parent, const std::string& name, const std::string& what) {
  if (system_.make_folder(parent, name.c_str(), 0700) != 0 && errno != EEXIST) {
    if (errno == ENOENT) return -1;  // the parent was removed
    cannot(what, errno);
  }
  const int folder = system_.open_at(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (folder < 0 && errno == ENOENT) return -1;
  struct stat of {};
  const bool known = folder >= 0 && system_.status(folder, of) == 0;
  if (known && of.st_uid == system_.user() && (of.st_mode & (S_IWGRP | S_IWOTH)) == 0) return folder;
  if (folder >= 0) system_.close(folder);
  refuse(name + " in root " + root_ + " is no folder that belongs to user " + std::to_string(system_.user()) +
         " alone; move it away or name another root");
}

bool LaunchFolder::take_lock() {
  const std::string name = name_ + std::string(lock_ending);
  lock_ = system_.open_at(own_, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  if (lock_ < 0) {
    if (errno == ENOENT) return false;
    cannot(path(), errno);
  }
  int done = 0;
  do done = system_.lock(lock_, LOCK_SH);
  while (done != 0 && errno == EINTR);
  locks_ = done == 0;
  struct stat of {};
  return system_.status(lock_, of) == 0 && of.st_nlink > 0;  // else a start of another launch took it for a dead one's
}

void LaunchFolder::close_all() {
  for (int* one : {&folder_, &lock_, &own_, &top_}) {
    if (*one >= 0) system_.close(*one);
    *one = -1;
  }
}

void LaunchFolder::leave(bool last) {
  const auto alone = [&] {
    if (!locks_) return last;
    return system_.lock(lock_, LOCK_UN) == 0 && system_.lock(lock_, LOCK_EX | LOCK_NB) == 0;
  };
  if (lock_ >= 0 && alone() && remove_tree(system_, own_, name_)) {
    system_.remove(own_, (name_ + std::string(lock_ending)).c_str(), 0);
  }
  if (own_ >= 0) {  // where it is empty
    system_.remove(top_, ("tenken-" + std::to_string(system_.user())).c_str(), AT_REMOVEDIR);
  }
  close_all();
}

bool LaunchFolder::remove_dead(const std::string& name, bool lock_decides, Earlier& earlier) {
  const std::string lock_name = name + std::string(lock_ending);
  const int lock = system_.open_at(own_, lock_name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  if (lock < 0) return errno == ENOENT;
  struct stat of {};
  bool dead = system_.status(lock, of) == 0 && S_ISREG(of.st_mode) && of.st_uid == system_.user();
  const bool locked = dead && system_.lock(lock, LOCK_EX | LOCK_NB) == 0;
  const bool alive = dead && !locked && errno == EWOULDBLOCK;
  if (alive) {
    ++earlier.alive;
    system_.close(lock);
    return true;
  }
  if (!locked || !lock_decides) dead = dead && std::difftime(std::time(nullptr), of.st_mtime) > old_s;
  const bool gone = dead && remove_tree(system_, own_, name) && system_.remove(own_, lock_name.c_str(), 0) == 0;
  system_.close(lock);
  if (gone) ++earlier.removed;
  return gone;
}

Earlier LaunchFolder::remove_earlier(const std::string& host, const std::string& start) {
  Earlier earlier;
  const FileSystemKind kind = file_system_of(system_.file_system(own_)).kind;
  const bool of_this_host = kind == FileSystemKind::local || kind == FileSystemKind::memory;
  for (const std::string& entry : names_in(own_)) {
    if (!entry.ends_with(lock_ending)) continue;
    const std::string name = entry.substr(0, entry.size() - lock_ending.size());
    const Launched of = launched(name);
    if (of.host.empty() || name == name_) continue;
    if (!of_this_host && of.host != host_part(host)) {
      ++earlier.other_hosts;
    } else if (!remove_dead(name, of_this_host || of.start == start, earlier)) {
      ++earlier.left;
    }
  }
  return earlier;
}

}  // namespace tenken::storage
