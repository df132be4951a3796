// [[quincunx::ignore]] on a function: it is not counted, and nothing is recorded of it. Checked
// where it is written, and handed on as the attribute that Clang has for this
// (no_profile_instrument_function), so that the pass has one thing to ask for.
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace quincunx {

namespace {

class Ignore final : public clang::ParsedAttrInfo {
public:
  Ignore() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_CXX11, "quincunx::ignore"},
                                             {clang::ParsedAttr::AS_C23, "quincunx::ignore"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(clang::Sema &s, const clang::ParsedAttr &a,
                            const clang::Decl *d) const override {
    if (llvm::isa<clang::FunctionDecl>(d))
      return true;
    s.Diag(a.getLoc(), clang::diag::warn_attribute_wrong_decl_type_str)
        << a << a.isRegularKeywordAttribute() << "functions";
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema &s, clang::Decl *d,
                                   const clang::ParsedAttr &a) const override {
    d->addAttr(clang::NoProfileFunctionAttr::CreateImplicit(s.Context, a.getRange()));
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<Ignore> ignore("quincunx::ignore",
                                                        "leaves a function uncounted");

} // namespace

} // namespace quincunx
