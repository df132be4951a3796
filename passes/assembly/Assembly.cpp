// Counts the instructions of an inline assembly: LLVM's assembler parses its text, as it will when
// code is emitted, and a streamer keeps the classes of what it is told in place of writing them.
// Macros and repetitions are expanded by it; what stands in other sections is not part of the flow.
// A statement that it refuses (an operand that cannot be filled in, a macro of another assembly),
// and instructions that are written as bytes, count one each. It reports no error, as the compiler
// will do that itself, and knows nothing of jumps within the text but that one goes back.
#include "Assembly.h"

#include "Compat.h"
#include "QuietStreamer.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

// The destructor of MCRegisterInfo stands in its header and names a table that only some versions
// of LLVM have; see QuietStreamer.h.
asm(".weak _ZTVN4llvm14MCRegisterInfoE");

namespace quincunx {

namespace {

/// Where the assembly begins, behind what the file defines for it.
constexpr const char *beginning = ".Lquincunx_assembly";

/// A streamer that counts.
class Tally : public QuietStreamer {
public:
  Tally(llvm::MCContext &context, const llvm::MCInstrInfo &i, llvm::MCInstPrinter &p)
      : QuietStreamer(context), instructions(i), printer(p) {}

  AssemblyCount count;

  void refused() {
    if (begun)
      other();
  }

  void emitInstruction(const llvm::MCInst &i, const llvm::MCSubtargetInfo &) override {
    if (!isHere())
      return;
    const llvm::StringRef name = llvm::StringRef(compat::mnemonic(printer, i)).trim();
    const llvm::MCInstrDesc &is = instructions.get(i.getOpcode());
    inBytes = false;
    // A prefix that stands alone belongs to what follows.
    if (const std::optional<unsigned> flag = prefixFlag(name)) {
      prefix |= *flag;
      return;
    }
    llvm::MCInst whole = i;
    whole.setFlags(i.getFlags() | std::exchange(prefix, 0));
    const InstructionClass kind = classOfMachine(whole, is, name, *getContext().getRegisterInfo());
    ++count.mix[static_cast<size_t>(kind)];
    count.repeats |= is.isBranch() && goesBack(i);
  }

  void emitLabel(llvm::MCSymbol *symbol, llvm::SMLoc at) override {
    MCStreamer::emitLabel(symbol, at);
    passed.insert(symbol);
    if (symbol->getName() == beginning) {
      begun = true;
      home = getCurrentSection();
    }
  }

  void emitBytes(llvm::StringRef data) override { bytes(); }
  void emitValueImpl(const llvm::MCExpr *value, unsigned size, llvm::SMLoc at) override { bytes(); }

private:
  bool isHere() const { return begun && getCurrentSection() == home; }

  void other() {
    ++count.mix[static_cast<size_t>(InstructionClass::other)];
    count.estimated = true;
  }

  /// Bytes in a row are taken for one instruction.
  void bytes() {
    if (isHere() && !inBytes)
      other();
    inBytes = isHere();
  }

  bool goesBack(const llvm::MCInst &i) const {
    return llvm::any_of(i, [&](const llvm::MCOperand &o) {
      const auto *to = o.isExpr() ? llvm::dyn_cast<llvm::MCSymbolRefExpr>(o.getExpr()) : nullptr;
      return to != nullptr && passed.contains(&to->getSymbol());
    });
  }

  const llvm::MCInstrInfo &instructions;
  llvm::MCInstPrinter &printer;
  llvm::SmallPtrSet<const llvm::MCSymbol *, 8> passed; ///< labels so far
  llvm::MCSectionSubPair home;
  unsigned prefix = 0;
  bool begun = false, inBytes = false;
};

/// What the parser has to know of a target; false when this compiler does not have it.
struct TargetTables {
  const llvm::Target *target = nullptr;
  llvm::MCTargetOptions options;
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> syntax;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstPrinter> printer;

