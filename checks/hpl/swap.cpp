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
  const Moves moves = moves_of(panel);
  const auto parts = static_cast<std::size_t>(grid_.p);
  gives_.assign(parts, {});
  gets_.assign(parts, 0);
  rows_given_.clear();
  rows_got_.clear();
  for (int j = 0; j < width_; ++j) {
    const int row = moves.source[static_cast<std::size_t>(j)];
    gives_[static_cast<std::size_t>(matrix_.rows.owner(row))].push_back(j);
    if (matrix_.rows.owner(row) == grid_.row) rows_given_.push_back(matrix_.rows.local(row));
  }
  std::vector<std::vector<int>> away(parts);
  for (const Moves::Down& move : moves.down) {
    const int to = matrix_.rows.owner(move.to);
    ++gets_[static_cast<std::size_t>(to)];
    away[static_cast<std::size_t>(to)].push_back(matrix_.rows.local(move.from));
    if (to == grid_.row) rows_got_.push_back(matrix_.rows.local(move.to));
  }
  rows_sent_away_.clear();
  shares_sent_away_.assign(parts, 0);
  if (grid_.row != owner_) return;
  for (std::size_t part = 0; part < parts; ++part) {
    shares_sent_away_[part] = static_cast<int>(away[part].size());
    rows_sent_away_.insert(rows_sent_away_.end(), away[part].begin(), away[part].end());
  }
}

void RowSwap::run_alone(int first_column, int columns, double* u) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < columns; ++c) {
    double* const column = matrix_.at(0, first_column + c);
    double* const to = u + static_cast<std::ptrdiff_t>(c) * width_;
    for (std::size_t j = 0; j < rows_given_.size(); ++j) to[j] = column[rows_given_[j]];
    for (std::size_t i = 0; i < rows_got_.size(); ++i) column[rows_got_[i]] = column[rows_sent_away_[i]];
  }
}

double* RowSwap::room_to_give(int columns) {
  room_.sent.resize(rows_given_.size() * static_cast<std::size_t>(columns));
  return room_.sent.data();
}

double* RowSwap::room_to_send_away(int columns) {
  room_.away.resize(rows_sent_away_.size() * static_cast<std::size_t>(columns));
  return room_.away.data();
}

const double* RowSwap::exchange(int columns, double* u) {
  const auto parts = static_cast<std::size_t>(grid_.p);
  const auto me = static_cast<std::size_t>(grid_.row);
  std::vector<int> counts(parts), offsets(parts), down_counts(parts), down_offsets(parts);
  int offset = 0, down_offset = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    counts[part] = static_cast<int>(gives_[part].size()) * columns;
    down_counts[part] = gets_[part] * columns;
    offsets[part] = offset;
    down_offsets[part] = down_offset;
    offset += counts[part];
    down_offset += down_counts[part];
  }
  room_.gathered.resize(static_cast<std::size_t>(offset));
  room_.arrived.resize(static_cast<std::size_t>(down_counts[me]));
  // Rows of U: each process gives its rows, and gets all.
  MPI_Allgatherv(room_.sent.data(), counts[me], MPI_DOUBLE, room_.gathered.data(), counts.data(), offsets.data(),
                 MPI_DOUBLE, grid_.along_column);
  // Rows that make way: from the holder of the top rows.
  MPI_Scatterv(room_.away.data(), down_counts.data(), down_offsets.data(), MPI_DOUBLE, room_.arrived.data(),
               down_counts[me], MPI_DOUBLE, owner_, grid_.along_column);
  for (std::size_t part = 0; part < parts; ++part) {
    const double* from = room_.gathered.data() + offsets[part];
    for (int c = 0; c < columns; ++c) {
      for (const int j : gives_[part]) u[static_cast<std::ptrdiff_t>(c) * width_ + j] = *from++;
    }
  }
  return room_.arrived.data();
}

void RowSwap::run(int first_column, int columns, double* u) {
  if (columns == 0) return;
  if (grid_.p == 1) return run_alone(first_column, columns, u);
  double* to = room_to_give(columns);
  for (int c = 0; c < columns; ++c) {
    const double* const column = matrix_.at(0, first_column + c);
    for (const int row : rows_given_) *to++ = column[row];
  }
  to = room_to_send_away(columns);
  const int* rows = rows_sent_away_.data();
  for (const int share : shares_sent_away_) {
    for (int c = 0; c < columns; ++c) {
      const double* const column = matrix_.at(0, first_column + c);
      for (int i = 0; i < share; ++i) *to++ = column[rows[i]];
    }
    rows += share;
  }
  const double* from = exchange(columns, u);
  for (int c = 0; c < columns; ++c) {
    double* const column = matrix_.at(0, first_column + c);
    for (const int row : rows_got_) column[row] = *from++;
  }
}

std::int64_t RowSwap::bytes_sent(int columns) const {
  if (grid_.p == 1) return 0;
  std::size_t rows = rows_given_.size() * static_cast<std::size_t>(grid_.p - 1);
  if (grid_.row == owner_)
    rows += rows_sent_away_.size() - static_cast<std::size_t>(shares_sent_away_[static_cast<std::size_t>(owner_)]);
  return std::int64_t{8} * columns * static_cast<std::int64_t>(rows);
}

std::int64_t RowSwap::bytes_received(int columns) const {
  if (grid_.p == 1) return 0;
  std::size_t rows = static_cast<std::size_t>(width_) - rows_given_.size();
  if (grid_.row != owner_) rows += rows_got_.size();
  return std::int64_t{8} * columns * static_cast<std::int64_t>(rows);
}

}  // namespace hpl
