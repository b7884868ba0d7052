#include "measure/memory.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>

namespace tenken {

namespace {

constexpr int bind_strictly = 2;    // MPOL_BIND of the kernel's interface
constexpr int largest_node = 1024;  // of the mask
constexpr std::size_t sampled_pages = 4096;

struct Mapping {
  std::uint64_t begin;
  std::uint64_t pages;
};

// Writable private memory of /proc/self/maps without a file: "7f..-7f.. rw-p 00000000 00:00 0 [heap]". A mapping larger
// than the memory of the node is a reservation of addresses (sanitizers make some), whose pages would be all of a
// sample.
std::vector<Mapping> own_memory(const Tree& tree, std::uint64_t page) {
  const auto most = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  std::vector<Mapping> found;
  std::ifstream maps = tree.open("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const char* const last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ec != std::errc{} || first.ptr == last) continue;
    const auto second = std::from_chars(first.ptr + 1, last, end, 16);
    const std::string rest(second.ptr, last);
    const bool file = rest.find('/') != std::string::npos;
    const std::uint64_t pages = (end - begin) / page;
    if (second.ec == std::errc{} && rest.starts_with(" rw-p") && !file && pages <= most)
      found.push_back({begin, pages});
  }
  return found;
}

// Addresses of pages, evenly over all of the memory.
std::vector<void*> sample(const Tree& tree, std::uint64_t page) {
  const auto memory = own_memory(tree, page);
  std::uint64_t total = 0;
  for (const Mapping& one : memory) total += one.pages;
  const std::uint64_t stride = std::max<std::uint64_t>(1, total / sampled_pages);
  std::vector<void*> addresses;
  std::uint64_t next = 0;
  std::uint64_t before = 0;
  for (const Mapping& one : memory) {
    for (; next < before + one.pages; next += stride) {
      addresses.push_back(reinterpret_cast<void*>(one.begin + (next - before) * page));
    }
    before += one.pages;
  }
  return addresses;
}

}  // namespace

int take_pages_from(const std::vector<int>& nodes) {
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(largest_node / bits + 1);
  for (const int node : nodes) {
    if (node < 0 || node >= largest_node) return EINVAL;
    mask[static_cast<std::size_t>(node) / bits] |= 1UL << (static_cast<std::size_t>(node) % bits);
  }
  return syscall(SYS_set_mempolicy, bind_strictly, mask.data(), static_cast<unsigned long>(largest_node)) == 0 ? 0
                                                                                                               : errno;
}

std::vector<PagesOfNode> count_by_node(const std::vector<int>& status) {
  std::map<int, std::int64_t> found;
  for (const int node : status) {
    if (node >= 0) ++found[node];
  }
  std::vector<PagesOfNode> nodes;
  for (const auto& [node, pages] : found) nodes.push_back({node, pages});
  return nodes;
}

std::optional<std::vector<PagesOfNode>> pages_by_node(const Tree& tree) {
  const auto addresses = sample(tree, static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  std::vector<int> status(addresses.size(), -ENOENT);
  // Without target nodes move_pages moves nothing: it tells the node of every page, or a negative error number.
  if (addresses.empty() ||
      syscall(SYS_move_pages, 0, addresses.size(), addresses.data(), nullptr, status.data(), 0) != 0) {
    return std::nullopt;
  }
  return count_by_node(status);
}

}  // namespace tenken
