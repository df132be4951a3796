// Opens two builds. In one corpus they are the newest and the one before, unless somebody says
// which.
#include "ComparedBuilds.h"

#include "RowGroups.h"
#include "SelectedBuild.h"

#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx::tool {

void addComparedCorpora(CLI::App &verb, ComparedCorpora &options) {
  verb.add_option("before", options.before, "Corpus of the build before, or of both builds")
      ->required()
      ->type_name("BEFORE");
  verb.add_option("after", options.afterPath, "Corpus of the build after")->type_name("AFTER");
  verb.add_option(
          "--against", options.against,
          "The build before, by the beginning of its name, by its tag or by its git commit, "
          "branch or tag (default: the newest of its corpus; in one corpus the newest but "
          "one)")
      ->type_name("ID|TAG|REV");
  verb.add_option("--build", options.after.build, "The build after, likewise (default: the newest)")
      ->type_name("ID|TAG|REV");
}

namespace {

/// The build of the program that was run last but one.
Result<std::string> lastButOne(const std::string &path) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  const Result<std::vector<Corpus::Build>> builds = corpus->builds();
  if (!builds)
    return builds.error();
  const Corpus::Build *found = nullptr;
  for (const Corpus::Build &b : *builds)
    if (!b.isNewest && (!found || b.lastStart > found->lastStart))
      found = &b;
  if (!found)
    return Error{escape(path) + " has no two builds of a program: record the other one as well, or "
                                "name two corpora (quincunx compare before.qx after.qx)"};
  return found->identity;
}

/// "before.qx (3f2a90d1c04e, v1.2)".
Result<std::string> calledOf(const PricedCorpus &priced, const std::string &path) {
  const Result<std::vector<Corpus::Build>> builds = priced.corpus.builds();
  if (!builds)
    return builds.error();
  std::string names;
  for (const Corpus::Build &b : *builds)
    if (b.read > 0) {
      names += (names.empty() ? "" : ", ") + fileName(b.path) + " " + b.identity.substr(0, 12);
      for (const std::string &tag : b.tags)
        names += " " + tag;
    }
  return path + " (" + names + ")";
}

bool isUncalibrated(const Corpus &corpus) {
  const Result<std::string> calibration = corpus.calibration();
  return calibration && calibration->empty();
}

/// What a build is opened for that needs no prices, as the other one has some: its counts.
CorpusOptions unpriced(CorpusOptions options) {
  options.pricing.units = "counts";
  return options;
}

Result<PricedCorpus> opened(CorpusOptions options, const std::string &path,
                            const std::string &build) {
  options.path = path;
  options.build = build;
  return openPriced(options);
}

} // namespace

ShortName shortNames() {
  return
      [names = FunctionNames()](const std::string &linkageName) { return names.of(linkageName); };
}

Result<ComparedBuilds> openCompared(const ComparedCorpora &options) {
  std::string against = options.against;
  if (against.empty() && options.afterPath.empty()) {
    const Result<std::string> older = lastButOne(options.before);
    if (!older)
      return older.error();
    against = *older;
  }
  const Result<Corpus> first = Corpus::open(options.before, Corpus::Mode::read);
  if (!first)
    return first.error();
  const bool isTimed =
      options.after.pricing.units == "time" && options.after.pricing.machine.empty();
  const bool isPriced = !isUncalibrated(*first);
  Result<PricedCorpus> before = opened(
      isTimed && !isPriced ? unpriced(options.after) : options.after, options.before, against);
  if (!before)
    return before.error();
  Result<PricedCorpus> after = opened(isTimed && isPriced ? unpriced(options.after) : options.after,
                                      options.pathAfter(), options.after.build);
  if (!after)
    return after.error();
  const Result<std::string> was = calledOf(*before, options.before),
                            is = calledOf(*after, options.pathAfter());
  if (!was || !is)
    return was ? is.error() : was.error();
  std::vector<Map> maps = before->maps;
  maps.insert(maps.end(), after->maps.begin(), after->maps.end());
  FunctionNames names = namesOf(options.after, maps);
  for (PricedCorpus *one : {&*before, &*after})
    if (const auto grouped = groupRows(*one, options.after); !grouped)
      return grouped.error();
  const bool isByAfter =
      before->machine.unit != after->machine.unit && isUncalibrated(before->corpus);
  return ComparedBuilds{
      std::move(*before), std::move(*after), std::move(names), {*was, *is}, isByAfter};
}

} // namespace quincunx::tool
