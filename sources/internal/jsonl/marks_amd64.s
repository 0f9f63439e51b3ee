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

// BITS stores a bit for each of 64 bytes, of which x and y have the upper one.
#define BITS(x, y, at) \
	VPMOVMSKB x, AX     \
	VPMOVMSKB y, BX     \
	SHLQ      $32, BX   \
	ORQ       BX, AX    \
	MOVQ      AX, at(DI)

// func markVectors(b *byte, m *marks, n int)
TEXT ·markVectors(SB), NOSPLIT, $0-24
	MOVQ b+0(FP), SI
	MOVQ m+8(FP), DI
	MOVQ n+16(FP), CX
	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+2(SB), Y2
	VPBROADCASTB bytes<>+3(SB), Y3
	VBROADCASTI128 low<>(SB), Y4
	VBROADCASTI128 high<>(SB), Y5

loop:
	VMOVDQU (SI), Y6
	VMOVDQU 32(SI), Y7

	VPCMPEQB Y0, Y6, Y8
	VPCMPEQB Y0, Y7, Y9
	BITS(Y8, Y9, 0)

	VPCMPEQB Y1, Y6, Y8
	VPCMPEQB Y1, Y7, Y9
	BITS(Y8, Y9, 8)

	VPMINUB  Y2, Y6, Y8
	VPMINUB  Y2, Y7, Y9
	VPCMPEQB Y6, Y8, Y8
	VPCMPEQB Y7, Y9, Y9
	BITS(Y8, Y9, 16)

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
	BITS(Y8, Y9, 24)

	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
