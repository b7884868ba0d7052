#include "swap.hpp"

#include <map>

namespace hpl {

Moves moves_of(const Panel& panel) {
  // What stands where, for the rows that are touched.
  std::map<int, int> at;
  const auto standing = [&](int row) -> int& { return at.try_emplace(row, row).first->second; };
  for (int j = 0; j < panel.width(); ++j) std::swap(standing(panel.first() + j), standing(panel.pivot(j)));
  Moves moves;
  const int end = panel.first() + panel.width();
  for (const auto& [row, from] : at) {
    if (row < end) {
      moves.source.push_back(from);
    } else if (from != row) {
      moves.down.push_back({from, row});
    }
  }
  return moves;
}

void RowSwap::set(const Panel& panel) {
  width_ = panel.width();
  owner_ = matrix_.rows.owner(panel.first());
  moves_ = moves_of(panel);
  const auto parts = static_cast<std::size_t>(grid_.p);
  gives_.assign(parts, {});
  gets_.assign(parts, {});
  for (int j = 0; j < width_; ++j) {
    const int holder = matrix_.rows.owner(moves_.source[static_cast<std::size_t>(j)]);
    gives_[static_cast<std::size_t>(holder)].push_back(j);
  }
  for (std::size_t i = 0; i < moves_.down.size(); ++i) {
    gets_[static_cast<std::size_t>(matrix_.rows.owner(moves_.down[i].to))].push_back(static_cast<int>(i));
  }
}

void RowSwap::run_alone(int first_column, int columns, double* u) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < columns; ++c) {
    double* const column = matrix_.at(0, first_column + c);
    double* const to = u + static_cast<std::ptrdiff_t>(c) * width_;
    for (int j = 0; j < width_; ++j) to[j] = column[moves_.source[static_cast<std::size_t>(j)]];
    for (const Moves::Down& one : moves_.down) column[one.to] = column[one.from];
  }
}

void RowSwap::run(int first_column, int columns, double* u) {
  if (columns == 0) return;
  if (grid_.p == 1) return run_alone(first_column, columns, u);
  const auto parts = static_cast<std::size_t>(grid_.p);
  const auto me = static_cast<std::size_t>(grid_.row);
  // Rows of U: everybody gives those it holds, everybody gets all.
  const std::vector<int>& give = gives_[me];
  room_.sent.resize(give.size() * static_cast<std::size_t>(columns));
  std::size_t next = 0;
  for (int c = 0; c < columns; ++c) {
    const double* const column = matrix_.at(0, first_column + c);
    for (const int j : give)
      room_.sent[next++] = column[matrix_.rows.local(moves_.source[static_cast<std::size_t>(j)])];
  }
  // Rows that make way: from the holder of the top rows.
  std::vector<int> counts(parts), offsets(parts), down_counts(parts), down_offsets(parts);
  int offset = 0, down_offset = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    counts[part] = static_cast<int>(gives_[part].size()) * columns;
    down_counts[part] = static_cast<int>(gets_[part].size()) * columns;
    offsets[part] = offset;
    down_offsets[part] = down_offset;
    offset += counts[part];
    down_offset += down_counts[part];
  }
  if (grid_.row == owner_) {
    room_.away.resize(static_cast<std::size_t>(down_offset));
    next = 0;
    for (const std::vector<int>& gets : gets_) {
      for (int c = 0; c < columns; ++c) {
        const double* const column = matrix_.at(0, first_column + c);
        for (const int i : gets)
          room_.away[next++] = column[matrix_.rows.local(moves_.down[static_cast<std::size_t>(i)].from)];
      }
    }
  }
  room_.gathered.resize(static_cast<std::size_t>(offset));
  room_.arrived.resize(static_cast<std::size_t>(down_counts[me]));
  MPI_Allgatherv(room_.sent.data(), counts[me], MPI_DOUBLE, room_.gathered.data(), counts.data(), offsets.data(),
                 MPI_DOUBLE, grid_.along_column);
  MPI_Scatterv(room_.away.data(), down_counts.data(), down_offsets.data(), MPI_DOUBLE, room_.arrived.data(),
               down_counts[me], MPI_DOUBLE, owner_, grid_.along_column);
  for (std::size_t part = 0; part < parts; ++part) {
    const double* from = room_.gathered.data() + offsets[part];
    for (int c = 0; c < columns; ++c) {
      for (const int j : gives_[part]) u[static_cast<std::ptrdiff_t>(c) * width_ + j] = *from++;
    }
  }
  next = 0;
  for (int c = 0; c < columns; ++c) {
    double* const column = matrix_.at(0, first_column + c);
    for (const int i : gets_[me]) {
      column[matrix_.rows.local(moves_.down[static_cast<std::size_t>(i)].to)] = room_.arrived[next++];
    }
  }
}

std::int64_t RowSwap::bytes_sent(int columns) const {
  if (grid_.p == 1) return 0;
  std::size_t rows = gives_[static_cast<std::size_t>(grid_.row)].size() * static_cast<std::size_t>(grid_.p - 1);
  if (grid_.row == owner_) rows += moves_.down.size() - gets_[static_cast<std::size_t>(owner_)].size();
  return std::int64_t{8} * columns * static_cast<std::int64_t>(rows);
}

std::int64_t RowSwap::bytes_received(int columns) const {
  if (grid_.p == 1) return 0;
  std::size_t rows = moves_.source.size() - gives_[static_cast<std::size_t>(grid_.row)].size();
  if (grid_.row != owner_) rows += gets_[static_cast<std::size_t>(grid_.row)].size();
  return std::int64_t{8} * columns * static_cast<std::int64_t>(rows);
}

}  // namespace hpl
