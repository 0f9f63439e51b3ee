#include "textflag.h"

// FAMILIES puts the families of 64 bytes from SI+AX on, which are of the places from
// Z8 to Z11, into Z8, and a bit for each byte with one into K1.
#define FAMILIES \
	VPERMI2B   Z1, Z0, Z8         \
	VPERMI2B   Z3, Z2, Z9         \
	VPERMI2B   Z5, Z4, Z10        \
	VPERMI2B   Z7, Z6, Z11        \
	VPANDQ     Z9, Z8, Z8         \
	VPTERNLOGQ $0x80, Z11, Z10, Z8 \
	VPTESTMB   Z8, Z8, K1         \
	KMOVQ      K1, DX

// func scan(s *byte, n int, f *families) int
TEXT ·scan(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ f+16(FP), BX
	VMOVDQU64 (BX), Z0
	VMOVDQU64 64(BX), Z1
	VMOVDQU64 128(BX), Z2
	VMOVDQU64 192(BX), Z3
	VMOVDQU64 256(BX), Z4
	VMOVDQU64 320(BX), Z5
	VMOVDQU64 384(BX), Z6
	VMOVDQU64 448(BX), Z7
	XORQ AX, AX

loop:
	SUBQ $64, CX
	JLT  rest
	VMOVDQU64 (SI)(AX*1), Z8
	VMOVDQU64 1(SI)(AX*1), Z9
	VMOVDQU64 2(SI)(AX*1), Z10
	VMOVDQU64 3(SI)(AX*1), Z11
	FAMILIES
	TESTQ DX, DX
	JNE   found
	ADDQ  $64, AX
	JMP   loop

rest:
	// The last places, fewer than 64: what is behind them is not read.
	ADDQ  $64, CX
	JEQ   done
	MOVQ  $-1, DX
	SHLQ  CX, DX
	NOTQ  DX
	KMOVQ DX, K2
	VMOVDQU8.Z (SI)(AX*1), K2, Z8
	VMOVDQU8.Z 1(SI)(AX*1), K2, Z9
	VMOVDQU8.Z 2(SI)(AX*1), K2, Z10
	VMOVDQU8.Z 3(SI)(AX*1), K2, Z11
	FAMILIES
	KMOVQ K2, R8
	ANDQ  R8, DX
	JNE   found
	ADDQ  CX, AX
	JMP   done

found:
	BSFQ DX, DX
	ADDQ DX, AX

done:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
