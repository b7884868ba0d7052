#include "measure/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace tenken {

std::string summary(const Page& page, const std::vector<LiveSection>& sections) {
  const std::string head = "rank 0, median over repetitions      calls   time [us]   GFLOP/s      GB/s\n";
  std::string text;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    std::vector<Cell> cells;
    for (int row = Page::first_repetition_row; row < page.header().rows; ++row) {
      if (page.row(row)[s].calls > 0) cells.push_back(page.row(row)[s]);
    }
    if (cells.empty() && page.row(Page::once_row)[s].calls > 0) cells.push_back(page.row(Page::once_row)[s]);
    if (cells.empty()) continue;
    const auto middle = cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2);
    std::nth_element(cells.begin(), middle, cells.end(),
                     [](const Cell& a, const Cell& b) { return a.ticks < b.ticks; });
    const double ns = static_cast<double>(middle->ticks) * page.header().ns_per_tick;
    char line[160];
    std::snprintf(line, sizeof line, "%-34s %7lld %11.3f %9.3f %9.3f\n", sections[s].path.c_str(),
                  static_cast<long long>(middle->calls), ns * 1e-3, static_cast<double>(middle->flop) / ns,
                  static_cast<double>(middle->bytes_read + middle->bytes_written) / ns);
    text += line;
  }
  return text.empty() ? "no repetition was timed\n" : head + text;
}

}  // namespace tenken
