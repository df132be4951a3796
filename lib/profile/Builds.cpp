// Which builds of programs and libraries runs were counted with, and which runs a reader sees.
// The idea: runs of two builds are no sample of either. Of an image with one file name the builds
// are told by what the linker calls them and by their maps; a run is of the newest build when none
// of its images has a newer one. Programs of one name that run in one run are several programs.
#include "CorpusImpl.h"
#include "Schema.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <tuple>

namespace quincunx {

namespace {

struct Image {
  std::string path, map, build;
  std::string program; ///< what it is a build of
  size_t version = 0;  ///< number of that build
};

struct Version {
  std::string program;
  Corpus::Build shown;
  std::string map;
  std::pair<double, int64_t> last; ///< start and number of its latest run
};

/// All images, and the runs that have them.
class Builds {
public:
  static Result<Builds> readImages(const Database &database) {
    Builds out;
    Query images(database, (std::string("SELECT id, path, hash, ") +
                            (hasBuilds(database) ? "build" : "NULL") + " FROM image ORDER BY id")
                               .c_str());
    while (images.row())
      out.images[images.integer(0)] = {images.text(1), images.text(2), images.text(3), {}, 0};
    if (const Status s = images.status(); !s)
      return s.error();
    out.findUnknown();
    return out;
  }
  static Result<Builds> read(const Database &database, bool selected) {
    Result<Builds> all = readImages(database);
    if (!all)
      return all;
    Builds &out = *all;
    Query runs(database, "SELECT run, image FROM counts ORDER BY run");
    while (runs.row())
      out.runs[runs.integer(0)].push_back(runs.integer(1));
    Query starts(database,
                 (std::string("SELECT id, ifnull(start, 0), ") +
                  (hasOrigins(database) ? "tag, source_commit, host" : "'', '', ''") + " FROM run")
                     .c_str());
    while (starts.row()) {
      out.starts[starts.integer(0)] = starts.real(1);
      out.origins[starts.integer(0)] = {starts.text(2), starts.text(3), starts.text(4)};
    }
    if (selected) {
      Query leftOut(database, "SELECT run FROM left_out");
      while (leftOut.row())
        out.leftOut.insert(leftOut.integer(0));
      if (const Status s = leftOut.status(); !s)
        return s.error();
    }
    for (const Query *query : {&runs, &starts})
      if (const Status s = query->status(); !s)
        return s.error();
    out.findPrograms();
    out.findVersions();
    return all;
  }

  /// Is there one image for each file name? Then no run has to be looked at.
  bool areSingle() const {
    std::map<std::string, std::pair<std::string, std::string>> known;
    return std::ranges::all_of(images, [&](const auto &entry) {
      const Image &image = entry.second;
      const std::pair version{image.map, image.build};
      return known.try_emplace(fileName(image.path), version).first->second == version;
    });
  }

  /// Newest first.
  std::vector<Corpus::Build> all() const {
    std::vector<const Version *> order;
    for (const Version &v : versions)
      order.push_back(&v);
    std::sort(order.begin(), order.end(), [](const Version *a, const Version *b) {
      return std::tie(a->program, b->last) < std::tie(b->program, a->last);
    });
    std::vector<Corpus::Build> out;
    for (const Version *v : order)
      out.push_back(v->shown);
    return out;
  }

  /// The runs that `build` does not have, as select() says.
  Result<std::vector<int64_t>> without(const std::string &build) const {
    std::optional<size_t> wanted;
    for (size_t v = 0; v < versions.size() && !build.empty(); ++v)
      if (versions[v].shown.identity.starts_with(build)) {
        if (wanted)
          return Error{"several builds begin with " + escape(build)};
        wanted = v;
      }
    const Result<bool> isTag = findTag(build);
    if (!isTag)
      return isTag.error();
    if (*isTag && wanted)
      return Error{escape(build) + " is a tag, and a build begins with it"};
    if (!build.empty() && !wanted && !*isTag)
      return Error{"there is no build or tag " + escape(build)};
    std::map<std::string, size_t> newest; // of the runs that have the wanted one
    const auto isWanted = [&](int64_t run, const std::vector<int64_t> &of) {
      if (*isTag)
        return origins.at(run).tag == build;
      return !wanted || std::ranges::any_of(
                            of, [&](int64_t image) { return images.at(image).version == *wanted; });
    };
    const auto isOld = [&](int64_t id) {
      const Image &image = images.at(id);
      return newest.at(image.program) != image.version;
    };
    std::map<std::string, std::pair<double, int64_t>> last;
    for (const auto &[run, of] : runs)
      if (const std::pair at{starts.at(run), run}; isWanted(run, of))
        for (const int64_t image : of)
          if (const Image &i = images.at(image); last[i.program] <= at)
            last[i.program] = at, newest[i.program] = i.version;
    std::vector<int64_t> out;
    for (const auto &[run, of] : runs)
      if (!isWanted(run, of) || std::ranges::any_of(of, isOld))
        out.push_back(run);
    return out;
  }

