#include "textflag.h"

// func fetch(rows unsafe.Pointer, size uintptr, at *uint32, n int)
TEXT ·fetch(SB), NOSPLIT, $0-32
	MOVQ rows+0(FP), SI
	MOVQ size+8(FP), BX
	MOVQ at+16(FP), DI
	MOVQ n+24(FP), CX

loop:
	MOVL  (DI), AX
	IMULQ BX, AX
	PREFETCHT0 (SI)(AX*1)
	ADDQ $4, DI
	DECQ CX
	JNZ  loop
	RET
