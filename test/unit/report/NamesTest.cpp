// Names that the runtime may demangle.
#include "quincunx/report/Names.h"

#include <gtest/gtest.h>

using namespace quincunx;

/// A function of a pair of pairs of pairs and so on: each twice as long as the one before.
std::string pairs(int levels) {
  std::string name = "_Z1f1a1pIS_S_E";
  for (int i = 1; i <= levels; ++i) {
    const std::string last = "S" + std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]) + "_";
    name += "S0_I" + last + last + "E";
  }
  return name;
}

TEST(Names, DemanglesWhatCannotBeTooLong) {
  EXPECT_EQ(demangle("_ZNSt6vectorIiSaIiEE9push_backEOi"),
            "std::vector<int, std::allocator<int> >::push_back(int&&)");
  EXPECT_EQ(demangle("a.c:_Z1fi"), "a.c:f(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle(pairs(1)), "f(a, p<a, a>, p<p<a, a>, p<a, a> >)");
  EXPECT_EQ(demangle(pairs(34)), "f");  // hundreds of gigabytes
  std::string argument = "_Z1fI1aEvT_"; // of T_, likewise
  for (int i = 0; i < 60; ++i)
    argument += "1pIT_T_E";
  EXPECT_EQ(demangle(argument), "f<...>");
}

// What is written once for each member of a pack: a task that takes any arguments.
TEST(Names, DemanglesPatternsOfShortPacks) {
  EXPECT_EQ(
      demangle("_ZZN4Pool7enqueueIZ4mainE3$_0JEEESt6futureINSt13invoke_resultIT_JDpT0_EE4typeE"
               "EOS4_DpOS5_ENKUlvE0_clEv"),
      "Pool::enqueue<main::$_0>(main::$_0&&)::{lambda()#2}::operator()() const");
  EXPECT_EQ(demangle("_Z1fIJilEEvDpT_"), "void f<int, long>(int, long)");
  const std::string arrays = "_Z1fIJA24_" + std::string(24, 'c') +
                             "EEvDp1pIT_1qIDp1pIT_1qIDp1pIT_1qIDp1pIT_1qIDpT_EEEEEEEE";
  EXPECT_EQ(demangle(arrays), "f<...>") << "a list may begin with an array";
  const std::string many(60, 'i');
  EXPECT_EQ(demangle("_Z1fIJ" + many + "EEvDp1aIJDp1bIJDp1cIJDp1dIJDp1eIJDpT_EEEEEE"), "f<...>");
}

TEST(Names, DemanglesWhatIsNewerThanTheRuntime) {
  const std::pair<const char *, const char *> table[] = {
      // concepts: of a parameter, of auto, of a function that is no template itself
      {"_Z5twiceITk3NumdET_S0_", "double twice<double>(double)"},
      {"_Z12abbreviated2ITk3NumiTkSt8integrallEDaT_T0_", "auto abbreviated2<int, long>(int, long)"},
      {"_ZN2ns1fITkNS_3NumEiEEvT_", "void ns::f<int>(int)"},
      {"_ZN3BoxIiE3setEiQ3NumIT_E", "Box<int>::set(int)"},
      {"_Z4fourIlET_S0_QgtstS0_Li2E.cold", "long four<long>(long) [clone .cold]"},
      // values of a type that is deduced, of a class, of a template
      {"_Z5valueITnDaLi3EEiv", "int value<3>()"},
      {"_Z5valueITnPKcXadL_Z1sEEEiv", "int value<&s>()"},
      {"_Z2ttITtTpTyESt6vectorEiv", "int tt<std::vector>()"},
      // the object as a parameter, of a lambda as well
      {"_ZNH6Deduce2meIRS_EEiOT_", "int Deduce::me<Deduce&>(Deduce&)"},
      {"_ZZ7lambdasvENH3$_3clIS_EEiT_i", "int lambdas()::$_3::operator()<$_3>($_3, int)"},
      // what refers to what is left out, and what is not known: the words
      {"_Z6thriceIiQ3NumIT_EES0_S0_", "thrice<...>"},
      {"_Z4callIZ4mainE3$_3Qsr3stdE9invocableIT_iEEiS1_", "call<...>"},
      {"_ZN3BoxIiEFeqERKS0_S2_Q3NumIT_E", "Box<...>::operator=="},
      {"_ZN3BoxIdEC2IiQaasr3stdE14convertible_toITL0__T_Entsr3stdE7same_asIS2_S3_EEES3_",
       "Box<...>::Box<...>"},
      {"_ZNKSt6ranges4lessclImmQ20totally_ordered_withIT_T0_EEEbOS2_OS3_",
       "std::ranges::less::operator()<...>"},
      {"_ZN1AD2IiQ1CIT_EEEvv", "A::~A<...>"},
      {"_ZN5CacheIjE3getITkSt9invocableIRKT_EZN4Shop4takeEvEUljE0_EES2_RKjT_",
       "Cache<...>::get<...>"},
      {"_ZZ1fDB7_EN1L1gEv", "f::L::g"},
      {"_Z2biDB17_", "bi"},
      {"_Z2flDF16_", "fl"},
      {"_ZW3mod1fDF16_", "f"},
      {"_ZN12_GLOBAL__N_11fEDF16_", "(anonymous namespace)::f"},
      {"a.cpp:_ZL2flDF16_", "a.cpp:fl"},
      // no name
      {"_Z", "_Z"},
      {"_ZN1f", "_ZN1f"},
      {"_Z9f", "_Z9f"},
      {"_ZQQQQ", "_ZQQQQ"}};
  for (const auto &[linkage, name] : table)
    EXPECT_EQ(demangle(linkage), name);
}

TEST(Names, WhatNestsTooDeepStaysAsItIs) {
  for (const char *opens : {"Z", "N", "I", "1fI", "L", "TkN", "Q", "Tt"}) {
    std::string name = "_Z";
    while (name.size() < 4000)
      name += opens;
    EXPECT_LE(demangle(name).size(), name.size()) << opens;
  }
}
