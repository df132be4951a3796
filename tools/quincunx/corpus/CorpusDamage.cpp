// quincunx corpus check and salvage: what of a damaged corpus cannot be read, and a copy of the
// rest. It finds nothing by itself (Corpus::salvage).
#include "CorpusVerbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"

#include <filesystem>

namespace quincunx::tool {

namespace {

using Json = nlohmann::ordered_json;

std::string counted(size_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

size_t lostRuns(const Damage &damage) {
  size_t runs = 0;
  for (const LostPart &part : damage.lost)
    runs += part.kind == "run";
  return runs;
}

void printJson(const std::string &path, const Damage &damage) {
  Json json{{"schema", schemaOf("corpus-check")},
            {"corpus", path},
            {"damaged", damage.any()},
            {"checksums", damage.hasChecksums},
            {"pages", damage.pages},
            {"runs", damage.runs},
            {"lost", Json::array()},
            {"areAllKnown", damage.areAllKnown},
            {"indexDamaged", damage.isIndexDamaged}};
  for (const LostPart &part : damage.lost)
    json["lost"].push_back({{"kind", part.kind}, {"name", part.name}, {"identity", part.identity}});
  std::puts(jsonText(json).c_str());
}

/// "run in/3 (4af07c11d2b3)".
std::string describe(const LostPart &part) {
  std::string text = part.kind;
  if (!part.name.empty())
    text += " " + escape(part.name);
  if (!part.identity.empty())
    text += " (" + escape(part.identity.substr(0, 12)) + ")";
  return text;
}

void print(const std::string &path, const Damage &damage) {
  const std::string name = escape(path);
  if (!damage.any())
    std::printf("%s: nothing is damaged, %s\n", name.c_str(), counted(damage.runs, "run").c_str());
  if (!damage.hasChecksums)
    std::printf("%s was made without checksums: damage is seen only where nothing can be decoded; "
                "quincunx corpus merge NEW.qx %s makes a copy with them\n",
                name.c_str(), name.c_str());
  if (!damage.any())
    return;
  std::string pages;
  for (const uint32_t page : damage.pages)
    pages += (pages.empty() ? "" : ", ") + std::to_string(page);
  std::printf("%s is damaged%s%s\n", name.c_str(),
              damage.pages.empty() ? "" : ": not as they were written are pages ", pages.c_str());
  for (const LostPart &part : damage.lost)
    std::printf("  lost: %s\n", describe(part).c_str());
  if (!damage.areAllKnown)
    std::printf("  lost: perhaps more, which nothing names any more\n");
  if (damage.isIndexDamaged)
    std::printf("  nothing is lost: an index is damaged\n");
  std::printf("%s can be read, %zu cannot\n", counted(damage.runs, "run").c_str(),
              lostRuns(damage));
}

int show(const std::string &path, const Damage &damage, bool json) {
  json ? printJson(path, damage) : print(path, damage);
  return damage.any() ? failed : ok;
}

} // namespace

int checkCorpus(const std::string &path, bool json) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<Damage> damage = corpus->salvage(nullptr);
  if (!damage)
    return fail(damage.error());
  const int status = show(path, *damage, json);
  if (status != ok)
    std::fprintf(stderr, "quincunx: quincunx corpus salvage %s -o FILE keeps what can be read\n",
                 escape(path).c_str());
  return status;
}

int salvageCorpus(const std::string &path, const std::string &out, bool json) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  std::error_code no;
  if (std::filesystem::exists(out, no))
    return fail({escape(out) + " is there already; say another file with -o"});
  Result<Corpus> into = Corpus::open(out, Corpus::Mode::write);
  if (!into)
    return fail(into.error());
  const Result<Damage> damage = corpus->salvage(&*into);
  if (!damage)
    return fail(damage.error());
  show(path, *damage, json);
  std::fprintf(stderr, "quincunx: %s kept in %s\n", counted(damage->runs, "run").c_str(),
               escape(out).c_str());
  return ok;
}

} // namespace quincunx::tool
