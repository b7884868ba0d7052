// The folder of one launch below a root that the user names: ROOT/tenken-USER/HOST+START+NUMBER. START names the start
// of the operating system of that host.
//
// Nothing outside of it is written, and nothing that is not ours is removed. Below the root no link is followed: every
// folder is opened in its parent's descriptor (O_NOFOLLOW) and must belong to this user and be writable by no other. A
// lock file beside the folder says that a process of the launch lives: each holds it shared, so that whoever gets it
// alone knows that all are gone. A lock may not travel between hosts. So on a file system that other hosts may have, a
// free lock decides only for launches of this host since its start; of earlier ones, and where no lock works, the time
// of the last pass decides: renew().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/tree.hpp"
#include "storage/system_calls.hpp"

namespace tenken::storage {

// Folders of earlier launches that a start met.
struct Earlier {
  int removed = 0;
  int alive = 0;        // their lock is not free
  int other_hosts = 0;  // left alone
  int left = 0;         // the lock does not decide and the launch was alive today, or something is not ours
};

// A name that no other launch has; every rank of a launch uses the same. `start`: start_of_system().
std::string new_launch_name(const std::string& host, const std::string& start);

// 8 hexadecimal digits that change with each start of the operating system; zeros where it does not say.
std::string start_of_system(const Tree& tree = Tree("/"));

class LaunchFolder {
 public:
  // Throws UserError where the root or the folder cannot be used: `refused` where another root is to be named,
  // `impossible` where the file system is full.
  LaunchFolder(SystemCalls& system, std::string root, std::string name);
  ~LaunchFolder();
  LaunchFolder(const LaunchFolder&) = delete;
  LaunchFolder& operator=(const LaunchFolder&) = delete;

  int descriptor() const { return folder_; }
  const std::string& root() const { return root_; }
  std::string path() const;  // for messages
  bool locks() const { return locks_; }

  // The launch is alive now: to be called at least once a day, where the lock may not decide.
  void renew() { system_.touch(lock_); }

  // Removes folders of launches that are dead; to be called by one rank of a node. `start`: start_of_system().
  Earlier remove_earlier(const std::string& host, const std::string& start);

  // Gives the folder up. The last process of the launch removes it; where no lock works, the process that is `last`.
  // What cannot be removed stays with its lock, so that the next start tries again.
  void leave(bool last);

 private:
  bool enter();  // false where another launch removed a folder meanwhile
  int open_own(int parent, const std::string& name, const std::string& what);
  bool take_lock();
  void close_all();
  bool remove_dead(const std::string& name, bool lock_decides, Earlier& earlier);

  SystemCalls& system_;
  std::string root_, name_;
  int top_ = -1, own_ = -1, folder_ = -1, lock_ = -1;
  bool locks_ = true;
};

// Removes a folder and all in it that belongs to this user, on the same file system; follows no link. False where
// something is left.
bool remove_tree(SystemCalls& system, int parent, const std::string& name);

std::vector<std::string> names_in(int folder);

}  // namespace tenken::storage