  /// The runs that have an image of such a build.
  std::vector<int64_t> with(const std::function<bool(const Corpus::Build &)> &isSuch) const {
    std::vector<int64_t> out;
    for (const auto &[run, of] : runs)
      if (std::ranges::any_of(
              of, [&](int64_t image) { return isSuch(versions[images.at(image).version].shown); }))
        out.push_back(run);
    return out;
  }

private:
  /// Whether runs have this tag; an error where they are of several builds of one program.
  Result<bool> findTag(const std::string &tag) const {
    std::map<std::string, const Version *> tagged; // by program
    for (const Version &v : versions)
      if (!tag.empty() && v.shown.tags.contains(tag))
        if (const auto [at, isNew] = tagged.try_emplace(v.program, &v); !isNew)
          return Error{"several builds of " + escape(fileName(v.shown.path)) + " have the tag " +
                       escape(tag) + ", " + escape(at->second->shown.identity.substr(0, 12)) +
                       " and " + escape(v.shown.identity.substr(0, 12)) + " among them"};
    return !tagged.empty();
  }
  /// Runs of before builds were known are of the one that has the same map, where there is one.
  void findUnknown() {
    std::map<std::pair<std::string, std::string>, std::set<std::string>> known;
    for (const auto &[id, image] : images)
      if (!image.build.empty())
        known[{image.path, image.map}].insert(image.build);
    for (auto &[id, image] : images)
      if (const auto &of = known[{image.path, image.map}]; image.build.empty() && of.size() == 1)
        image.build = *of.begin();
  }
  void findPrograms() {
    std::set<std::string> several; // file names
    for (const auto &[run, of] : runs) {
      std::map<std::string, std::string> pathOf;
      for (const int64_t id : of)
        if (const std::string &path = images[id].path;
            pathOf.try_emplace(fileName(path), path).first->second != path)
          several.insert(fileName(path));
    }
    for (auto &[id, image] : images) {
      const std::string name = fileName(image.path);
      image.program = several.contains(name) ? image.path : name;
    }
  }
  void findVersions() {
    std::map<std::tuple<std::string, std::string, std::string>, size_t> known;
    for (auto &[id, image] : images) {
      const auto [at, isNew] =
          known.try_emplace({image.program, image.map, image.build}, versions.size());
      image.version = at->second;
      if (isNew) {
        const std::string &identity = image.build.empty() ? image.map : image.build;
        versions.push_back(
            {image.program, {image.path, identity, 0, 0, 0, 0, true, {}, {}, {}}, image.map, {}});
      }
    }
    for (const auto &[run, of] : runs)
      for (const int64_t image : of) {
        Version &v = versions[images[image].version];
        ++v.shown.runs;
        v.shown.read += !leftOut.contains(run);
        v.last = std::max(v.last, {starts[run], run});
        v.shown.lastStart = v.last.first;
        v.shown.firstStart =
            v.shown.runs == 1 ? starts[run] : std::min(v.shown.firstStart, starts[run]);
        const Origin &origin = origins[run];
        for (const auto &[text, all] : {std::pair{&origin.tag, &v.shown.tags},
                                        {&origin.commit, &v.shown.commits},
                                        {&origin.host, &v.shown.hosts}})
          if (!text->empty())
            all->insert(*text);
      }
    for (Version &v : versions)
      v.shown.isNewest = std::ranges::none_of(versions, [&](const Version &other) {
        return other.program == v.program && other.last > v.last;
      });
  }

  std::map<int64_t, Image> images;
  std::map<int64_t, std::vector<int64_t>> runs; ///< the images of each
  std::map<int64_t, double> starts;
  std::set<int64_t> leftOut; ///< runs
  struct Origin {
    std::string tag, commit, host;
  };
  std::map<int64_t, Origin> origins;
  std::vector<Version> versions;
};

} // namespace

Result<std::vector<Corpus::Build>> Corpus::builds() const {
  const Result<Builds> builds = Builds::read(impl->database, impl->selected);
  return builds ? Result<std::vector<Build>>(builds->all()) : builds.error();
}

Result<size_t> Corpus::select(const std::string &build) {
  const Result<Builds> images = Builds::readImages(impl->database);
  if (!images)
    return images.error();
  if (build.empty() && images->areSingle())
    return size_t{0};
  const Result<Builds> builds = Builds::read(impl->database, impl->selected);
  if (!builds)
    return builds.error();
  const Result<std::vector<int64_t>> without = builds->without(build);
  return without ? impl->leaveOut(*without) : without.error();
}

Result<size_t> Corpus::selectWithout(const std::function<bool(const Build &)> &isOther) {
  const Result<Builds> builds = Builds::read(impl->database, impl->selected);
  return builds ? impl->leaveOut(builds->with(isOther)) : builds.error();
}

Result<size_t> Corpus::Impl::leaveOut(const std::vector<int64_t> &runs) {
  if (runs.empty())
    return size_t{0};
  if (Status s = database.execute("PRAGMA temp_store = MEMORY; "
                                  "CREATE TEMP TABLE left_out(run INTEGER PRIMARY KEY)");
      !s)
    return s.error();
  Query insert(database, "INSERT INTO left_out VALUES(?)");
  for (const int64_t run : runs)
    if (Status s = insert.bind(run).run(); !s)
      return s.error();
  selected = true;
  Query unused(database,
               "SELECT hash FROM image GROUP BY hash HAVING sum(id IN (SELECT image FROM counts "
               "WHERE run NOT IN (SELECT run FROM left_out))) = 0");
  while (unused.row())
    unusedMaps.insert(unused.text(0));
  if (const Status s = unused.status(); !s)
    return s.error();
  return runs.size();
}

} // namespace quincunx
