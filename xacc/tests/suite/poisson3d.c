// ranks: 4 8
// A Poisson solver as benchmarks have it: coefficients with a leading dimension, old-style prototypes, text for the former compiler alone.
#include <stdio.h>
#include <sys/time.h>
#ifdef _XCALABLEMP
#include <xmp.h>
#endif
#define IMAX 18
#define JMAX 13
#define KMAX 11
float jacobi(int);
void start();
double seconds();
static float  p[IMAX][JMAX][KMAX];
static float  a[4][IMAX][JMAX][KMAX],
              c[3][IMAX][JMAX][KMAX];
static float  wrk1[IMAX][JMAX][KMAX],
              wrk2[IMAX][JMAX][KMAX];
static float  ps[IMAX][JMAX][KMAX], ws[IMAX][JMAX][KMAX];
static float omega;
static int imax, jmax, kmax;
#pragma xmp template t(0:KMAX-1, 0:JMAX-1, 0:IMAX-1)
#pragma xmp nodes n(2, *)
#pragma xmp distribute t(*, block, block) onto n
#pragma xmp align p[k][j][i] with t(i, j, k)
#pragma xmp align wrk1[k][j][i] with t(i, j, k)
#pragma xmp align wrk2[k][j][i] with t(i, j, k)
#pragma xmp align a[*][k][j][i] with t(i, j, k)
#pragma xmp align c[*][k][j][i] with t(i, j, k)
#pragma xmp shadow p[1][1][0]
double spent = 0, before;
int
main(int argc,char **argv)
{
  int    length;
  char   name[MPI_MAX_PROCESSOR_NAME];
#ifdef _XCALABLEMP
  MPI_Get_processor_name(name, &length);
  if (length < 1 || xmpc_node_num() < 0) return 1;
#else
#error a program can ask whether its directives are translated
#endif
  int    i,j,k,n;
  float  gosa, want = 0, worst = 0;
  double cpu;
  omega = 0.8;
  imax = IMAX-1, jmax = JMAX-1, kmax = KMAX-1;
  start();
#pragma xmp barrier
  cpu = xmp_wtime();
  gosa = jacobi(9);
  cpu = xmp_wtime() - cpu;
#pragma xmp reduction(max: cpu, spent)
  for (i = 0; i < IMAX; ++i)
    for (j = 0; j < JMAX; ++j)
      for (k = 0; k < KMAX; ++k) ps[i][j][k] = i < imax && j < jmax && k < kmax ? (float)(i * i) : 0;
  for (n = 0; n < 9; ++n) {
    want = 0;
    for (i = 1; i < imax - 1; ++i)
      for (j = 1; j < jmax - 1; ++j)
        for (k = 1; k < kmax - 1; ++k) {
          float ss = (ps[i+1][j][k] + ps[i][j+1][k] + ps[i][j][k+1] + ps[i-1][j][k] + ps[i][j-1][k] + ps[i][j][k-1]) * 0.125f - ps[i][j][k];
          want += ss * ss;
          ws[i][j][k] = ps[i][j][k] + omega * ss;
        }
    for (i = 1; i < imax - 1; ++i)
      for (j = 1; j < jmax - 1; ++j)
        for (k = 1; k < kmax - 1; ++k) ps[i][j][k] = ws[i][j][k];
  }
#pragma xmp loop (k,j,i) on t(k,j,i) reduction(max: worst)
  for (i = 0; i < IMAX; ++i)
    for (j = 0; j < JMAX; ++j)
      for (k = 0; k < KMAX; ++k) {
        float d = p[i][j][k] - ps[i][j][k];
        if (d < 0) d = -d;
        if (d > worst) worst = d;
      }
#pragma xmp task on t(0,0,0)
  {
  if (worst > 1e-3f || gosa - want > 1e-3f * want || want - gosa > 1e-3f * want || spent > cpu)
    printf("ERROR %g %g %g\n", worst, gosa, want);
  else
    printf("PASS\n");
  }
  return (0);
}
void
start()
{
  int i,j,k;
#pragma xmp loop (k,j,i) on t(k,j,i)
  for(i=0 ; i<IMAX ; ++i)
    for(j=0 ; j<JMAX ; ++j)
      for(k=0 ; k<KMAX ; ++k){
        a[0][i][j][k]=a[1][i][j][k]=a[2][i][j][k]=1.0;
        a[3][i][j][k]=0.125;
        c[0][i][j][k]=c[1][i][j][k]=c[2][i][j][k]=1.0;
        p[i][j][k]=wrk1[i][j][k]=wrk2[i][j][k]=0.0;
      }
#pragma xmp loop (k,j,i) on t(k,j,i)
  for(i=0 ; i<imax ; ++i)
    for(j=0 ; j<jmax ; ++j)
      for(k=0 ; k<kmax ; ++k)
	p[i][j][k]=(float)((i)*(i));
#pragma xmp reflect(p)
}
float
jacobi(int nn)
{
  int i,j,k,n;
  float gosa = 0,s0,ss;
  for(n=0 ; n<nn ; ++n){
    gosa = 0.0;
#pragma xmp loop (k,j,i) on t(k,j,i)
    for(i=1 ; i<imax-1 ; ++i)
      for(j=1 ; j<jmax-1 ; ++j)
        for(k=1 ; k<kmax-1 ; ++k){
          s0 = a[0][i][j][k] * p[i+1][j  ][k  ]
             + a[1][i][j][k] * p[i  ][j+1][k  ]
             + a[2][i][j][k] * p[i  ][j  ][k+1]
             + c[0][i][j][k] * p[i-1][j  ][k  ]
             + c[1][i][j][k] * p[i  ][j-1][k  ]
             + c[2][i][j][k] * p[i  ][j  ][k-1]
             + wrk1[i][j][k];
          ss = s0 * a[3][i][j][k] - p[i][j][k];
          gosa += ss*ss;
          wrk2[i][j][k] = p[i][j][k] + omega * ss;
        }
#pragma xmp loop (k,j,i) on t(k,j,i)
    for(i=1 ; i<imax-1 ; ++i)
      for(j=1 ; j<jmax-1 ; ++j)
        for(k=1 ; k<kmax-1 ; ++k)
          p[i][j][k] = wrk2[i][j][k];
#ifdef _XCALABLEMP
    before = seconds();
#endif
#pragma xmp reflect (p)
#ifdef _XCALABLEMP
    spent += seconds() - before;
#endif
#pragma xmp reduction(+:gosa)
  } /* end n loop */
  return(gosa);
}
double seconds()
{
  struct timeval tv;
  gettimeofday(&tv,NULL);
  return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
}
