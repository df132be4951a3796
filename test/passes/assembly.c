// GEN: inline assembly counts what it holds: repetitions and macros expanded, operands of all forms and dialects, prefixes,
// other sections; nothing for a barrier. The disassembler is asked whether it is so.
// RUN: %clang -O1 -g %s -o %t && record %t
// RUN: %plainclang -O1 -c %s -o %t.o
// RUN: %S/../judges/assembly.py --quincunx %quincunx --objdump llvm-objdump-%{llvm} %t.qx %t.o
// RUN: %clang -O0 %s -o %t && record %t && %plainclang -O0 -c %s -o %t.o
// RUN: %S/../judges/assembly.py --quincunx %quincunx --objdump llvm-objdump-%{llvm} %t.qx %t.o
// RUN: %clang -O2 -masm=intel -DINTEL %s -o %t && record %t && %plainclang -O2 -masm=intel -DINTEL -c %s -o %t.o
// RUN: %S/../judges/assembly.py --quincunx %quincunx --objdump llvm-objdump-%{llvm} %t.qx %t.o
// RUN: %quincunx corpus dump %t.qx >%t.dump && not grep -P '^assembly\t.*estimated' %t.dump
#define PAIR(name, before, text, after, ...)                                                                        \
  __attribute__((noinline, used)) void name(long *p) {                                                              \
    before;                                                                                                         \
    __asm__ volatile("begin_" #name ":\n\t" text "\nend_" #name ":" __VA_ARGS__);                                   \
    after;                                                                                                          \
  }                                                                                                                 \
  __attribute__((noinline, used)) void without_##name(long *p) {                                                    \
    before;                                                                                                         \
    __asm__ volatile("" __VA_ARGS__);                                                                               \
    after;                                                                                                          \
  }
#define NOTHING (void)0
typedef float v4 __attribute__((vector_size(16)));
void target(void) {}

PAIR(barrier, NOTHING, "", NOTHING, ::: "memory")
PAIR(thousand, NOTHING, ".rept 1000\n\tnop\n\t.endr", NOTHING, : : )
PAIR(nested, NOTHING, ".rept 3\n.irp r,1,2\nnop\n.endr\nnop\n.endr\n.irpc c,abc\nnop\n.endr", NOTHING, : : )
PAIR(dialects, int x, "mov{l %1, %0| %0, %1}; {notl %0|not %0\n\tnot %0}", *p = x, : "=r"(x) : "r"((int)*p))
PAIR(directives, NOTHING, ".if 1\n nop\n.else\n nop\n nop\n.endif\n.p2align 0\n.ifdef none\nnop\n.endif", NOTHING, : : )
PAIR(frames, NOTHING, "nop\n.cfi_remember_state\nnop\n.cfi_restore_state", NOTHING, : : )
PAIR(elsewhere, NOTHING,
     "1: nop\n.pushsection .slow.text,\"ax\",@progbits\n2: nop\n nop\n jmp elsewhere\n.popsection\n nop\n"
     ".pushsection .data\n.quad 1b\n.popsection", NOTHING, : : )
PAIR(prefixes, NOTHING, "rep; nop\n\trep; stosb\n\trep stosq\n lock; {orl $0,(%%rsp)|or dword ptr [rsp], 0}", NOTHING, : "+D"(p) : "c"(0L), "a"(0L) : "memory")
PAIR(flags, _Bool c, "bt %1, %1", *p = c, : "=@ccc"(c) : "r"(*p))
PAIR(unique, NOTHING, ".Lmine_%=: cmp %0, %0; jne .Lmine_%=", NOTHING, : : "r"(*p) : "cc")
PAIR(forward, NOTHING, "test %0, %0; jz 1f; nop; 1: nop", NOTHING, : : "r"(*p) : "cc")
PAIR(system, long r, "syscall", *p = r, : "=a"(r) : "0"(39L) : "rcx", "r11", "memory")
#ifndef INTEL
__asm__(".macro of_the_file n\n.rept \\n\nnop\n.endr\n.endm");
PAIR(macros, NOTHING,
     ".macro twice_%= a\n incl \\a\n incl \\a\n.endm\n twice_%= %k0\n of_the_file 5\n twice_%= %k0\n.purgem twice_%=", NOTHING,
     : "+r"(*p))
PAIR(comments, NOTHING, "# nothing; here\n\tnop /* a; b\n c */ ; nop # end\n // nop\n nop", NOTHING, : : )
PAIR(sizes, long x, "movw %w1, %w0; movb %b1, %b0\n\tmovq %q1, %q0\nmovl %k1, %k0;movb %h1, %b0", *p = x, : "=&Q"(x) : "Q"(*p))
PAIR(memory, NOTHING, "addl $1, %0\n\tmovl $0, %0\n movq %H0, %%rax; lock xaddq %%rax, %0", NOTHING, : "+m"(*p) : : "rax")
PAIR(constants, NOTHING, "addl %1, %k0; addl $%c2, %k0; subl $%n1, %k0; movb $'a', %b0; addl $(1+%c1), %k0", NOTHING,
     : "+r"(*p) : "i"(5), "n"(7))
PAIR(general, NOTHING, "movq %1, %%rax; movq %2, %%rcx; movq %%rax, %0; addq %3, %0", NOTHING, : "+m"(*p) : "g"(p), "ri"(7L), "er"(9L) : "rax", "rcx")
PAIR(alternatives, int x, "movl %1, %0", *p = x, : "=r,m"(x) : "m,r"((int)*p))
PAIR(addresses, NOTHING, "movq %%fs:0, %0; leaq %a1, %%rax; leaq %a2, %%rax; leaq %3, %%rax", NOTHING, : "=r"(*p) : "r"(p), "i"(target), "p"(p) : "rax")
PAIR(calls, NOTHING, "call %P0; call *%1; call %c0; jmp %A1", NOTHING, : : "i"(target), "r"(p))
PAIR(named, register long r __asm__("r10") = *p, "addl %k0, %k0; movb %b0, %%al; addq %0, %1", *p = r, : "+r"(r) : "S"(p) : "rax")
PAIR(tied, long q; long r, "divq %4; imulq %4, %0; mulq %4", *p = q + r, : "=a"(q), "=d"(r) : "0"(*p), "1"(0L), "rm"(3L))
PAIR(stack, long double x = *p, "fsqrt; fadd %%st(0), %%st; fld %%st; fstp %%st(1)", *p = (long)x, : "+t"(x))
PAIR(vectors, v4 x = {}, "addps %1, %0; mulss %1, %0; movaps %0, %%xmm3; vaddps %t0, %t0, %t0; pxor %x1, %0", *(v4 *)p = x,
     : "+x"(x) : "x"(x))
PAIR(masks, v4 x = {}, "kmovw %k1, %%k2; vaddps %0, %0, %0 %{%%k2%}%{z%}", *(v4 *)p = x, : "+x"(x) : "r"(*p))
PAIR(intel, NOTHING, ".intel_syntax noprefix\n mov eax, 1\n add eax, dword ptr [rcx]\n.att_syntax", NOTHING, : : : "eax")
__attribute__((noinline, used)) void jumps(long *p) {
  __asm__ goto("begin_jumps: cmpq $1, %0; je %l[there]; jmp %l2\nend_jumps:" ::"r"(*p), "i"(4) : : there, here);
  *p = 1;
here:
  *p += 2;
there:
  *p += 9;
}
__attribute__((noinline, used)) void without_jumps(long *p) {
  __asm__ goto("" ::"r"(*p), "i"(4) : : there, here);
  *p = 1;
here:
  *p += 2;
there:
  *p += 9;
}
#endif
int main(void) { return 0; }
