// The text of an inline assembly with its operands filled in. Registers are not chosen yet when
// maps are made, but which instructions there are does not depend on which registers they use: any
// of the right kind and size will do. Reference: LLVM's language reference, inline assembler
// expressions (alternatives, modifiers), and the GNU documentation of constraints. Operands are
// known of x86; there is no choice of registers and no check of constraints.
#include "Assembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

constexpr const char *unreadable = "<operand>";
constexpr const char *symbol = "quincunx_symbol"; ///< what a constant that is an address is named

struct Operand {
  enum Kind { general, named, vector, mask, x87, memory, immediate, label } kind = general;
  unsigned bits = 64;     ///< of a register
  std::string text = "a"; ///< a register, the value of an immediate, the name of a symbol
};

/// Operands in the order in which `$0`, `$1` count them.
class Operands {
public:
  explicit Operands(const llvm::CallBase &c)
      : call(c), layout(c.getModule()->getDataLayout()),
        constraints(llvm::cast<llvm::InlineAsm>(c.getCalledOperand())->ParseConstraints()) {
    for (const Constraint &constraint : constraints)
      if (constraint.Type != llvm::InlineAsm::isClobber)
        all.push_back(operand(constraint));
  }
  const Operand *get(unsigned i) const { return i < all.size() ? &all[i] : nullptr; }

private:
  using Constraint = llvm::InlineAsm::ConstraintInfo;

  /// Of the value that an operand is or, where it is an address, that it points to.
  llvm::Type *nextType(const Constraint &c) {
    if (c.hasArg() && c.isIndirect)
      return call.getParamElementType(nextArgument);
    if (c.hasArg())
      return call.getArgOperand(nextArgument)->getType();
    auto *results = llvm::dyn_cast<llvm::StructType>(call.getType());
    return results != nullptr ? results->getElementType(nextResult++) : call.getType();
  }

  Operand operand(const Constraint &c) {
    Operand out;
    if (c.Type == llvm::InlineAsm::isLabel) {
      out.kind = Operand::label;
      out.text = ".Lquincunx_label";
      return out;
    }
    llvm::Type *type = nextType(c);
    if (type != nullptr && type->isSized())
      out.bits = static_cast<unsigned>(layout.getTypeSizeInBits(type).getKnownMinValue());
    const llvm::Value *argument = c.hasArg() ? call.getArgOperand(nextArgument++) : nullptr;
    choose(out, c.isMultipleAlternative ? c.multipleAlternatives.front().Codes : c.Codes, argument);
    return out;
  }

  /// Of several kinds that a constraint allows: a constant, else memory, else a register.
  void choose(Operand &out, llvm::ArrayRef<std::string> codes, const llvm::Value *argument) {
    const auto *constant = llvm::dyn_cast_or_null<llvm::Constant>(argument);
    for (const llvm::StringRef code : codes)
      if (constant != nullptr && code.size() == 1 &&
          llvm::StringRef("inesZIJKLMNOFGX").contains(code)) {
        const auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant);
        out.kind = Operand::immediate;
        out.text = number != nullptr && number->getBitWidth() <= 64
                       ? std::to_string(number->getSExtValue())
                       : symbol;
        return;
      }
    for (const llvm::StringRef code : codes)
      if (code == "m" || code == "o" || code == "V" || code == "p" || code == "<" || code == ">")
        out.kind = Operand::memory;
    if (out.kind != Operand::memory && !codes.empty())
      chooseRegister(out, codes.front());
  }

  void chooseRegister(Operand &out, llvm::StringRef code) {
    unsigned tied = 0;
    if (!code.getAsInteger(10, tied) && tied < all.size())
      out = all[tied];
    else if (code.consume_front("{"))
      out.kind = Operand::named, out.text = code.drop_back().lower();
    else if (code == "x" || code == "v" || code == "Yz" || code == "Yi" || code == "Yt" ||
             code == "Y2")
      out.kind = Operand::vector, out.text = "0";
    else if (code == "k" || code == "Yk")
      out.kind = Operand::mask, out.text = "k1";
    else if (code == "f" || code == "t" || code == "u")
      out.kind = Operand::x87, out.text = code == "u" ? "st(1)" : "st";
    else if (code == "y" || code == "Ym")
      out.kind = Operand::mask, out.text = "mm0";
    else // one that has a name for its second byte, and others for others
      out.text = std::string(1, "abcd"[all.size() % 4]);
  }

  const llvm::CallBase &call;
  const llvm::DataLayout &layout;
  llvm::InlineAsm::ConstraintInfoVector constraints;
  unsigned nextArgument = 0, nextResult = 0;
  std::vector<Operand> all;
};

/// How operands are written: AT&T or Intel.
class X86Writer {
public:
  X86Writer(bool isIntel, bool isLong) : intel(isIntel), long64(isLong) {}

  std::string write(const Operand &o, char modifier) const {
    switch (o.kind) {
    case Operand::label:
      return o.text;
    case Operand::immediate:
      return immediate(o, modifier);
    case Operand::memory:
      return memory(modifier == 'H' ? 16 : 8);
    case Operand::vector:
      return reg(vector(o.text, modifier, o.bits), modifier);
    case Operand::named:
    case Operand::general:
      return named(o, modifier);
    default:
      return reg(o.text, modifier);
    }
  }

private:
  std::string reg(const std::string &name, char modifier) const {
    const std::string written = (intel || modifier == 'V' ? "" : "%") + name;
    if (modifier == 'a')
      return intel ? "[" + written + "]" : "(" + written + ")";
    return (modifier == 'A' && !intel ? "*" : "") + written;
  }

