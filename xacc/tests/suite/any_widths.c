// ranks: 2 4
// Shadows and widths that are known when the program runs, in four dimensions, of parameters, with arrays made anew in loops.
#include <stdio.h>
#define lx 3
#define ly 4
#define lz 6
#define lt 8
#pragma xmp nodes pt(*,1,1,1)
#pragma xmp nodes pz(1,1,1,*)
#pragma xmp template tt(0:lt-1,0:lx-1,0:ly-1,0:lz-1)
#pragma xmp template tz(0:lt-1,0:lx-1,0:ly-1,0:lz-1)
#pragma xmp distribute tt(block, block, block, block) onto pt
#pragma xmp distribute tz(block, block, block, block) onto pz
static double value(int iz, int iy, int ix, int it) { return ((iz * 10 + iy) * 10 + ix) * 10 + it; }
int along_t(double v[lz][ly][lx][lt], int lst, int ust, int lsx, int usz, int lwt, int uwt)
{
  int it,ix,iy,iz;
  int err = 0;
#pragma xmp align v[iz][iy][ix][it] with tt(it,ix,iy,iz)
#pragma xmp shadow v[0:usz][0][lsx:0][lst:ust]
#pragma xmp loop (it,ix,iy,iz) on tt(it,ix,iy,iz)
  for(iz = 0; iz < lz; iz++)
    for(iy = 0; iy < ly; iy++)
      for(ix = 0; ix < lx; ix++)
	for(it = 0; it < lt; it++) v[iz][iy][ix][it] = value(iz, iy, ix, it);
#pragma xmp reflect(v) width(0      ,0      ,0      ,lwt:uwt) acc
#pragma xmp loop (it,ix,iy,iz) on tt(it,ix,iy,iz) reduction(+:err)
  for(iz = 0; iz < lz; iz++)
    for(iy = 0; iy < ly; iy++)
      for(ix = 0; ix < lx; ix++)
	for(it = lwt; it < lt - uwt; it++)
	  if (v[iz][iy][ix][it - lwt] + v[iz][iy][ix][it + uwt] != 2 * v[iz][iy][ix][it] - lwt + uwt) err++;
  if(err != 0) return 1;
  return 0;
}
int along_z(double v[lz][ly][lx][lt], int lsz, int usz, int lwz, int uwz)
{
  int it,ix,iy,iz;
  int err = 0;
#pragma xmp align v[iz][iy][ix][it] with tz(it,ix,iy,iz)
#pragma xmp shadow v[lsz:usz][0][0][0]
#pragma xmp loop (iz) on tz(*,*,*,iz)
  for(iz = 0; iz < lz; iz++)
    for(iy = 0; iy < ly; iy++)
      for(ix = 0; ix < lx; ix++)
	for(it = 0; it < lt; it++) v[iz][iy][ix][it] = value(iz, iy, ix, it);
#pragma xmp reflect(v) width(/periodic/lwz:uwz,0,0,0) acc
#pragma xmp loop (iz) on tz(*,*,*,iz) reduction(+:err)
  for(iz = 0; iz < lz; iz++)
    for(iy = 0; iy < ly; iy++)
      for(it = 0; it < lt; it++)
	if (v[iz - lwz][iy][2][it] != value((iz - lwz + lz) % lz, iy, 2, it) || v[iz + uwz][iy][0][it] != value((iz + uwz) % lz, iy, 0, it)) err++;
  if(err != 0) return 1;
  return 0;
}
int main(void)
{
  int lst, ust, lsx, usz, lw, uw;
  for(lst = 0; lst <= 2; lst+=2){
  for(ust = 0; ust <= 2; ust++){
  for(lsx = 0; lsx <= 1; lsx++){
  for(usz = 0; usz <= 1; usz++){
    double array_t[lz][ly][lx][lt];
    double array_z[lz][ly][lx][lt];
#pragma xmp align array_t[iz][iy][ix][it] with tt(it,ix,iy,iz)
#pragma xmp align array_z[iz][iy][ix][it] with tz(it,ix,iy,iz)
#pragma xmp shadow array_t[0:usz][0][lsx:0][lst:ust]
#pragma xmp shadow array_z[lst:ust][0][0][0]
    for(lw = 0; lw <= lst; lw++){
      for(uw = 0; uw <= ust; uw++){
//#pragma xmp task on px(1,1,1,1) nocomm
	if(along_t(array_t, lst, ust, lsx, usz, lw, uw)) { printf("ERROR\n"); return 1; }
	if(along_z(array_z, lst, ust, lw, uw)) { printf("ERROR\n"); return 2; }
      }
    }
  }
  }
  }
  }
#pragma xmp task on pt(1,1,1,1)
  printf("PASS\n");
  return 0;
}
