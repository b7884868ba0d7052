// ranks: 4
// Poisson's equation by Jacobi steps: fields in a header in a folder, collapsed first dimensions, a function called time, old prototypes.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <sys/time.h>
#include <mpi.h>
#include "fields/param.h"
#include "fields/fields.h"
#ifdef _XCALABLEMP
#include <xmp.h>
#endif

float jacobi(int);
void initmt();
double fflop(int,int,int);
double time();

static float omega;
static int imax,jmax,kmax;
double spent = 0, began;
static float sp[MIMAX][MJMAX][MKMAX], sw[MIMAX][MJMAX][MKMAX];

int
main(int argc,char **argv)
{
  int    namelen, i, j, k, wrong = 0;
  char   processor_name[MPI_MAX_PROCESSOR_NAME];
  float  gosa, want = 0;
  double cpu0, cpu;
#ifdef _XCALABLEMP
  MPI_Get_processor_name(processor_name,&namelen);
#endif
  omega = 0.8;
  imax = MX0-1; jmax = MY0-1; kmax = MZ0-1;
  initmt();
#pragma xmp barrier
#ifdef _XCALABLEMP
  cpu0= xmp_wtime();
#else
  cpu0= time();
#endif
  gosa= jacobi(5);
  cpu = time() >= 0 ? cpu0 : 0;
#pragma xmp reduction(max: cpu)
  for(i=0 ; i<imax ; ++i) for(j=0 ; j<jmax ; ++j) for(k=0 ; k<kmax ; ++k)
    sp[i][j][k]=(float)((i)*(i))/(float)((imax-1)*(imax-1));
  for (int n = 0; n < 5; n++) {
    want = 0;
    for(i=1 ; i<imax-1 ; ++i) for(j=1 ; j<jmax-1 ; ++j) for(k=1 ; k<kmax-1 ; ++k) {
      float s0 = sp[i+1][j][k] + sp[i][j+1][k] + sp[i][j][k+1] + sp[i-1][j][k] + sp[i][j-1][k] + sp[i][j][k-1];
      float ss = s0 * (1.0f/6.0f) - sp[i][j][k];
      want += ss*ss;
      sw[i][j][k] = sp[i][j][k] + omega * ss;
    }
    for(i=1 ; i<imax-1 ; ++i) for(j=1 ; j<jmax-1 ; ++j) for(k=1 ; k<kmax-1 ; ++k) sp[i][j][k] = sw[i][j][k];
  }
  if (fabs(gosa - want) > 1e-5 * want) wrong = 1;
#pragma xmp loop (k,j,i) on t(k,j,i) reduction(+:wrong)
  for(i=0 ; i<imax ; ++i)
    for(j=0 ; j<jmax ; ++j)
      for(k=0 ; k<kmax ; ++k)
        wrong += fabs(p[i][j][k] - sp[i][j][k]) > 1e-5;
#pragma xmp task on t(0,0,0)
  printf(wrong ? "ERROR %d %g %g\n" : "PASS\n", wrong, gosa, want);
  return (wrong);
}

void
initmt()
{
  int i,j,k;
#pragma xmp loop (k,j,i) on t(k,j,i)
  for(i=0 ; i<imax ; ++i)
    for(j=0 ; j<jmax ; ++j)
      for(k=0 ; k<kmax ; ++k){
        a[0][i][j][k]=1.0;
        a[1][i][j][k]=1.0;
        a[2][i][j][k]=1.0;
        a[3][i][j][k]=1.0/6.0;
        b[0][i][j][k]=0.0;
        b[1][i][j][k]=0.0;
        b[2][i][j][k]=0.0;
        c[0][i][j][k]=1.0;
        c[1][i][j][k]=1.0;
        c[2][i][j][k]=1.0;
	p[i][j][k]=(float)((i)*(i))/(float)((imax-1)*(imax-1));
      }
#pragma xmp reflect(p)
}

float
jacobi(int nn)
{
  int i,j,k,n;
  float gosa,s0,ss;
  for(n=0 ; n<nn ; ++n){
    gosa = 0.0;
#pragma xmp loop (k,j,i) on t(k,j,i)
    for(i=1 ; i<imax-1 ; ++i)
      for(j=1 ; j<jmax-1 ; ++j)
        for(k=1 ; k<kmax-1 ; ++k){
          s0 = a[0][i][j][k] * p[i+1][j  ][k  ]
             + a[1][i][j][k] * p[i  ][j+1][k  ]
             + a[2][i][j][k] * p[i  ][j  ][k+1]
             + b[0][i][j][k] * ( p[i+1][j+1][k  ] - p[i+1][j-1][k  ]
                               - p[i-1][j+1][k  ] + p[i-1][j-1][k  ] )
             + b[1][i][j][k] * ( p[i  ][j+1][k+1] - p[i  ][j-1][k+1]
                               - p[i  ][j+1][k-1] + p[i  ][j-1][k-1] )
             + c[0][i][j][k] * p[i-1][j  ][k  ]
             + c[1][i][j][k] * p[i  ][j-1][k  ]
             + c[2][i][j][k] * p[i  ][j  ][k-1];
          ss = ( s0 * a[3][i][j][k] - p[i][j][k] );
          gosa += ss*ss;
          wrk2[i][j][k] = p[i][j][k] + omega * ss;
        }
#pragma xmp loop (k,j,i) on t(k,j,i)
    for(i=1 ; i<imax-1 ; ++i)
      for(j=1 ; j<jmax-1 ; ++j)
        for(k=1 ; k<kmax-1 ; ++k)
          p[i][j][k] = wrk2[i][j][k];
#ifdef _XCALABLEMP
    began = xmp_wtime();
#endif
#pragma xmp reflect (p)
#ifdef _XCALABLEMP
    spent += xmp_wtime() - began;
#endif
#pragma xmp reduction(+:gosa)
  } /* end n loop */
  return(gosa);
}

double time()
{
  struct timeval tv;
  gettimeofday(&tv,NULL);
  return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
}
