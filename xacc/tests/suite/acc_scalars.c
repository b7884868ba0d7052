// ranks: 2 4
// acc: 1
// OpenACC beside the directives, on the host with and without it: data of scalars and arrays, acc of bcast, reduction and reflect.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
static const int N=64;
int i,j,aa[64],a;
double bb[64],b;
int procs, result=0;
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
int v[N], w[N];
#pragma xmp align v[i] with t(i)
#pragma xmp align w[i] with t(i)
#pragma xmp shadow v[1:1]
int main(void)
{
  procs = xmp_num_nodes();
  a = xmp_node_num();
  b = (double)a;
  for(i=0;i<N;i++){
    aa[i] = a+i;
    bb[i] = (double)(a+i);
  }
#pragma acc data copy(a,b,aa,bb)
  {
#pragma xmp bcast (a) on p(:) acc
#pragma xmp bcast (b) acc
#pragma xmp bcast (aa) acc
#pragma xmp bcast (bb) acc
  }
  if(a != 1 || b != 1.0) result = -1;
  for(i=0;i<N;i++)
    if(aa[i] != 1+i || bb[i] != (double)(1+i)) result = -1;
  int sum = 0, own = 0;
#pragma acc data copy(sum) copyin(v, own) create(w)
  {
#pragma xmp loop (i) on t(i)
#pragma acc parallel loop reduction(+:sum, own)
    for(int i = 0; i < N; i++){
      sum += (i + 1);
      own += (i + 1);
      v[i] = i * i;
    }
#pragma xmp reduction(+:sum) acc
#pragma xmp reflect_init (v) acc
#pragma xmp reflect_do (v) acc
#pragma xmp loop (i) on t(i)
#pragma acc parallel loop
    for(int i = 1; i < N-1; i++) w[i] = v[i-1] - 2 * v[i] + v[i+1];
#pragma acc update self(w)
  }
  int second = 0;
#pragma xmp loop (i) on t(i) reduction(+:second)
  for(int i = 1; i < N-1; i++) second += w[i];
  if (sum != N*(N+1)/2 || second != 2 * (N - 2)) result = -1;
#pragma xmp reduction(+:result)
#pragma xmp task on p(1)
  {
    if(result == 0){
      printf("PASS\n");
    }
    else{
      fprintf(stderr, "ERROR\n");
      exit(1);
    }
  }
  return 0;
}