  std::string memory(int offset) const {
    const std::string at = std::to_string(offset);
    return intel ? "[" + base() + "+" + at + "]" : at + "(%" + base() + ")";
  }
  std::string base() const { return long64 ? "rcx" : "ecx"; }

  std::string immediate(const Operand &o, char modifier) const {
    if (modifier == 'n')
      return llvm::StringRef(o.text).starts_with("-") ? o.text.substr(1) : "-" + o.text;
    if (modifier == 'a' && long64 && o.text == symbol && !intel)
      return o.text + "(%rip)";
    const bool bare = intel || llvm::StringRef("cPpaAl").contains(modifier);
    return bare ? o.text : "$" + o.text;
  }

  static std::string vector(const std::string &number, char modifier, unsigned bits) {
    const char size = modifier == 'x' || modifier == 't' || modifier == 'g' ? modifier
                      : bits > 256                                          ? 'g'
                      : bits > 128                                          ? 't'
                                                                            : 'x';
    return (size == 'g' ? "zmm" : size == 't' ? "ymm" : "xmm") + number;
  }

  std::string named(const Operand &o, char modifier) const {
    llvm::StringRef name = o.text;
    if (name.starts_with("@cc"))
      return ""; // flags are no text
    if (name.size() > 3 && name.drop_front(1).consume_front("mm"))
      return reg(vector(name.drop_front(3).str(), modifier, o.bits), modifier);
    const std::string root = rootOf(name);
    if (root.empty())
      return reg(o.text, modifier);
    const unsigned whole = long64 ? 64 : 32;
    const unsigned bits = modifier == 'b'                                                ? 8
                          : modifier == 'w'                                              ? 16
                          : modifier == 'k'                                              ? 32
                          : modifier == 'q' || llvm::StringRef("aAV").contains(modifier) ? whole
                                                                                         : o.bits;
    if (modifier == 'h')
      return reg(root + "h", modifier);
    return reg(sized(root, std::min(bits, whole)), modifier);
  }

  /// "a" of ax and its kind, "si", "r10" of r10d; empty: no general register.
  static std::string rootOf(llvm::StringRef name) {
    if (name.size() > 1 && name[0] == 'r' && llvm::isDigit(name[1]))
      return name.take_while([](char c) { return c == 'r' || llvm::isDigit(c); }).str();
    if (name.size() == 3)
      name = name.drop_front(); // r or e
    if (name.size() == 1)
      return name.str();
    if (name.size() != 2)
      return "";
    if (name[0] >= 'a' && name[0] <= 'd' && llvm::StringRef("xlh").contains(name[1]))
      return name.take_front().str();
    const bool isIndex = name == "si" || name == "di" || name == "bp" || name == "sp";
    return isIndex ? name.str() : "";
  }

  static std::string sized(const std::string &root, unsigned bits) {
    if (root[0] == 'r')
      return root + (bits > 32 ? "" : bits > 16 ? "d" : bits > 8 ? "w" : "b");
    const std::string word = root.size() == 1 ? root + "x" : root;
    return bits > 32 ? "r" + word : bits > 16 ? "e" + word : bits > 8 ? word : root + "l";
  }

  bool intel, long64;
};

class Expander {
public:
  Expander(const llvm::CallBase &call, bool isX86, bool is64Bit)
      : is(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())), operands(call), known(isX86),
        intel(is.getDialect() == llvm::InlineAsm::AD_Intel), writer(intel, is64Bit) {}

  std::string expand() {
    for (rest = is.getAsmString(); !rest.empty();) {
      const auto [plain, behind] = rest.split('$');
      put(plain);
      if (plain.size() == rest.size())
        break;
      rest = behind;
      dollar();
    }
    return out;
  }

private:
  /// Text of other dialects is left out.
  void put(llvm::StringRef text) {
    if (alternative < 0 || alternative == (intel ? 1 : 0))
      out += text;
  }

  /// What stands behind a `$`.
  void dollar() {
    if (rest.consume_front("$"))
      put("$");
    else if (rest.consume_front("("))
      alternative = 0;
    else if (rest.consume_front("|"))
      alternative < 0 ? put("|") : void(++alternative);
    else if (rest.consume_front(")"))
      alternative < 0 ? put("}") : void(alternative = -1);
    else if (rest.consume_front("{")) {
      const auto [inner, behind] = rest.split('}');
      rest = behind;
      braced(inner);
    } else
      put(operand(takeNumber(rest), 0));
  }

  void braced(llvm::StringRef inner) {
    const auto [number, modifier] = inner.split(':');
    if (number.empty())
      put(llvm::StringSwitch<const char *>(modifier)
              .Case("uid", "0")
              .Case("comment", "#")
              .Case("private", ".L")
              .Default(unreadable));
    else
      put(operand(number, modifier.empty() ? '\0' : modifier.front()));
  }

  static llvm::StringRef takeNumber(llvm::StringRef &text) {
    const llvm::StringRef number = text.take_while(llvm::isDigit);
    text = text.drop_front(number.size());
    return number;
  }

  std::string operand(llvm::StringRef number, char modifier) const {
    unsigned i = 0;
    const Operand *o = number.getAsInteger(10, i) ? nullptr : operands.get(i);
    return o != nullptr && (known || o->kind == Operand::label) ? writer.write(*o, modifier)
                                                                : unreadable;
  }

  const llvm::InlineAsm &is;
  const Operands operands;
  const bool known, intel;
  const X86Writer writer;
  llvm::StringRef rest;
  int alternative = -1; ///< -1: outside of alternatives
  std::string out;
};

} // namespace

std::string assemblyText(const llvm::CallBase &call, bool isX86, bool is64Bit) {
  return Expander(call, isX86, is64Bit).expand();
}

} // namespace quincunx
