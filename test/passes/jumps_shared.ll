; Jumps whose edges cannot be split: two indirect ones to the same blocks; and asm goto, whose edges can.
; RUN: %opt -passes='quincunx<record=counts;blocks>' -verify-each %s -o %t.bc
; RUN: for o in 0 2; do %clang -O$o -Wno-override-module %t.bc -o %t && record %t && judged %t --exact && grep -q '^45 30$' %t.out || exit 1; done
; RUN: %quincunx corpus dump %t.qx > %t.dump; for f in indirect assembled; do grep -q "^function.*$f" %t.dump || exit 1; done
target triple = "x86_64-pc-linux-gnu"
@where = private constant [3 x ptr] [ptr blockaddress(@indirect, %one), ptr blockaddress(@indirect, %two), ptr blockaddress(@indirect, %three)]
@format = private constant [7 x i8] c"%d %d\0A\00"

define i32 @indirect(i32 %n) noinline {
entry:
  %third = urem i32 %n, 3
  %slot = getelementptr [3 x ptr], ptr @where, i32 0, i32 %third
  %to = load ptr, ptr %slot
  %odd = trunc i32 %n to i1
  br i1 %odd, label %a, label %b
a:
  indirectbr ptr %to, [label %one, label %two, label %three]
b:
  indirectbr ptr %to, [label %one, label %two, label %three]
one:
  %r = phi i32 [ 1, %a ], [ 2, %b ]
  ret i32 %r
two:
  ret i32 1
three:
  ret i32 2
}

define i32 @assembled(i32 %n) noinline {
entry:
  %odd = trunc i32 %n to i1
  br i1 %odd, label %a, label %b
a:
  callbr void asm sideeffect "testb $$2, ${0:b}\0Ajne ${1:l}\0Atestb $$4, ${0:b}\0Ajne ${2:l}", "r,!i,!i,~{flags}"(i32 %n) to label %none [label %first, label %second]
b:
  callbr void asm sideeffect "testb $$4, ${0:b}\0Ajne ${1:l}\0Atestb $$8, ${0:b}\0Ajne ${2:l}", "r,!i,!i,~{flags}"(i32 %n) to label %none [label %first, label %second]
none:
  ret i32 0
first:
  ret i32 1
second:
  ret i32 2
}

declare i32 @printf(ptr, ...)

define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s2, %loop ]
  %t = phi i32 [ 0, %entry ], [ %t2, %loop ]
  %f = call i32 @indirect(i32 %i)
  %g = call i32 @assembled(i32 %i)
  %s2 = add i32 %s, %f
  %t2 = add i32 %t, %g
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 30
  br i1 %more, label %loop, label %end
end:
  call i32 (ptr, ...) @printf(ptr @format, i32 %s2, i32 %t2)
  ret i32 0
}
