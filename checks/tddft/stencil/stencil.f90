! The 25-point stencil as one writes it in Fortran: a plain loop with tables of neighbours, for the compiler to vectorise.
module tddft_stencil
  use iso_c_binding
  implicit none
contains
  ! points: extents in x, y, z (z the fastest). second, first: [j, axis], see numerics/dft/stencil.hpp.
  subroutine tddft_stencil_fortran(nx, ny, nz, diagonal, second, first, potential, e, out) &
      bind(c, name="tddft_stencil_fortran")
    integer(c_int), value :: nx, ny, nz
    real(c_double), value :: diagonal
    real(c_double), intent(in) :: second(4, 3), first(4, 3)
    real(c_double), intent(in) :: potential(0:nz-1, 0:ny-1, 0:nx-1)
    complex(c_double_complex), intent(in) :: e(0:nz-1, 0:ny-1, 0:nx-1)
    complex(c_double_complex), intent(out) :: out(0:nz-1, 0:ny-1, 0:nx-1)
    integer :: ix(-4:nx+3), iy(-4:ny+3), iz(-4:nz+3)
    integer :: x, y, z, j
    complex(c_double_complex) :: even, odd
    do j = -4, nx + 3
      ix(j) = modulo(j, nx)
    end do
    do j = -4, ny + 3
      iy(j) = modulo(j, ny)
    end do
    do j = -4, nz + 3
      iz(j) = modulo(j, nz)
    end do
    do x = 0, nx - 1
      do y = 0, ny - 1
        do z = 0, nz - 1
          even = (potential(z, y, x) + diagonal) * e(z, y, x)
          odd = 0
          do j = 1, 4
            even = even + second(j, 1) * (e(z, y, ix(x + j)) + e(z, y, ix(x - j))) &
                        + second(j, 2) * (e(z, iy(y + j), x) + e(z, iy(y - j), x)) &
                        + second(j, 3) * (e(iz(z + j), y, x) + e(iz(z - j), y, x))
            odd = odd + first(j, 1) * (e(z, y, ix(x + j)) - e(z, y, ix(x - j))) &
                      + first(j, 2) * (e(z, iy(y + j), x) - e(z, iy(y - j), x)) &
                      + first(j, 3) * (e(iz(z + j), y, x) - e(iz(z - j), y, x))
          end do
          out(z, y, x) = even + cmplx(aimag(odd), -real(odd), c_double_complex)
        end do
      end do
    end do
  end subroutine
end module
