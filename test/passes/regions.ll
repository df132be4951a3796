; print<quincunx>: the tree of regions of every construct, as the compiler guesses it. The figures are those of quincunx model,
; and the module stays as it is.
; RUN: %printer -passes='print<quincunx>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
; RUN: %printer -passes='print<quincunx>' -S %s -o %t.printed.ll 2>/dev/null
; RUN: %printer -passes='verify' -S %s -o %t.plain.ll
; RUN: cmp %t.printed.ll %t.plain.ll
; RUN: figures() { awk '/each time/ { on = 1; next } !/^ *[0-9]/ { on = 0 } on { print $1, $2, $3, $4, $5 }'; }
; RUN: %clang -O0 -c %s -o %t.o
; RUN: %printer -passes='print<quincunx>' -disable-output %s 2>&1 | figures >%t.printed
; RUN: for f in sequence branch counted data nested irreducible breaks twice starts teams body outlined recursive caller; do \
; RUN:   %quincunx model --function "^$f\$" %t.o | figures; done >%t.modelled
; RUN: test $(wc -l <%t.printed) -gt 40
; RUN: diff %t.printed %t.modelled
; RUN: not %printer -passes='print<quincunx;bogus>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BOGUS
; RUN: not %printer -passes='print<quincunx;use=>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: not %printer -passes='print<quincunxes>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NAME
; BOGUS: quincunx: unknown option 'bogus'; known: use=FILE
; EMPTY: quincunx: unknown option 'use='; known: use=FILE
; NAME-NOT: quincunx: unknown option
; NAME: unknown pass name 'print<quincunxes>'
target triple = "x86_64-pc-linux-gnu"

declare void @outside()
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)

; Blocks that follow each other are one line; so is one without a name, by its number.
; CHECK:      Printing analysis 'quincunx' for function 'sequence':
; CHECK-NEXT: guessed, in cost units (machine x86-64); branches and trips as the compiler guesses
; CHECK-NEXT: per call mean sd skewness kurtosis share each time
; CHECK-NEXT: 1 2 0 0 3 100.0 % one call
; CHECK-NEXT: 1 2 0 0 3 100.0 % code %0
define i32 @sequence(i32 %x) {
  %a = add i32 %x, 1
  br label %next
next:
  %b = xor i32 %a, 3
  ret i32 %b
}

; A quarter goes the way of %rare.
; CHECK:      Printing analysis 'quincunx' for function 'branch':
; CHECK:      1 {{.*}} % one call
; CHECK-NEXT: 1 {{.*}} % code %entry
; CHECK-NEXT: 1 {{.*}} % branch %entry
; CHECK-NEXT: 0.25 4 0 0 3 {{.*}} % true %rare 25.0 %
; CHECK-NEXT: 0.75 0 0 0 3 0.0 % false 75.0 %
define i32 @branch(i32 %x, i32 %y) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %rare, label %end, !prof !0
rare:
  %d = udiv i32 %y, 7
  br label %end
end:
  %r = phi i32 [ %d, %rare ], [ %x, %entry ]
  ret i32 %r
}

; Of a constant number of trips nothing varies.
; CHECK:      Printing analysis 'quincunx' for function 'counted':
; CHECK:      1 [[COST:[0-9]+]] 0 0 3 100.0 % one call
; CHECK-NEXT: 1 {{[0-9]+}} 0 0 3 {{.*}} % loop %body, 9 trips
; CHECK-NEXT: 10 {{[0-9]+}} 0 0 3 {{.*}} % code %body
; CHECK-NOT:  {{.*}}trips, of which{{.*}}
define i32 @counted() {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %body, label %end
end:
  ret i32 %next
}

; Trips that hang on an argument: as often as the compiler guesses, which is said.
; CHECK:      Printing analysis 'quincunx' for function 'data':
; CHECK:      1 {{.*}} % loop %body, 31 trips
; CHECK-NEXT: 32 {{.*}} % code %body
; CHECK:      note: loop %body has {{.*}} trips, of which is not known here: n
define i32 @data(i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret i32 %next
}

; CHECK:      Printing analysis 'quincunx' for function 'nested':
; CHECK:      1 {{.*}} % loop %outer, 4 trips
; CHECK-NEXT: 5 {{.*}} % code %outer
; CHECK-NEXT: 5 {{.*}} % loop %inner, 9 trips
; CHECK-NEXT: 50 {{.*}} % code %inner
; CHECK-NEXT: 5 {{.*}} % code %latch
define i32 @nested() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %k = mul i32 %i, 3
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %j1 = add nuw nsw i32 %j, 1
  %on = icmp ult i32 %j1, 10
  br i1 %on, label %inner, label %latch
