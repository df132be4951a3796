// Marks are checked where they are written; what is known of a whole function only later, at the function.
// RUN: %clangxx -std=c++20 -O1 -c %s -o %t.o 2>%t.err; FileCheck %s <%t.err
// RUN: not %clangxx -std=c++20 -O1 -DWRONG -c %s -o %t.o 2>%t.err; FileCheck --check-prefix=WRONG %s <%t.err
// RUN: %plainclangxx -std=c++20 -Wall -Werror -Wno-unknown-attributes -Wno-unused -I%S/../../include -fsyntax-only %s
#include <coroutine>
#include <quincunx/quincunx.h>

// CHECK: [[@LINE+2]]:3: warning: '{{(quincunx::)?}}request' attribute only applies to functions
// CHECK: {{^ *}}[[@LINE+1]] | [{{\[}}quincunx::request]] int variable;
[[quincunx::request]] int variable;
// CHECK: [[@LINE+1]]:24: warning: a function that is not counted cannot be a quincunx request; 'quincunx::request' is ignored
[[quincunx::ignore]] [[quincunx::request]] void both() {}
// CHECK: [[@LINE+1]]:25: warning: a function that is not counted cannot be a quincunx request; 'quincunx::request' is ignored
[[quincunx::request]] [[quincunx::ignore]] void alsoBoth() {}
#ifdef WRONG
// WRONG: [[@LINE+1]]:3: error: '{{(quincunx::)?}}request' attribute takes no arguments
[[quincunx::request(1)]] void argument() {}
#endif

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
// CHECK-DAG: [[@LINE+1]]:{{.*}}warning:{{.*}}a naked function cannot be a quincunx request; the mark is ignored
QUINCUNX_REQUEST __attribute__((naked)) void naked() { __asm__("ret"); }
// CHECK-DAG: [[@LINE+1]]:{{.*}}warning:{{.*}}a function that is not counted cannot be a quincunx request; the mark is ignored
QUINCUNX_REQUEST QUINCUNX_IGNORE void macros() {}
// CHECK-DAG: [[@LINE+1]]:{{.*}}warning:{{.*}}a coroutine cannot be a quincunx request
[[quincunx::request]] Task coroutine() { co_return; }
