! The classic variant in Fortran: derivatives into arrays of their own, then updates that read them (kernel.hpp has the
! equations). Single precision, elastic. Each routine works on `columns` columns of one row, `depth` values of each; `dx` and
! `dy` lead to the next column and row. Array arguments begin two rows before the first value of the row.
module seismic_classic
  use iso_c_binding, only: c_float, c_int, c_int64_t
  implicit none
  integer, parameter :: r = c_float, n = c_int64_t
contains
  ! out = D f along the direction of step d, at f's own index where `back` is 1, else half a step further.
  pure subroutine difference(near, far, depth, base, d, back, f, out)
    real(r), intent(in) :: near, far
    integer(c_int), intent(in) :: depth
    integer(n), intent(in) :: base, d
    integer, intent(in) :: back
    real(r), intent(in) :: f(*)
    real(r), intent(inout) :: out(*)
    integer(n) :: k, first
    first = base - back * d
    do k = 1, depth
      out(base + k) = near * (f(first + d + k) - f(first + k)) + far * (f(first + 2 * d + k) - f(first - d + k))
    end do
  end subroutine

  subroutine slopes_of_stress(columns, depth, dx, dy, near, far, sxx, syy, szz, sxy, sxz, syz, &
      d1, d2, d3, d4, d5, d6, d7, d8, d9) bind(c, name="seismic_slopes_of_stress")
    integer(c_int), value :: columns, depth
    integer(n), value :: dx, dy
    real(r), value :: near, far
    real(r), intent(in) :: sxx(*), syy(*), szz(*), sxy(*), sxz(*), syz(*)
    real(r), intent(inout) :: d1(*), d2(*), d3(*), d4(*), d5(*), d6(*), d7(*), d8(*), d9(*)
    integer(n) :: at
    integer :: i
    do i = 0, columns - 1
      at = 2 * dy + i * dx
      call difference(near, far, depth, at, dx, 0, sxx, d1)
      call difference(near, far, depth, at, dy, 1, sxy, d2)
      call difference(near, far, depth, at, 1_n, 1, sxz, d3)
      call difference(near, far, depth, at, dx, 1, sxy, d4)
      call difference(near, far, depth, at, dy, 0, syy, d5)
      call difference(near, far, depth, at, 1_n, 1, syz, d6)
      call difference(near, far, depth, at, dx, 1, sxz, d7)
      call difference(near, far, depth, at, dy, 1, syz, d8)
      call difference(near, far, depth, at, 1_n, 0, szz, d9)
    end do
  end subroutine

  subroutine slopes_of_velocity(columns, depth, dx, dy, near, far, vx, vy, vz, &
      d1, d2, d3, d4, d5, d6, d7, d8, d9) bind(c, name="seismic_slopes_of_velocity")
    integer(c_int), value :: columns, depth
    integer(n), value :: dx, dy
    real(r), value :: near, far
    real(r), intent(in) :: vx(*), vy(*), vz(*)
    real(r), intent(inout) :: d1(*), d2(*), d3(*), d4(*), d5(*), d6(*), d7(*), d8(*), d9(*)
    integer(n) :: at
    integer :: i
    do i = 0, columns - 1
      at = 2 * dy + i * dx
      call difference(near, far, depth, at, dx, 1, vx, d1)
      call difference(near, far, depth, at, dy, 0, vx, d2)
      call difference(near, far, depth, at, 1_n, 0, vx, d3)
      call difference(near, far, depth, at, dx, 0, vy, d4)
      call difference(near, far, depth, at, dy, 1, vy, d5)
      call difference(near, far, depth, at, 1_n, 0, vy, d6)
      call difference(near, far, depth, at, dx, 0, vz, d7)
      call difference(near, far, depth, at, dy, 0, vz, d8)
      call difference(near, far, depth, at, 1_n, 1, vz, d9)
    end do
  end subroutine

  subroutine update_velocity(columns, depth, dx, dy, density, d1, d2, d3, d4, d5, d6, d7, d8, d9, vx, vy, vz) &
      bind(c, name="seismic_update_velocity")
    integer(c_int), value :: columns, depth
    integer(n), value :: dx, dy
    real(r), intent(in) :: density(*), d1(*), d2(*), d3(*), d4(*), d5(*), d6(*), d7(*), d8(*), d9(*)
    real(r), intent(inout) :: vx(*), vy(*), vz(*)
    integer(n) :: at
    integer :: i
    do i = 0, columns - 1
      do at = 2 * dy + i * dx + 1, 2 * dy + i * dx + depth
        vx(at) = vx(at) + (d1(at) + d2(at) + d3(at)) * (1 / (density(at) + density(at + dx)))
        vy(at) = vy(at) + (d4(at) + d5(at) + d6(at)) * (1 / (density(at) + density(at + dy)))
        vz(at) = vz(at) + (d7(at) + d8(at) + d9(at)) * (1 / (density(at) + density(at + 1)))
      end do
    end do
  end subroutine

  subroutine update_stress(columns, depth, dx, dy, lambda, c, d1, d2, d3, d4, d5, d6, d7, d8, d9, &
      sxx, syy, szz, sxy, sxz, syz) bind(c, name="seismic_update_stress")
    integer(c_int), value :: columns, depth
    integer(n), value :: dx, dy
    real(r), intent(in) :: lambda(*), c(*), d1(*), d2(*), d3(*), d4(*), d5(*), d6(*), d7(*), d8(*), d9(*)
    real(r), intent(inout) :: sxx(*), syy(*), szz(*), sxy(*), sxz(*), syz(*)
    real(r) :: twice, pressure
    integer(n) :: at
    integer :: i
    do i = 0, columns - 1
      do at = 2 * dy + i * dx + 1, 2 * dy + i * dx + depth
        twice = 0.5_r * (1 / c(at))
        pressure = lambda(at) * (d1(at) + d5(at) + d9(at))
        sxx(at) = sxx(at) + (pressure + twice * d1(at))
        syy(at) = syy(at) + (pressure + twice * d5(at))
        szz(at) = szz(at) + (pressure + twice * d9(at))
        sxy(at) = sxy(at) + (d2(at) + d4(at)) * (1 / ((c(at) + c(at + dx)) + (c(at + dy) + c(at + dx + dy))))
        sxz(at) = sxz(at) + (d3(at) + d7(at)) * (1 / ((c(at) + c(at + dx)) + (c(at + 1) + c(at + dx + 1))))
        syz(at) = syz(at) + (d6(at) + d8(at)) * (1 / ((c(at) + c(at + dy)) + (c(at + 1) + c(at + dy + 1))))
      end do
    end do
  end subroutine
end module
