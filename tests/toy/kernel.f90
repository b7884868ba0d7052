module toy_kernel
  use iso_c_binding
  implicit none
contains
  function toy_sum_fortran(n, x) result(s) bind(c, name="toy_sum_fortran")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    s = sum(x)
  end function
end module
