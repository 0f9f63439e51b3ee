#include "textflag.h"

// LOOKUP puts into y what the 256 bytes t0 to t3 hold at the bytes x; z and k are
// written on.
#define LOOKUP(x, t0, t1, t2, t3, y, z, k) \
	VMOVDQA64 x, y            \
	VMOVDQA64 x, z            \
	VPERMI2B  t1, t0, y       \
	VPERMI2B  t3, t2, z       \
	VPMOVB2M  x, k            \
	VMOVDQU8  z, k, y

DATA roughs<>+0(SB)/4, $0x00fe7f3f // the last count, the last distance, the largest sum
GLOBL roughs<>(SB), RODATA|NOPTR, $4

// func occurWide(x *[4096]uint8, has *[64]uint64, counts *uint8, codes *[4096]uint8, norms *RoughNorms, tools *[64]uint64, t *stepTable, more bool)
TEXT ·occurWide(SB), NOSPLIT, $0-57
	MOVQ x+0(FP), DI
	MOVQ has+8(FP), R8
	MOVQ counts+16(FP), R9
	MOVQ codes+24(FP), SI
	MOVQ norms+32(FP), R10
	MOVQ tools+40(FP), R11
	MOVQ t+48(FP), R12
	MOVBLZX more+56(FP), DX
	VMOVDQU64 (R10), Z16
	VMOVDQU64 64(R10), Z17
	VMOVDQU64 128(R10), Z18
	VMOVDQU64 192(R10), Z19
	VPBROADCASTB 256(R10), Z20
	VMOVDQU64 (R12), Z21
	VMOVDQU64 64(R12), Z22
	VMOVDQU64 128(R12), Z23
	VPBROADCASTB roughs<>+0(SB), Z24
	VPBROADCASTB roughs<>+1(SB), Z25
	XORQ CX, CX

occurs:
	MOVQ (R8)(CX*8), AX
	KMOVQ AX, K1
	MOVQ (R11)(CX*8), BX
	KMOVQ BX, K2
	POPCNTQ AX, AX
	VMOVDQU64 (R9), Z0
	ADDQ AX, R9
	VPEXPANDB.Z Z0, K1, Z0
	VPMINUB Z24, Z0, Z0
	VPERMB Z21, Z0, Z0
	VMOVDQU64 (SI), Z1
	LOOKUP(Z1, Z16, Z17, Z18, Z19, Z2, Z3, K3)
	VPADDUSB Z20, Z2, K2, Z2
	VPADDUSB.Z Z0, Z2, K1, Z2
	TESTQ DX, DX
	JZ   alone
	VMOVDQU64 (DI), Z4
	VPTESTMB Z4, Z4, K1, K4
	VPSUBUSB Z4, Z2, Z5
	VPSUBUSB Z2, Z4, Z6
	VPORQ Z5, Z6, Z5
	VPMINUB Z25, Z5, Z5
	VPERMI2B Z23, Z22, Z5
	VPMAXUB Z4, Z2, Z2
	VPADDUSB Z5, Z2, K4, Z2

alone:
	VMOVDQU64 Z2, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	INCQ CX
	CMPQ CX, $64
	JNE  occurs
	VZEROUPPER
	RET

// func foldWide(sum, words, x *[4096]uint8, scores *RoughScores, word uint8, more bool)
TEXT ·foldWide(SB), NOSPLIT, $0-34
	MOVQ sum+0(FP), DI
	MOVQ words+8(FP), R8
	MOVQ x+16(FP), SI
	MOVQ scores+24(FP), R10
	VPBROADCASTB word+32(FP), Z20
	MOVBLZX more+33(FP), DX
	VMOVDQU64 (R10), Z16
	VMOVDQU64 64(R10), Z17
	VMOVDQU64 128(R10), Z18
	VMOVDQU64 192(R10), Z19
	MOVQ $64, CX

folds:
	VMOVDQU64 (SI), Z1
	VPTESTMB Z1, Z1, K1
	LOOKUP(Z1, Z16, Z17, Z18, Z19, Z2, Z3, K3)
	VMOVDQU8.Z Z20, K1, Z4
	VMOVDQU8.Z Z2, K1, Z2
	TESTQ DX, DX
	JZ   first
	VPADDUSB (DI), Z2, Z2
	VPORQ (R8), Z4, Z4

first:
	VMOVDQU64 Z2, (DI)
	VMOVDQU64 Z4, (R8)
	ADDQ $64, SI
	ADDQ $64, DI
	ADDQ $64, R8
	DECQ CX
	JNZ  folds
	VZEROUPPER
	RET

// func overWide(sum, words *[4096]uint8, least *[64]uint8, want *[64]uint64)
TEXT ·overWide(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), SI
	MOVQ words+8(FP), R8
	MOVQ least+16(FP), R9
	MOVQ want+24(FP), DI
	VMOVDQU64 (R9), Z16
	VPBROADCASTB roughs<>+2(SB), Z17
	MOVQ $64, CX

overs:
	VPMINUB (SI), Z17, Z0
	VMOVDQU64 (R8), Z1
	VPERMB Z16, Z1, Z1
	VPCMPUB $5, Z1, Z0, K1
	KMOVQ K1, AX
	ANDQ AX, (DI)
	ADDQ $64, SI
	ADDQ $64, R8
	ADDQ $8, DI
	DECQ CX
	JNZ  overs
	VZEROUPPER
	RET
