! The kernel in Fortran: y = a x + y for n elements. It sees neither MPI nor the measuring library.
module NAME_kernel
  use iso_c_binding, only: c_double, c_int64_t
  implicit none
contains
  pure subroutine axpy(n, a, x, y) bind(c, name="NAME_axpy")
    integer(c_int64_t), value :: n
    real(c_double), value :: a
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(inout) :: y(n)
    integer(c_int64_t) :: i
    do i = 1, n
      y(i) = a * x(i) + y(i)
    end do
  end subroutine
end module
