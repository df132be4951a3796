; Where the compiler has no assembler for a target, inline assembly counts by lines and semicolons: no comments, labels and
; directives, and nothing where there is nothing.
; RUN: %printer -passes='print<quincunx>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
target triple = "shave-unknown-unknown-elf"

; CHECK: Printing analysis 'quincunx' for function 'three':
; CHECK: 1 3 0 0 3 100.0 % code {{.*}}
define void @three() {
  call void asm sideeffect "first a:b; second // no; more\0A again: .align 4\0A# none\0A 1: two: third", ""()
  ret void
}

; CHECK: Printing analysis 'quincunx' for function 'none':
; CHECK: 1 0 0 0 3 0.0 % one call
define void @none() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}
