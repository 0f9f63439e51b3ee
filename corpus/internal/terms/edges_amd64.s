#include "textflag.h"

// The numbers from 0 to 63.
DATA places<>+0(SB)/8, $0x0706050403020100
DATA places<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA places<>+16(SB)/8, $0x1716151413121110
DATA places<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA places<>+32(SB)/8, $0x2726252423222120
DATA places<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA places<>+48(SB)/8, $0x3736353433323130
DATA places<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL places<>(SB), RODATA|NOPTR, $64
DATA ranges<>+0(SB)/4, $0x1a61200a // ten digits; the bit of small letters, the first of them, and how many
DATA ranges<>+4(SB)/1, $0x30       // the first digit
GLOBL ranges<>(SB), RODATA|NOPTR, $5

// func edgesWide(text *byte, n int, at uint32, open uint64, out *uint32) (found int, after uint64)
TEXT ·edgesWide(SB), NOSPLIT, $64-56
	MOVQ text+0(FP), SI
	MOVQ n+8(FP), CX
	MOVL at+16(FP), BX
	MOVQ open+24(FP), R9
	MOVQ out+32(FP), DI
	VPBROADCASTB ranges<>+0(SB), Z0
	VPBROADCASTB ranges<>+1(SB), Z1
	VPBROADCASTB ranges<>+2(SB), Z2
	VPBROADCASTB ranges<>+3(SB), Z3
	VPBROADCASTB ranges<>+4(SB), Z4
	VMOVDQU64 places<>(SB), Z5
	VPBROADCASTD BX, Z6
	MOVL $64, AX
	VPBROADCASTD AX, Z7
	XORQ R14, R14 // found

loop:
	CMPQ CX, $64
	JLT  rest
	VMOVDQU64 (SI), Z8

block:
	VPSUBB    Z4, Z8, Z9
	VPCMPUB   $1, Z0, Z9, K1 // less than
	VPORQ     Z1, Z8, Z10
	VPSUBB    Z2, Z10, Z10
	VPCMPUB   $1, Z3, Z10, K2
	VPMOVB2M  Z8, K3         // beyond ASCII
	KORQ      K1, K2, K1
	KORQ      K3, K1, K1
	KMOVQ     K1, R8
	LEAQ      (R8)(R8*1), R10
	ORQ       R9, R10
	XORQ      R8, R10 // edges
	MOVQ      R8, R9
	SHRQ      $63, R9
	KMOVQ     R10, K1
	VPCOMPRESSB.Z Z5, K1, Z9
	POPCNTQ   R10, R11
	VMOVDQU64 Z9, scratch-64(SP)
	LEAQ      (DI)(R14*4), R12
	ADDQ      R11, R14

	// Sixteen edges at a time: mostly once or twice.
	LEAQ scratch-64(SP), R13
write:
	VPMOVZXBD (R13), Z10
	VPADDD    Z6, Z10, Z10
	VMOVDQU64 Z10, (R12)
	ADDQ      $16, R13
	ADDQ      $64, R12
	SUBQ      $16, R11
	JGT       write

	VPADDD Z7, Z6, Z6
	ADDQ   $64, SI
	SUBQ   $64, CX
	JGT    loop

	VZEROUPPER
	MOVQ R14, found+40(FP)
	MOVQ R9, after+48(FP)
	RET

rest:
	// Zeros stand for what is behind the last byte.
	MOVQ  $-1, AX
	SHLQ  CX, AX
	NOTQ  AX
	KMOVQ AX, K1
	VMOVDQU8.Z (SI), K1, Z8
	JMP   block
