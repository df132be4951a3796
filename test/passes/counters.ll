; GEN: where counters go. A diamond gets two counters, not five; a loop with a known trip count gets none inside: the count of
; its backedge is added in front of it.
; RUN: %opt -passes='quincunx<record=counts>' -S %s | FileCheck %s
; RUN: %opt -passes='quincunx' -verify-each -disable-output %s
; RUN: not %opt -passes='quincunx<record=bogus>' -disable-output %s 2>&1 | FileCheck --check-prefix=BAD %s
; BAD: quincunx: unknown record tier 'bogus'; known: counts, calls, runs, predictor, strands, blocks
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: @__quincunx_counters_diamond.{{.*}} = internal global [2 x i64] zeroinitializer, no_sanitize_address, no_sanitize_hwaddress, align 8 #[[BSS:[0-9]+]]
; CHECK-DAG: @__quincunx_map_diamond.{{.*}} section "__qx_map"
; CHECK-DAG: @__quincunx_counters_known.{{.*}} = internal global [3 x i64] zeroinitializer
; CHECK-DAG: @__quincunx_counters_shared.{{.*}} = linkonce_odr hidden global [1 x i64] zeroinitializer, no_sanitize_address, no_sanitize_hwaddress, comdat

define i32 @diamond(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %end
b:
  br label %end
end:
  %r = phi i32 [ 1, %a ], [ 2, %b ]
  ret i32 %r
}

; CHECK-LABEL: define i32 @known(
; CHECK: add i64
; CHECK: loop:
; CHECK-NOT: store i64
; CHECK: end:
define i32 @known(ptr %p, i32 %n) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %next, %loop ]
  %s = phi i32 [ 0, %before ], [ %sum, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %sum = add i32 %s, %v
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %sum, %loop ]
  ret i32 %r
}

$shared = comdat any
define linkonce_odr i32 @shared() comdat {
  ret i32 3
}

; Promises not to write memory are taken back.
; CHECK: define i32 @silent() {{.*}}#[[ATTRIBUTES:[0-9]+]]
; CHECK-NOT: attributes #[[ATTRIBUTES]] = {{.*}}memory(none)
define i32 @silent() memory(none) speculatable nounwind {
  ret i32 1
}
; CHECK: attributes #[[BSS]] = { "bss-section"="__qx_cnts" }
