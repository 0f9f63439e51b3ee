#include "textflag.h"

// A byte is one of "\/bfnrt when the bit of its upper half, in high, is among
// the bits of its lower half, in low. Upper halves with none have a bit that is
// nowhere in low.
DATA low<>+0(SB)/8, $0x00040008000d0000 // below: 2 in "br, 4 in t, 6 in f
DATA low<>+8(SB)/8, $0x0104000200000000 //        c in \, e in n, f in /
GLOBL low<>(SB), RODATA|NOPTR, $16
DATA high<>+0(SB)/8, $0x0804028080018080 // 2 in "/, 5 in \, 6 in bfn, 7 in rt
DATA high<>+8(SB)/8, $0x8080808080808080
GLOBL high<>(SB), RODATA|NOPTR, $16
DATA bytes<>+0(SB)/4, $0x0f1f5c22 // a quote, a backslash, the last control character, half a byte
GLOBL bytes<>(SB), RODATA|NOPTR, $4

// BITS puts the upper bits of the 64 bytes in x and y into r.
#define BITS(x, y, r) \
	VPMOVMSKB x, r   \
	VPMOVMSKB y, BX  \
	SHLQ      $32, BX \
	ORQ       BX, r

// ESCAPES is what escapes does, of the backslashes in R8, the escape in R9 and both
// in R10, with uneven in R13: what ended goes to R11 and out of the quotes in AX,
// after to R9. R11 are the first ones before, R12 the runs.
#define ESCAPES \
	MOVQ R9, R11            \
	NOTQ R11                \
	ANDQ R8, R11            \
	LEAQ (R11)(R11*1), R12  \
	ORQ  R13, R12           \
	SUBQ R11, R12           \
	XORQ R13, R12           \
	MOVQ R10, R11           \
	XORQ R12, R11           \
	MOVQ R12, R9            \
	ANDQ R8, R9             \
	SHRQ $63, R9            \
	MOVQ R11, R10           \
	NOTQ R10                \
	ANDQ R10, AX

// func markVectors(b *byte, m *marks, n int, escape uint64) (after, odd uint64)
TEXT ·markVectors(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVQ m+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ escape+24(FP), R9
	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+2(SB), Y2
	VPBROADCASTB bytes<>+3(SB), Y3
	VBROADCASTI128 low<>(SB), Y4
	VBROADCASTI128 high<>(SB), Y5
	MOVQ $0xaaaaaaaaaaaaaaaa, R13
	XORQ R14, R14

loop:
	VMOVDQU (SI), Y6
	VMOVDQU 32(SI), Y7

	VPCMPEQB Y0, Y6, Y8
	VPCMPEQB Y0, Y7, Y9
	BITS(Y8, Y9, AX) // quotes
	VPMINUB  Y2, Y6, Y8
	VPMINUB  Y2, Y7, Y9
	VPCMPEQB Y6, Y8, Y8
	VPCMPEQB Y7, Y9, Y9
	BITS(Y8, Y9, DX) // control characters
	VPCMPEQB Y1, Y6, Y8
	VPCMPEQB Y1, Y7, Y9
	BITS(Y8, Y9, R8) // backslashes

	MOVQ R8, R10
	ORQ  R9, R10
	JZ   store

	ESCAPES

	VPSHUFB  Y6, Y4, Y8
	VPSHUFB  Y7, Y4, Y9
	VPSRLW   $4, Y6, Y6
	VPSRLW   $4, Y7, Y7
	VPAND    Y3, Y6, Y6
	VPAND    Y3, Y7, Y7
	VPSHUFB  Y6, Y5, Y6
	VPSHUFB  Y7, Y5, Y7
	VPAND    Y6, Y8, Y8
	VPAND    Y7, Y9, Y9
	VPCMPEQB Y6, Y8, Y8
	VPCMPEQB Y7, Y9, Y9
	BITS(Y8, Y9, R12) // letters
	NOTQ R12
	ANDQ R11, R12
	ORQ  R12, DX
	ORQ  R12, R14

store:
	MOVQ AX, (DI)
	MOVQ DX, 8(DI)
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	MOVQ R9, after+32(FP)
	MOVQ R14, odd+40(FP)
	RET

// func markWide(b *byte, m *marks, n int, escape uint64) (after, odd uint64)
TEXT ·markWide(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVQ m+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ escape+24(FP), R9
	VPBROADCASTB bytes<>+0(SB), Z0
	VPBROADCASTB bytes<>+1(SB), Z1
	VPBROADCASTB bytes<>+2(SB), Z2
	VPBROADCASTB bytes<>+3(SB), Z3
	VBROADCASTI32X4 low<>(SB), Z4
	VBROADCASTI32X4 high<>(SB), Z5
	MOVQ $0xaaaaaaaaaaaaaaaa, R13
	XORQ R14, R14

loop:
	VMOVDQU64 (SI), Z6
	VPCMPEQB  Z0, Z6, K1
	VPCMPUB   $2, Z2, Z6, K2 // not more than
	VPCMPEQB  Z1, Z6, K3
	KMOVQ     K1, AX // quotes
	KMOVQ     K2, DX // control characters
	KMOVQ     K3, R8 // backslashes

	// In every block: output of tools has backslashes in most, and a branch that is
	// foretold wrongly costs more than what it saves.
	MOVQ R8, R10
	ORQ  R9, R10
	ESCAPES

	VPSHUFB  Z6, Z4, Z7
	VPSRLW   $4, Z6, Z6
	VPANDD   Z3, Z6, Z6
	VPSHUFB  Z6, Z5, Z6
	VPTESTMB Z6, Z7, K1
	KMOVQ    K1, R12 // letters
	NOTQ     R12
	ANDQ     R11, R12
	ORQ      R12, DX
	ORQ      R12, R14

	MOVQ AX, (DI)
	MOVQ DX, 8(DI)
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	MOVQ R9, after+32(FP)
	MOVQ R14, odd+40(FP)
	RET
