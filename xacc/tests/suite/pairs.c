// ranks: 3 4
// Random pairs that are counted: a template that begins at 1 without an array, helpers, break inside, an include in a function, no return.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define	NN	48
#define	NQ	10
#define max(a, b) ((a) > (b) ? (a) : (b))
typedef int boolean;
static double q[NQ], x[2*64+1];
static unsigned long long state;
#pragma xmp nodes p(*)
#pragma xmp template t(NN)
#pragma xmp distribute t(block) onto p
double MPI_Wtime();
static double next(void) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}
static void fill(int n, double y[]) {
    int i;
    for (i = 1; i <= n; i++) y[i] = next();
}
int main(void) {
    double sx = 0.0, sy = 0.0, gc, x1, x2, t1, t2, began = MPI_Wtime(), dum[3+1] = { 0.0, 1.0, 1.0, 1.0 };
    int np = NN, i, ik, k, kk, l, k_offset = -1;
    boolean verified = 0;
    for (i = 0; i <= NQ - 1; i++) q[i] = 0.0;
#pragma xmp loop on t(k)
    for (k = 1; k <= np; k++) {
	kk = k_offset + k;
	state = 271828183ull;
	for (i = 1; i <= 100; i++) {
            ik = kk / 2;
            if (2 * ik != kk) state += 1220703125ull * i;
            if (ik == 0) break;
            kk = ik;
	}
	fill(2 * 64, x);
	for ( i = 1; i <= 64; i++) {
            x1 = 2.0 * x[2*i-1] - 1.0;
            x2 = 2.0 * x[2*i] - 1.0;
            t1 = x1 * x1 + x2 * x2;
            if (t1 <= 1.0) {
		t2 = sqrt(-2.0 * log(t1) / t1);
		l = max(fabs(x1 * t2), fabs(x2 * t2));
		q[l] += 1.0;
		sx = sx + x1 * t2;
		sy = sy + x2 * t2;
            }
	}
    }
#pragma xmp reduction(+:sx, sy)
#pragma xmp reduction(+:q)
    for (gc = 0.0, i = 0; i <= NQ-1; i++) gc = gc + q[i];
    double ax = 0, ay = 0, ac = 0;
    for (k = 0; k < NN; k++) {
	state = 271828183ull;
	for (i = 1, kk = k; ; kk = ik, i++) {
            ik = kk / 2;
            if (2 * ik != kk) state += 1220703125ull * i;
            if (ik == 0) break;
	}
	fill(2 * 64, x);
	for ( i = 1; i <= 64; i++) {
            x1 = 2.0 * x[2*i-1] - 1.0, x2 = 2.0 * x[2*i] - 1.0, t1 = x1 * x1 + x2 * x2;
            if (t1 > 1.0) continue;
            t2 = sqrt(-2.0 * log(t1) / t1), ax += x1 * t2, ay += x2 * t2, ac++;
	}
    }
    verified = fabs(sx - ax) < 1e-10 && fabs(sy - ay) < 1e-10 && gc == ac && MPI_Wtime() >= began && dum[3] == 1.0;
#pragma xmp reduction(&&:verified)
#include <limits.h>
#pragma xmp task on p(1)
    printf("%s %f %f\n", verified ? "PASS" : "ERROR", sx, ax);
}
