// One panel of the elimination: nb columns, factored by the processes of one column of the grid together.
//
// The rows that pivoting brings to the top are kept by each of them (`top`), so that only the combination of the pivot
// moves data: one message a column and step of the reduction, with the candidate's row and the row that makes way for
// it. Columns are halved recursively down to a few (F. Gustavson, "Recursion leads to automatic variable blocking for
// dense linear-algebra algorithms", IBM J. Res. Dev. 41 (1997)), so that most of the work is matrix products.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "matrix.hpp"

namespace hpl {

// What the elimination of all other columns needs of a panel: it travels along the rows of the grid as one message.
class Panel {
 public:
  // Room for panels of up to nb columns and `rows` local rows.
  Panel(int nb, int rows);

  // Describes the panel of columns first .. first+width-1; `rows`: local rows at or below row `first`.
  void shape(int first, int width, int rows);

  int first() const { return first_; }
  int width() const { return width_; }
  int rows() const { return rows_; }

  // width x width, stored by columns: unit lower triangle L1 and upper triangle U1 of the top rows.
  double* top() { return memory_.data() + pivots_room(); }
  const double* top() const { return memory_.data() + pivots_room(); }
  // rows() x width, stored by columns, stride rows(): local rows of L from row `first` on. On the processes that hold
  // the top rows these come first, and mean nothing.
  double* lower() { return top() + width_ * width_; }
  const double* lower() const { return top() + width_ * width_; }

  // Global row that step j swapped with row first + j.
  int pivot(int j) const { return static_cast<int>(memory_[static_cast<std::size_t>(j) + 1]); }
  void set_pivot(int j, int row) { memory_[static_cast<std::size_t>(j) + 1] = row; }

  // Column without a pivot, -1 where there is none.
  int singular() const { return static_cast<int>(memory_[0]); }
  void set_singular(int column) { memory_[0] = column; }

  double* message() { return memory_.data(); }
  int message_size() const { return pivots_room() + width_ * (width_ + rows_); }  // doubles

 private:
  int pivots_room() const { return (width_ + 1 + 7) / 8 * 8; }

  int first_ = 0, width_ = 0, rows_ = 0;
  tenken::Buffer<double> memory_;
};

// Factors columns first .. first+width-1 of `matrix`, all earlier updates done, into `panel` and, as far as other parts
// need it, in place. Collective over the column of the grid that owns them.
class PanelFactor {
 public:
  PanelFactor(const Grid& grid, Matrix& matrix);
  ~PanelFactor();
  PanelFactor(const PanelFactor&) = delete;
  PanelFactor& operator=(const PanelFactor&) = delete;

  // `wrong_pivot`: a planted fault, one swap is told wrongly to the other columns.
  void run(Panel& panel, bool wrong_pivot = false);

 private:
  struct Largest {
    double magnitude;
    int row;
  };

  void factor(int from, int width);
  void factor_few(int from, int width);
  Largest largest(const double* column, int row) const;
  void pivot(int j);
  int begin(int j) const { return owner_ ? j : 0; }  // first local row, in the panel, that takes part in step j
  double* column(int j) { return block_ + j * stride_; }

  const Grid& grid_;
  Matrix& matrix_;
  std::vector<double> mine_, best_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  int type_width_ = 0;

  // Of the panel at work:
  Panel* panel_ = nullptr;
  double* block_ = nullptr;  // first local row and column
  std::ptrdiff_t stride_ = 0;
  int rows_ = 0;
  bool owner_ = false;  // holds the top rows
  bool wrong_pivot_ = false;
};

// Floating point operations on this process's rows, for the width columns of a panel with `rows` local rows: at step j
// a division for each row below and a product and a difference for each of them and each column to the right.
std::int64_t panel_flop(const Matrix& matrix, int first, int width);

}  // namespace hpl