latch:
  %i1 = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i1, 5
  br i1 %again, label %outer, label %end
end:
  ret i32 %k
}

; A cycle with two entries is no loop: what is left when all else is reduced.
; CHECK:      Printing analysis 'quincunx' for function 'irreducible':
; CHECK:      1 {{.*}} % flow %entry
; CHECK-NEXT: {{[0-9.]+}} {{.*}} % code %a
; CHECK-NEXT: {{[0-9.]+}} {{.*}} % code %b
define i32 @irreducible(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ %n, %entry ], [ %z, %b ]
  %y = sub i32 %x, 3
  br label %b
b:
  %w = phi i32 [ %n, %entry ], [ %y, %a ]
  %z = udiv i32 %w, 2
  %more = icmp ugt i32 %z, 7
  br i1 %more, label %a, label %end
end:
  ret i32 %z
}

; A break: a loop with two ways out.
; CHECK:      Printing analysis 'quincunx' for function 'breaks':
; CHECK:      1 {{.*}} % loop %head, {{[0-9.]+}} trips, several ways out
; CHECK-NEXT: {{[0-9.]+}} {{.*}} % code %head
; CHECK-NEXT: {{[0-9.]+}} {{.*}} % code %found
; CHECK-NEXT: {{[0-9.]+}} {{.*}} % code %latch
define i32 @breaks(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %found, label %latch, !prof !0
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end
found:
  %d = udiv i32 %i, 3
  ret i32 %d
end:
  ret i32 %n
}

; Calls by name, with all they cost; others cost what the call does.
; CHECK:      Printing analysis 'quincunx' for function 'twice':
; CHECK:      1 {{.*}} % code %entry
; CHECK-NEXT: 1 [[COST]] 0 0 3 {{.*}} % call counted
; CHECK-NEXT: 1 [[COST]] 0 0 3 {{.*}} % call counted
; CHECK-NOT:  {{.*}}outside{{.*}}
define i32 @twice() {
entry:
  %a = call i32 @counted()
  %b = call i32 @counted()
  call void @outside()
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK:      Printing analysis 'quincunx' for function 'starts':
; CHECK:      1 {{.*}} % code %entry
; CHECK-NEXT: 1 1 0 0 3 fork body
define void @starts(ptr %t) {
entry:
  %a = call i32 @pthread_create(ptr %t, ptr null, ptr @body, ptr null)
  ret void
}

; CHECK:      Printing analysis 'quincunx' for function 'teams':
; CHECK:      1 {{[0-9]+}} {{.*}} fork outlined
define void @teams() {
entry:
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 0, ptr @outlined)
  ret void
}

; CHECK:      Printing analysis 'quincunx' for function 'body':
define ptr @body(ptr %p) {
entry:
  %v = load i32, ptr @shared
  ret ptr %p
}
@shared = global i32 0

; CHECK:      Printing analysis 'quincunx' for function 'outlined':
define internal void @outlined(ptr %id, ptr %bound) {
entry:
  store i32 1, ptr @shared
  ret void
}

; Three times in four it calls itself, and that call costs as much as this one.
; CHECK:      Printing analysis 'quincunx' for function 'recursive':
; CHECK:      1 [[ALL:[0-9.]+]] {{.*}} 100.0 % one call
; CHECK:      0.75 [[ALL]] {{.*}} 75.0 % call recursive
define i32 @recursive(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %end, label %down, !prof !0
down:
  %y = sub i32 %x, 1
  %r = call i32 @recursive(i32 %y)
  %s = add i32 %r, 1
  br label %end
end:
  %z = phi i32 [ 1, %entry ], [ %s, %down ]
  ret i32 %z
}

; CHECK:      Printing analysis 'quincunx' for function 'forever':
; CHECK-NEXT: no figures: it calls itself at least once more on average, so that no mean exists
define void @forever() {
entry:
  call void @forever()
  call void @forever()
  ret void
}

; CHECK:      Printing analysis 'quincunx' for function 'server':
; CHECK-NEXT: no figures: it never ends by these guesses
define void @server() {
entry:
  br label %loop
loop:
  call void @outside()
  br label %loop
}

; CHECK:      Printing analysis 'quincunx' for function 'caller':
; CHECK:      note: forever costs nothing here, as it calls itself again for ever
; CHECK-NEXT: note: server costs nothing here, as it never ends by these guesses
define void @caller() {
entry:
  call void @forever()
  call void @server()
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 3}
