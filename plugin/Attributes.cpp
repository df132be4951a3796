// Attributes of functions, checked where they are written and handed on as attributes that Clang
// has, so that the pass has one thing to ask for.
//   [[quincunx::ignore]]   it is not counted, and nothing is recorded of it
//                          (no_profile_instrument_function)
//   [[quincunx::request]]  its calls are requests, of which the counts are kept apart (annotate)
//   [[quincunx::budget("p99 < 2 ms")]]  it may cost so much (docs/22-budgets.md)
// What is known only of a whole function (a coroutine, say) the pass finds out.
#include "passes/source/SourceBudgets.h"
#include "quincunx/abi.h"
#include "quincunx/estimate/Budget.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace quincunx {

namespace {

class OnFunctions : public clang::ParsedAttrInfo {
public:
  bool diagAppertainsToDecl(clang::Sema &s, const clang::ParsedAttr &a,
                            const clang::Decl *d) const override {
    if (NumArgs == 0 && hasArguments(s, a)) {
      s.Diag(a.getLoc(), clang::diag::err_attribute_wrong_number_arguments) << a << 0;
      return false;
    }
    if (llvm::isa<clang::FunctionDecl>(d))
      return true;
    s.Diag(a.getLoc(), clang::diag::warn_attribute_wrong_decl_type_str)
        << a << a.isRegularKeywordAttribute() << "functions";
    return false;
  }

private:
  /// Clang skips them in attributes of plugins.
  static bool hasArguments(clang::Sema &s, const clang::ParsedAttr &a) {
    const auto next =
        clang::Lexer::findNextToken(a.getRange().getEnd(), s.getSourceManager(), s.getLangOpts());
    return next && next->is(clang::tok::l_paren);
  }
};

/// Is the function not counted, as far as has been read?
bool isUncounted(const clang::Decl &d) {
  return d.hasAttr<clang::NoProfileFunctionAttr>() || d.hasAttr<clang::NakedAttr>();
}

bool isOfRequest(llvm::StringRef annotation) { return annotation == QX_REQUEST_ANNOTATION; }

/// Takes annotations away; returns whether there were some.
bool drop(clang::Decl &d, bool (*isWanted)(llvm::StringRef annotation)) {
  if (!d.hasAttrs())
    return false;
  const size_t before = d.getAttrs().size();
  llvm::erase_if(d.getAttrs(), [&](const clang::Attr *a) {
    const auto *annotation = llvm::dyn_cast<clang::AnnotateAttr>(a);
    return annotation != nullptr && isWanted(annotation->getAnnotation());
  });
  return d.getAttrs().size() < before;
}

/// `what`: a request, or a budget.
void warnOfUncounted(clang::Sema &s, clang::SourceLocation at, llvm::StringRef what) {
  s.Diag(at, s.Diags.getCustomDiagID(clang::DiagnosticsEngine::Warning,
                                     "a function that is not counted cannot %select{have|be}0 a "
                                     "quincunx %1; 'quincunx::%1' is ignored"))
      << (what == "request") << what;
}

class Ignore final : public OnFunctions {
public:
  Ignore() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_CXX11, "quincunx::ignore"},
                                             {clang::ParsedAttr::AS_C23, "quincunx::ignore"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema &s, clang::Decl *d,
                                   const clang::ParsedAttr &a) const override {
    if (drop(*d, isOfRequest))
      warnOfUncounted(s, a.getLoc(), "request");
    if (drop(*d, isBudgetAnnotation))
      warnOfUncounted(s, a.getLoc(), "budget");
    d->addAttr(clang::NoProfileFunctionAttr::CreateImplicit(s.Context, a.getRange()));
    return AttributeApplied;
  }
};

class Request final : public OnFunctions {
public:
  Request() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_CXX11, QX_REQUEST_ANNOTATION},
                                             {clang::ParsedAttr::AS_C23, QX_REQUEST_ANNOTATION}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema &s, clang::Decl *d,
                                   const clang::ParsedAttr &a) const override {
    if (isUncounted(*d)) {
      warnOfUncounted(s, a.getLoc(), "request");
      return AttributeNotApplied;
    }
    d->addAttr(clang::AnnotateAttr::CreateImplicit(s.Context, QX_REQUEST_ANNOTATION, nullptr, 0,
                                                   a.getRange()));
    return AttributeApplied;
  }
};

/// A budget stays in an annotation, with the place where it is written.
class WrittenBudget final : public OnFunctions {
public:
  WrittenBudget() {
    // Clang reads the arguments of an attribute that it knows by its name without a scope.
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_CXX11, "quincunx::budget"},
                                             {clang::ParsedAttr::AS_C23, "quincunx::budget"},
                                             {clang::ParsedAttr::AS_CXX11, "budget"},
                                             {clang::ParsedAttr::AS_C23, "budget"}};
    Spellings = spellings;
    NumArgs = 1;
  }

  AttrHandling handleDeclAttribute(clang::Sema &s, clang::Decl *d,
                                   const clang::ParsedAttr &a) const override {
    if (a.getScopeName() == nullptr) {
      s.Diag(a.getLoc(), clang::diag::warn_unknown_attribute_ignored) << a;
      return AttributeNotApplied;
    }
    if (isUncounted(*d)) {
      warnOfUncounted(s, a.getLoc(), "budget");
      return AttributeNotApplied;
    }
    llvm::StringRef text;
    clang::SourceLocation at;
    if (!s.checkStringLiteralArgumentAttr(a, 0, text, &at))
      return AttributeNotApplied;
    if (const Result<Budget> budget = parseBudgetOf("", "", {text.data(), text.size()}); !budget) {
      s.Diag(at, s.Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "budget '%0', %1"))
          << text << budget.error().text;
      return AttributeNotApplied;
    }
    d->addAttr(clang::AnnotateAttr::CreateImplicit(s.Context, annotation(s, a.getLoc(), text),
                                                   nullptr, 0, a.getRange()));
    return AttributeApplied;
  }

private:
  static std::string annotation(clang::Sema &s, clang::SourceLocation at, llvm::StringRef text) {
    const clang::PresumedLoc place = s.getSourceManager().getPresumedLoc(at);
    llvm::SmallString<128> file(place.isValid() ? place.getFilename() : "");
    s.getLangOpts().remapPathPrefix(file);
    return budgetAnnotation(file, place.isValid() ? place.getLine() : 0,
                            place.isValid() ? place.getColumn() : 0, text);
  }
};

const clang::ParsedAttrInfoRegistry::Add<Ignore> ignore("quincunx::ignore",
                                                        "leaves a function uncounted");
const clang::ParsedAttrInfoRegistry::Add<WrittenBudget> budget("quincunx::budget",
                                                               "says what a function may cost");
const clang::ParsedAttrInfoRegistry::Add<Request>
    request(QX_REQUEST_ANNOTATION, "keeps the counts of each of a function's calls apart");

} // namespace

} // namespace quincunx
