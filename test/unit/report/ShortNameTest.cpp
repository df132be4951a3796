// Short names: of what linkers call functions, and of all functions of a program together.
#include "lib/report/layout/ShortName.h"

#include "quincunx/report/FunctionNames.h"
#include "quincunx/report/Names.h"

#include <gtest/gtest.h>

using namespace quincunx;

namespace {

struct Row {
  std::string linkage, expected;
};

TEST(ShortName, OfLinkageNames) {
  const Row table[] = {
      {"main", "main"},
      {"c_function.part.0", "c_function.part.0"},
      {"_Z1fi", "f"},
      {"_Z1fIiEvT_", "f<int>"},
      {"_ZN2ns1A1fERKi", "ns::A::f"},
      {"_ZNK2ns1A1fEv", "ns::A::f"},
      // namespaces of the standard library, what is usual in its templates
      {"_ZNSt6vectorIiSaIiEE9push_backEOi", "vector<int>::push_back"},
      {"_ZNSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_"
       "iE"
       "EEixERS9_",
       "map<string,…>::operator[]"},
      {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_", "string::string"},
      {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev", "string::~string"},
      {"_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE6appendEPKw", "wstring::append"},
      {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "operator<< <char_traits<char>>"},
      {"_ZSt4sortIN9__gnu_cxx17__normal_iteratorIPiSt6vectorIiSaIiEEEEEvT_S7_",
       "sort<__normal_iterator<int*,…>>"},
      {"_ZNKSt8functionIFviEEclEi", "function<void (int)>::operator()"},
      {"_ZNSt6chrono3_V212system_clock3nowEv", "chrono::system_clock::now"},
      {"_ZNSt3__16vectorIiNS_9allocatorIiEEE9push_backEOi", "vector<int>::push_back"},
      {"_ZN3fmt3v105printEi", "fmt::print"},
      // operators
      {"_ZN1AclEi", "A::operator()"},
      {"_ZNK1AltERKS_", "A::operator<"},
      {"_ZNK1AssERKS_", "A::operator<=>"},
      {"_ZN1AptEv", "A::operator->"},
      {"_ZN1AlsIiEERS_T_", "A::operator<< <int>"},
      {"_ZN1AltIiEEbT_", "A::operator< <int>"},
      {"_ZNK1AcvbEv", "A::operator bool"},
      {"_ZNK1AcvmEv", "A::operator unsigned long"},
      {"_ZN1AcvSt6vectorIiSaIiEEEv", "A::operator vector<int>"},
      {"_ZN1AnwEm", "A::operator new"},
      {"_ZdaPv", "operator delete[]"},
      {"_Zli3_kmy", "operator\"\" _km"},
      // templates of others: up to three arguments, some of which are no types
      {"_ZN4RingIiLm8EE4pushEi", "Ring<int, 8ul>::push"},
      {"_Z1fILin1EEvv", "f<-1>"},
      {"_Z1fIXadL_ZN1AltERKS0_EEEvv", "f<&A::operator<>"},
      {"_Z1fIiiiiEvv", "f<int, int, int,…>"},
      {"_ZN3FooIJEE3barEv", "Foo<>::bar"},
      // what has no name
      {"_ZN12_GLOBAL__N_11fEv", "f"},
      {"_ZN2ns12_GLOBAL__N_11A1fEv", "ns::A::f"},
      {"_ZZ1fiENKUliE_clEi", "lambda#1 in f"},
      {"_ZZ1fiENKUlT_E0_clIiEEDaS_", "lambda#2<int> in f"},
      {"_ZZZ1fiENKUliE_clEiENKUlvE_clEv", "lambda#1 in lambda#1 in f"},
      {"_ZZ1fiENUliE_8__invokeEi", "lambda#1::__invoke in f"},
      {"_ZZ4mainENK3$_0clEv", "$_0 in main"},
      {"_ZZ1fiEN5Local1gEv", "f::Local::g"},
      {"_ZZNK1A1fEvEN5Local1gEv", "A::f::Local::g"},
      {"_Z5applyIZ1fiEUliE_EvT_", "apply<lambda#1>"},
      // tags, copies and helpers
      {"_ZNK1A4wordB5cxx11Ev", "A::word"},
      {"_Z1fi.cold", "f [.cold]"},
      {"_Z1fi.isra.0", "f [.isra.0]"},
      {"_Z1fi.llvm.123", "f [.llvm.123]"},
      {"_Z1fi.resume", "f [.resume]"},
      {"_ZThn8_N1A1fEv", "thunk to A::f"},
      {"_ZTv0_n24_N1A1fEv", "thunk to A::f"},
      {"_ZGVZ1fvE1x", "guard variable for f::x"},
      // what cannot be read stays
      {"_Z1fIiEPFvT_EiS0_", "void (*f<int>(int, int))(int)"},
      {"_Znot_a_name", "_Znot_a_name"},
      // what a function requires is not said
      {"_Z1fIiEvT_Q1CIS0_E", "f<int>"},
      {"a.c:helper", "a.c:helper"},
  };
  for (const Row &row : table)
    EXPECT_EQ(shortName(demangle(row.linkage)), row.expected)
        << row.linkage << " is " << demangle(row.linkage);
}

TEST(ShortName, SaysMoreWhereAsked) {
  const std::string name =
      demangle("_ZNSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES"
               "t6vectorIiSaIiEESt7greaterIS5_ESaISt4pairIKS5_iEEEixERKS5_");
  using Templates = NameDetail::Templates;
  EXPECT_EQ(shortName(name, {Templates::few, true}), "map<string,…>::operator[](string const&)");
  EXPECT_EQ(shortName(name, {Templates::some, false}), "map<string, vector<int>,…>::operator[]");
  EXPECT_EQ(
      shortName(name, {Templates::all, true}),
      "std::map<std::string, std::vector<int>, std::greater<std::string>>::operator[](std::string"
      " const&)");
  EXPECT_EQ(shortName("A::f(int) const", {Templates::few, true}), "A::f(int) const");
  EXPECT_EQ(shortName("(anonymous namespace)::f()", {Templates::all, false}),
            "(anonymous namespace)::f");
}

TEST(ShortName, OfTextsThatAreNoNames) {
  for (const std::string text : {"",
                                 "<",
                                 ">",
                                 "(",
                                 ")",
                                 "f(",
                                 "f<",
                                 "f<(>",
                                 "a::",
                                 "::a",
                                 "operator",
                                 "operator<",
                                 "f<operator<",
                                 "'",
                                 "{",
                                 "[abi:",
                                 "f[abi:x",
                                 "f()::",
                                 "operator (",
                                 " ",
                                 "a b c",
                                 "f() [clone .",
                                 "]",
                                 " [clone .]"})
    EXPECT_NO_FATAL_FAILURE(shortName(text)) << text;
  const std::string deep = "f<" + std::string(10000, 'A') + ">()";
  EXPECT_EQ(shortName(deep), "f<" + std::string(10000, 'A') + ">");
  std::string nested = "int";
  for (int i = 0; i < 1000; ++i)
    nested = "A<" + nested + ">";
  EXPECT_LT(shortName("f<" + nested + ">()").size(), 200U);
  EXPECT_EQ(shortName(std::string(20000, 'a') + "()"), std::string(20000, 'a') + "()");
}

/// Each is the first that no other function has.
TEST(FunctionNames, AreOfOneFunction) {
  ProgramNames program;
  const std::pair<const char *, uint32_t> functions[] = {
      {"_Z1fi", 1},
      {"_Z1fd", 2},
      {"_Z1gi", 3},
      {"_ZN1AC1Ev", 4},
      {"_ZN1AC2Ev", 4},
      {"_ZNK1A1fEv", 5},
      {"_ZN1A1fEv", 6},
      {"_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEEixERS3_", 7},
      {"_ZNSt3mapIidSt4lessIiESaISt4pairIKidEEEixERS3_", 8},
      {"_Z4sortIiEvT_", 9},
      {"_ZSt4sortIiEvT_", 10},
      {"_ZZ1giENKUliE_clEi", 11},
      {"_ZZ1giENKUlvE_clEv", 12},
      {"_ZZ1gdENKUlvE_clEv", 12},
      {"_ZZ1giENKUliE0_clEi", 20},
      {"_ZZ1kiENKUlvE_clEv", 21},
      {"_ZZ1kiENKUlvE0_clEv", 21},
      {"_ZZ4mainENK3$_0clEl", 22},
      {"_ZZ4mainENK3$_1clEl", 22},
      {"_ZNSt17_Function_handlerIFllEZ4mainE3$_0E9_M_invokeERKSt9_Any_dataOl", 288},
      {"_ZNSt17_Function_handlerIFllEZ4mainE3$_1E9_M_invokeERKSt9_Any_dataOl", 288},
      {"_ZN12_GLOBAL__N_11hEv", 13},
      {"_Z1hv", 14},
      {"_Z1qB1av", 30},
      {"_Z1qB1bv", 31}};
  for (const auto &[name, line] : functions)
    program.add(name, "a.cpp", line);
  const FunctionNames names(program, NameStyle::brief);
  const Row table[] = {
      {"_Z1fi", "f(int)"},
      {"_Z1fd", "f(double)"},
      {"_Z1gi", "g"},
      {"_ZN1AC1Ev", "A::A [complete object]"},
      {"_ZN1AC2Ev", "A::A [base object]"},
      {"_ZNK1A1fEv", "A::f() const"},
      {"_ZN1A1fEv", "A::f()"},
      {"_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEEixERS3_", "map<int, int>::operator[]"},
      {"_ZNSt3mapIidSt4lessIiESaISt4pairIKidEEEixERS3_", "map<int, double>::operator[]"},
      {"_Z4sortIiEvT_", "sort<int>"},
      {"_ZSt4sortIiEvT_", "std::sort<int>"},
      {"_ZZ1giENKUliE_clEi", "lambda:11 in g"},
      {"_ZZ1giENKUlvE_clEv", "lambda:12() const in g(int)"},
      {"_ZZ1gdENKUlvE_clEv", "lambda:12() const in g(double)"},
      {"_ZZ1kiENKUlvE_clEv", "lambda#1 in k"}, // both on one line
      {"_ZZ1kiENKUlvE0_clEv", "lambda#2 in k"},
      {"_ZNSt17_Function_handlerIFllEZ4mainE3$_1E9_M_invokeERKSt9_Any_dataOl",
       "_Function_handler<long (long), $_1>::_M_invoke"},
      {"_ZN12_GLOBAL__N_11hEv", "(anonymous namespace)::h"},
      {"_Z1hv", "h"},
      {"_Z1qB1av", "q (a.cpp:30)"},
      {"_Z1qB1bv", "q (a.cpp:31)"},
      {"_ZNSt6vectorIiSaIiEE9push_backEOi", "vector<int>::push_back"}, // not of the program
  };
  for (const Row &row : table) {
    EXPECT_EQ(names.of(row.linkage), row.expected);
    EXPECT_TRUE(names.isCalled(row.linkage, row.expected));
    EXPECT_TRUE(names.isCalled(row.linkage, row.linkage));
    EXPECT_TRUE(names.isCalled(row.linkage, demangle(row.linkage)));
    EXPECT_EQ(FunctionNames(program, NameStyle::full).of(row.linkage), demangle(row.linkage));
  }
  EXPECT_FALSE(names.isCalled("_Z1fi", "f"));
  EXPECT_TRUE(names.mayBeCalled("_Z1fi", "f"));
  EXPECT_FALSE(names.mayBeCalled("_Z1fi", "g"));
  EXPECT_FALSE(names.isCalled("_Z1fi", "f(double)"));
}

/// Of one place in the source, and with template arguments alone apart.
TEST(FunctionNames, OfInstancesTogether) {
  ProgramNames program;
  const std::pair<const char *, uint32_t> functions[] = {{"_Z4sortIiEvT_", 9},
                                                         {"_Z4sortIdEvT_", 9},
                                                         {"_Z4sortIcEvT_", 20}, // specialised
                                                         {"_ZN5StackIiE4pushEi", 30},
                                                         {"_ZN5StackIdE4pushEd", 30},
                                                         {"_Z1fi", 40},
                                                         {"_Z1fd", 40},
                                                         {"_Z3oneIiEvv", 50},
                                                         {"_ZN1a4pickIiEEvv", 60},
                                                         {"_ZN1a4pickIdEEvv", 60},
                                                         {"_ZZ4sortIiEvT_ENKUlvE_clEv", 11},
                                                         {"_ZZ4sortIdEvT_ENKUlvE_clEv", 11}};
  for (const auto &[name, line] : functions)
    program.add(name, "a.cpp", line);
  for (const char *name : {"_ZN1b3putIiEEvv", "_ZN1b3putIdEEvv"}) // of no known place
    program.add(name);
  for (const auto &[name, line] : {std::pair{"_ZN12_GLOBAL__N_13runIiEEvv", 1},
                                   {"_ZN12_GLOBAL__N_13runIdEEvv", 1},
                                   {"_ZN12_GLOBAL__N_13runILi3EEEvv", 2},
                                   {"_ZN12_GLOBAL__N_13runILi4EEEvv", 2}})
    program.add(name, "b.cpp", static_cast<uint32_t>(line));
  const FunctionNames names(program, NameStyle::brief);
  const Row table[] = {{"_Z4sortIiEvT_", "sort<…>"},
                       {"_Z4sortIdEvT_", "sort<…>"},
                       {"_Z4sortIcEvT_", ""},
                       {"_ZN5StackIiE4pushEi", "Stack<…>::push"},
                       {"_ZN5StackIdE4pushEd", "Stack<…>::push"},
                       {"_Z1fi", ""},
                       {"_Z3oneIiEvv", ""},
                       {"_ZN1a4pickIiEEvv", "a::pick<…>"},
                       {"_ZZ4sortIiEvT_ENKUlvE_clEv", "lambda:11 in sort<…>"},
                       {"_ZN1b3putIiEEvv", ""},
                       {"_ZN12_GLOBAL__N_13runIiEEvv", "run<…> (b.cpp:1)"},
                       {"_ZN12_GLOBAL__N_13runILi3EEEvv", "run<…> (b.cpp:2)"},
                       {"_Z7unknownIiEvv", ""}};
  for (const Row &row : table) {
    EXPECT_EQ(names.instancesOf(row.linkage), row.expected) << row.linkage;
    EXPECT_EQ(FunctionNames().instancesOf(row.linkage), "");
  }
  EXPECT_TRUE(names.mayBeCalled("_Z4sortIdEvT_", "sort<...>"));
  EXPECT_TRUE(names.mayBeCalled("_ZN12_GLOBAL__N_13runIiEEvv", "run<...> (b.cpp:1)"));
  EXPECT_FALSE(names.mayBeCalled("_ZN12_GLOBAL__N_13runIiEEvv", "run<...> (b.cpp:2)"));
}

TEST(FunctionNames, AreMatchedByNameBeforeByExpression) {
  const std::vector<std::string> linkage{"_Z1fi", "_Z1fd", "_Z2fgv",
                                         "_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEEixERS3_",
                                         "_ZNSt3mapIidSt4lessIiESaISt4pairIKidEEEixERS3_"};
  ProgramNames program;
  for (const std::string &name : linkage)
    program.add(name);
  const FunctionNames names(program, NameStyle::full); // style does not matter
  const std::pair<const char *, std::vector<size_t>> table[] = {
      {"", {0, 1, 2, 3, 4}},
      {"f(int)", {0}},
      {"_Z1fd", {1}},
      {"f", {0, 1}}, // not fg
      {"f.?", {0, 1, 2}},
      {"map<int, int>::operator[]", {3}}, // of which the expression is another
      {"map<int,…>::operator[]", {3, 4}},
      {"map<int,...>::operator[]", {3, 4}},
      {"std::less", {3, 4}},
      {"nobody", {}},
  };
  for (const auto &[text, expected] : table) {
    const auto found = names.matching(linkage, text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(*found, expected) << text;
  }
  EXPECT_FALSE(names.matching(linkage, "("));
}

} // namespace
