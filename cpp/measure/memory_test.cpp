#include "measure/memory.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>

#include "testing/plant.hpp"

using namespace tenken;

namespace {

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// So many pages of which the first ones were written, and their line in /proc/self/maps.
class Pages {
 public:
  Pages(std::size_t all, std::size_t written) : bytes_(all * page) {
    start_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(start_ != MAP_FAILED);
    madvise(start_, bytes_, MADV_NOHUGEPAGE);
    std::memset(start_, 1, written * page);
  }
  ~Pages() { munmap(start_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::string line(const char* rights, const char* name) const { return line(rights, name, bytes_); }
  std::string line(const char* rights, const char* name, std::size_t bytes) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(start_);
    char text[160];
    std::snprintf(text, sizeof text, "%" PRIxPTR "-%" PRIxPTR " %s 00000000 00:00 0    %s\n", begin, begin + bytes,
                  rights, name);
    return text;
  }

 private:
  std::size_t bytes_;
  void* start_;
};

std::int64_t sampled(const std::string& maps) {
  const testing::PlantedTree tree;
  tree.write("proc/self/maps", maps);
  const auto found = pages_by_node(Tree(tree.root()));
  if (!found) return -1;
  std::int64_t pages = 0;
  for (const PagesOfNode& one : *found) pages += one.pages;
  return pages;
}

}  // namespace

TEST_CASE("pages are counted by the node that the system tells; errors are pages that were never written") {
  CHECK(count_by_node({}).empty());
  const auto found = count_by_node({1, 3, -ENOENT, 1, 0, -EFAULT, 3, 3});
  REQUIRE(found.size() == 3);
  CHECK(found[0].node == 0);
  CHECK(found[0].pages == 1);
  CHECK(found[1].node == 1);
  CHECK(found[1].pages == 2);
  CHECK(found[2].node == 3);
  CHECK(found[2].pages == 3);
}

TEST_CASE("the sample is of the process's own writable memory without a file") {
  const Pages own(16, 5), file(16, 7), constant(16, 9), second(4, 4);
  if (sampled(own.line("rw-p", "[heap]")) < 0) {
    MESSAGE("this system does not tell where pages are");
    return;
  }
  CHECK(sampled(own.line("rw-p", "")) == 5);
  CHECK(sampled("nonsense\n" + own.line("rw-p", "[heap]") + file.line("rw-p", "/lib/libm.so") +
                constant.line("r--p", "") + second.line("rw-p", "[stack]")) == 9);
  CHECK(sampled(file.line("rw-s", "")) == -1);
  CHECK(sampled("") == -1);
  // A reservation of addresses larger than all memory is no memory.
  const auto huge = (static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) + 1) * page;
  CHECK(sampled(own.line("rw-p", "", huge) + second.line("rw-p", "")) == 4);
}

TEST_CASE("of much memory every so many pages are looked at") {
  constexpr std::size_t all = 3 * 4096 + 10;
  const Pages much(all, all), few(8, 8);
  if (const auto pages = sampled(few.line("rw-p", "") + much.line("rw-p", "")); pages >= 0) {
    // One in three, the last of the first mapping's eight at its seventh page.
    CHECK(pages == (8 + static_cast<std::int64_t>(all) + 2) / 3);
  }
}

TEST_CASE("memory is asked of nodes that are there") {
  CHECK(take_pages_from({-1}) == EINVAL);
  CHECK(take_pages_from({1024}) == EINVAL);
  CHECK(take_pages_from({0, 5000}) == EINVAL);
  const int first = take_pages_from({0});  // every machine has it; EPERM where a container forbids the call
  CHECK((first == 0 || first == EPERM || first == ENOSYS));
  if (first == 0) CHECK(take_pages_from({1023}) == EINVAL);  // a number that can be asked for, of no memory here
}