  TargetTables(const llvm::Triple &triple, const llvm::Function &f) {
    const auto name = compat::tripleForMC(triple);
    std::string why;
    target = llvm::TargetRegistry::lookupTarget(name, why);
    if (target == nullptr || !target->hasMCAsmParser())
      return;
    registers.reset(target->createMCRegInfo(name));
    if (registers)
      syntax.reset(target->createMCAsmInfo(*registers, name, options));
    instructions.reset(target->createMCInstrInfo());
    subtarget.reset(
        target->createMCSubtargetInfo(name, f.getFnAttribute("target-cpu").getValueAsString(),
                                      f.getFnAttribute("target-features").getValueAsString()));
    if (syntax && instructions)
      printer.reset(target->createMCInstPrinter(triple, 0, *syntax, *instructions, *registers));
  }
  explicit operator bool() const { return printer && subtarget; }
};

/// The macros of the file, and where the assembly begins.
std::string preamble(const llvm::Module &m) {
  const std::string &file = m.getModuleInlineAsm();
  const bool defines = file.find(".macro") != std::string::npos;
  return (defines ? file + "\n" : "") + ".text\n.cfi_startproc\n" + beginning + ":\n";
}

AssemblyCount parse(const TargetTables &tables, const llvm::Triple &triple, const std::string &text,
                    bool intel) {
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  llvm::MCContext context(triple, tables.syntax.get(), tables.registers.get(),
                          tables.subtarget.get(), &source, &tables.options);
  const std::unique_ptr<llvm::MCObjectFileInfo> sections(
      tables.target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(sections.get());
  Tally tally(context, *tables.instructions, *tables.printer);
  tables.target->createNullTargetStreamer(tally); // belongs to the streamer
  const auto onError = [](const llvm::SMDiagnostic &what, void *to) {
    if (what.getKind() == llvm::SourceMgr::DK_Error)
      static_cast<Tally *>(to)->refused();
  };
  source.setDiagHandler(onError, &tally);
  context.setDiagnosticHandler([&](const llvm::SMDiagnostic &what, bool, const llvm::SourceMgr &,
                                   std::vector<const llvm::MDNode *> &) { onError(what, &tally); });
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(source, context, tally, *tables.syntax));
  const std::unique_ptr<llvm::MCTargetAsmParser> target(tables.target->createMCAsmParser(
      *tables.subtarget, *parser, *tables.instructions, tables.options));
  parser->setAssemblerDialect(intel ? 1 : 0);
  parser->setTargetParser(*target);
  (void)parser->Run(/*NoInitialTextSection=*/false, /*NoFinalize=*/true);
  return tally.count;
}

/// Takes labels off the front of a statement.
llvm::StringRef withoutLabels(llvm::StringRef s) {
  for (size_t colon; (colon = s.find(':')) != s.npos && colon == s.find_first_of(" \t:\"'");)
    s = s.drop_front(colon + 1).ltrim();
  return s;
}

/// By lines and what semicolons separate, without comments, labels and directives.
AssemblyCount countLines(llvm::StringRef text) {
  AssemblyCount out;
  for (const llvm::StringRef line : llvm::split(text, '\n'))
    for (llvm::StringRef s : llvm::split(line.split('#').first.split("//").first, ';'))
      if (s = withoutLabels(s.trim()); !s.empty() && s.front() != '.')
        ++out.mix[static_cast<size_t>(InstructionClass::other)], out.estimated = true;
  return out;
}

} // namespace

AssemblyCount countAssembly(const llvm::CallBase &call) {
  const auto &assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const llvm::Triple triple(call.getModule()->getTargetTriple());
  const std::string text = assemblyText(call, triple.isX86(), triple.isArch64Bit());
  if (llvm::StringRef(text).trim().empty())
    return {}; // nothing but a barrier
  const TargetTables tables(triple, *call.getFunction());
  // What `.print` says would be said twice.
  if (!tables || llvm::StringRef(text).contains(".print"))
    return countLines(text);
  return parse(tables, triple, preamble(*call.getModule()) + text + "\n",
               assembly.getDialect() == llvm::InlineAsm::AD_Intel);
}

} // namespace quincunx
