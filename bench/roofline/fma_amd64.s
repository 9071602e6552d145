#include "textflag.h"

// Twelve accumulators: two units of latency four need eight multiply-adds in flight.
// All registers hold zeros, so that no value is slow.

#define CLEAR(X) VPXOR X, X, X

#define CLEAR12(A, B, C, D, E, F, G, H, I, J, K, L) \
	CLEAR(A); CLEAR(B); CLEAR(C); CLEAR(D); CLEAR(E); CLEAR(F); \
	CLEAR(G); CLEAR(H); CLEAR(I); CLEAR(J); CLEAR(K); CLEAR(L)

#define FMA12(X, A, B, C, D, E, F, G, H, I, J, K, L) \
	VFMADD231PS X, X, A; VFMADD231PS X, X, B; VFMADD231PS X, X, C; \
	VFMADD231PS X, X, D; VFMADD231PS X, X, E; VFMADD231PS X, X, F; \
	VFMADD231PS X, X, G; VFMADD231PS X, X, H; VFMADD231PS X, X, I; \
	VFMADD231PS X, X, J; VFMADD231PS X, X, K; VFMADD231PS X, X, L

// func fmaAVX2(rounds int)
TEXT ·fmaAVX2(SB), NOSPLIT, $0-8
	MOVQ rounds+0(FP), CX
	CLEAR12(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	CLEAR(Y12)
loop:
	FMA12(Y12, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func fmaAVX512(rounds int)
TEXT ·fmaAVX512(SB), NOSPLIT, $0-8
	MOVQ rounds+0(FP), CX
	CLEAR12(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	CLEAR(Y12)
loop:
	FMA12(Z12, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
