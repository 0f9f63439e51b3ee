#include "textflag.h"

// func fetchBytes(at **byte, n int)
TEXT ·fetchBytes(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), DI
	MOVQ n+8(FP), CX

loop:
	MOVQ (DI), AX
	PREFETCHT0 (AX)
	ADDQ $8, DI
	DECQ CX
	JNZ  loop
	RET

// func fetchRows(rows unsafe.Pointer, size uintptr, at *uint32, n int)
TEXT ·fetchRows(SB), NOSPLIT, $0-32
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

// func fetchAt(bytes *uint8, at *uint16, n int)
TEXT ·fetchAt(SB), NOSPLIT, $0-24
	MOVQ bytes+0(FP), SI
	MOVQ at+8(FP), DI
	MOVQ n+16(FP), CX

loop:
	MOVWLZX (DI), AX
	PREFETCHT0 (SI)(AX*1)
	ADDQ $2, DI
	DECQ CX
	JNZ  loop
	RET
