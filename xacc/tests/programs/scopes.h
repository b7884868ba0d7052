#define N (24)
#define NODES *
#define T 0:N-1
