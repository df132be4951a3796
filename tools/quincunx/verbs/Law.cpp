// quincunx law: a calculator for laws that are known by their moments. This file turns options into
// a request and an answer into text; what a program sends and what a person types take the same way
// (Answer.h). It reads no corpus.
#include "Verbs.h"
#include "batch/Answer.h"
#include "system/TerminalTraits.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"
#include "quincunx/report/Plot.h"

#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct LawArguments {
  std::vector<std::string> moments; ///< [COUNT*]MEAN,VARIANCE,SKEWNESS,KURTOSIS
  std::string family = "auto", quantiles = "0.5,0.9,0.99,0.999", cdf, support;
  bool bounds = false, unimodal = false, json = false;
  std::string max, min, kth; ///< "N", "N", "K/N"
  std::string skeleton, tasks, processors, placement = "random", arity = "2", depth, split, combine;
  std::string file;
};

std::string sixDigits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

/// "1,2,3" as a list of numbers; an empty field is null.
Result<Json> numberList(const std::string &text, const std::string &option) {
  Json out = Json::array();
  for (const std::string_view field : fields(text, ',')) {
    double x = 0;
    if (field.empty())
      out.push_back(nullptr);
    else if (parseNumber(field, x))
      out.push_back(x);
    else
      return Error{option + " takes numbers with commas between them, not '" + escape(text) + "'"};
  }
  return out;
}

/// Puts the list behind `key` unless the option was not given.
Status putList(Json &request, const char *key, const std::string &text, const char *option) {
  if (text.empty())
    return Done{};
  Result<Json> list = numberList(text, option);
  if (!list)
    return list.error();
  request[key] = std::move(*list);
  return Done{};
}

/// A whole number, as far as the option can tell; the answer checks its range.
Status putNumber(Json &request, const char *key, const std::string &text, const char *option) {
  double x = 0;
  if (text.empty())
    return Done{};
  if (!parseNumber(text, x))
    return Error{std::string(option) + " takes a number, not '" + escape(text) + "'"};
  request[key] = x;
  return Done{};
}

Result<Json> taskIn(const std::string &text, const std::string &family) {
  Json task{{"count", 1}, {"family", family}};
  const size_t star = text.find('*');
  if (star != std::string::npos)
    if (const Status s = putNumber(task, "count", text.substr(0, star), "COUNT*"); !s)
      return s.error();
  const std::string moments = star == std::string::npos ? text : text.substr(star + 1);
  if (const Status s = putList(task, "moments", moments, "--moments"); !s)
    return s.error();
  return task;
}

Result<Json> fitRequest(const LawArguments &o) {
  Json request{{"op", "fit"}, {"family", o.family}};
  Status s = putList(request, "moments", o.moments.front(), "--moments");
  if (s)
    s = putList(request, "quantiles", o.quantiles, "--quantile");
  if (s)
    s = putList(request, "cdf", o.cdf, "--cdf");
  if (s)
    s = putList(request, "support", o.support, "--support");
  if (!s)
    return s.error();
  if (o.bounds)
    request["bounds"] = request["quantiles"];
  if (o.unimodal)
    request["unimodal"] = true;
  return request;
}

/// "--max N" of one task is N of it; of several, N says how many there are in all.
Status putCount(Json &tasks, const std::string &text) {
  double n = 0, sum = 0;
  if (!parseNumber(text, n))
    return Error{"the number of tasks is not a number: '" + escape(text) + "'"};
  for (const Json &task : tasks)
    sum += task["count"].get<double>();
  if (tasks.size() == 1 && sum == 1)
    tasks[0]["count"] = n;
  else if (sum != n)
    return Error{"there are " + exact(sum) + " tasks, not " + exact(n)};
  return Done{};
}

Result<Json> joinRequest(const LawArguments &o) {
  if (static_cast<int>(!o.max.empty()) + !o.min.empty() + !o.kth.empty() != 1)
    return Error{"give one of --max N, --min N and --kth K/N"};
  Json request{{"op", "join"}, {"kind", o.max.empty() ? o.min.empty() ? "kth" : "min" : "max"}};
  request["tasks"] = Json::array();
  for (const std::string &m : o.moments) {
    Result<Json> task = taskIn(m, o.family);
    if (!task)
      return task.error();
    request["tasks"].push_back(std::move(*task));
  }
  std::string n = o.max + o.min;
  if (!o.kth.empty()) {
    const auto parts = fields(o.kth, '/');
    if (parts.size() != 2)
      return Error{"--kth takes K/N, not '" + escape(o.kth) + "'"};
    if (const Status s = putNumber(request, "k", std::string(parts[0]), "--kth"); !s)
      return s.error();
    n = parts[1];
  }
  Status s = putCount(request["tasks"], n);
  if (s)
    s = putList(request, "quantiles", o.quantiles, "--quantile");
  if (!s)
    return s.error();
  return request;
}

Result<Json> skeletonRequest(const LawArguments &o) {
  Json request{{"op", "skeleton"}, {"kind", o.skeleton}};
  const bool named = o.placement == "random" || o.placement == "fixed";
  Status s = putList(request, "moments", o.moments.front(), "--moments");
  const auto number = [&](const char *key, const std::string &text, const char *option) {
    if (s)
      s = putNumber(request, key, text, option);
  };
  const auto list = [&](const char *key, const std::string &text, const char *option) {
    if (s)
      s = putList(request, key, text, option);
  };
  number("processors", o.processors, "--processors");
  list("quantiles", o.quantiles, "--quantile");
  if (o.skeleton == "parmap") {
    number("tasks", o.tasks, "--tasks");
    if (named)
      request["placement"] = o.placement;
    else
      list("placement", o.placement, "--placement");
  } else {
    number("arity", o.arity, "--arity");
    number("depth", o.depth, "--depth");
    list("split", o.split, "--split");
    list("combine", o.combine, "--combine");
  }
  if (!s)
    return s.error();
  return request;
}

std::string numberText(const Json &x) {
  return x.is_number() ? sixDigits(x.get<double>()) : "open";
}

void printMoments(const Json &m) {
  const double variance = m[1].get<double>();
  std::printf("  mean %s  deviation %s  skewness %s  kurtosis %s\n", numberText(m[0]).c_str(),
              sixDigits(std::sqrt(variance)).c_str(), numberText(m[2]).c_str(),
              numberText(m[3]).c_str());
}

/// Rows of a request's numbers beside their answers.
void printColumns(const Json &request, const Json &answer, const char *key, Table &table,
                  const char *prefix) {
  if (!answer.contains(key))
    return;
  for (size_t i = 0; i < answer[key].size(); ++i) {
    std::vector<std::string> row{prefix + exact(request[key][i].get<double>()),
                                 numberText(answer[key][i])};
    if (answer.contains("bounds") && std::string(key) == "quantiles")
      row.push_back(numberText(answer["bounds"][i][0]) + " .. " +
                    numberText(answer["bounds"][i][1]));
    table.add(std::move(row));
  }
}

void printText(const Json &request, const Answer &a) {
  if (a.json.contains("family"))
    std::printf("%s\n", a.json["family"].get<std::string>().c_str());
  if (a.json.contains("why"))
    std::printf("  %s\n", a.json["why"].get<std::string>().c_str());
  if (a.json.contains("moments"))
    printMoments(a.json["moments"]);
  std::vector<std::string> columns{"quantile", "value"};
  if (a.json.contains("bounds"))
    columns.emplace_back(a.json.contains("unimodal")
                             ? "any law with these moments, if it has one mode"
                             : "any law with these moments");
  Table quantiles(columns);
  printColumns(request, a.json, "quantiles", quantiles, "");
  Table cdf({"t", "P(T <= t)"});
  printColumns(request, a.json, "cdf", cdf, "");
  for (const Table *t : {&quantiles, &cdf})
    if (!t->empty())
      std::printf("\n%s", t->text().c_str());
  const Range range{a.law->quantile(0.001), a.law->upperQuantile(0.001)};
  if (range.high > range.low) {
    std::printf("\n");
    std::fflush(stdout);
    sketch(*a.law, range, 0, readsUtf8(), std::cout);
  }
}

int run(const Result<Json> &request, bool json) {
  if (!request)
    return failUsage(request.error());
  const Result<Answer> a = answer(*request);
  if (!a)
    return fail(a.error());
  if (json) {
    Json document{{"schema", schemaOf("law")}};
    document.update(a->json);
    std::printf("%s\n", jsonText(document, -1).c_str());
  } else
    printText(*request, *a);
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::cout ? ok : fail(Error{"cannot write the answer"});
}

/// A line without its end; false at the end of all. Of one that is too long the beginning.
bool nextLine(std::istream &in, std::string &line) {
  line.clear();
  int c = in.get();
  for (; c != EOF && c != '\n' && line.size() <= maxTextBytes; c = in.get())
    line += static_cast<char>(c);
  return c != EOF || !line.empty();
}

/// One answer a line, each as soon as its request is there, so that another program can converse.
int batch(const std::string &path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file)
      return fail(Error{"cannot open", path});
  }
  std::istream &in = path == "-" ? std::cin : file;
  for (std::string line; nextLine(in, line);) {
    if (line.size() > maxTextBytes)
      return fail(Error{"a request is longer than 16 MB", path});
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    const Result<Json> request = parseRequest(line);
    const Result<Answer> a = request ? answer(*request) : request.error();
    const Json out = a ? a->json : Json{{"error", a.error().text}};
    const std::string text = jsonText(out, -1);
    if (std::printf("%s\n", text.c_str()) < 0 || std::fflush(stdout) != 0)
      return fail(Error{"cannot write the answers"});
  }
  return in.bad() ? fail(Error{"cannot read", path}) : ok;
}

/// Options that the three calculators share.
void addCommon(CLI::App *verb, const std::shared_ptr<LawArguments> &o, bool several) {
  verb->add_option("--moments", o->moments,
                   several
                       ? "A task (again for different ones): mean, variance, skewness, kurtosis "
                         "(3 for a normal law), COUNT of them"
                       : "Mean, variance, skewness, kurtosis (3 for a normal law)")
      ->required()
      ->expected(1)
      ->take_all()
      ->type_name(several ? "[COUNT*]M,V,S,K" : "M,V,S,K");
  verb->add_option("--quantile", o->quantiles, "Probabilities (default: 0.5,0.9,0.99,0.999)")
      ->type_name("P,...");
  verb->add_flag("--json", o->json, "The answer at full precision, for programs");
}

void addFamily(CLI::App *verb, const std::shared_ptr<LawArguments> &o) {
  verb->add_option("--family", o->family,
                   "auto, pearson, johnson, gld, maxent or normal (default: auto)")
      ->type_name("NAME");
}

void addFit(CLI::App &law, int &status) {
  const auto fit = std::make_shared<LawArguments>();
  CLI::App *verb = law.add_subcommand("fit", "The law with these moments: quantiles, cdf, bounds");
  addCommon(verb, fit, false);
  addFamily(verb, fit);
  verb->add_option("--cdf", fit->cdf, "Places at which to give P(T <= t)")->type_name("T,...");
  verb->add_flag("--bounds", fit->bounds,
                 "Sharp bounds on the quantiles of any law with these moments");
  verb->add_flag("--unimodal", fit->unimodal,
                 "Assume that the law has one mode: the bounds are narrower")
      ->needs("--bounds");
  verb->add_option("--support", fit->support, "Where the cost lies; an end left out is open")
      ->type_name("LOW,HIGH");
  verb->footer("Examples:\n"
               "  quincunx law fit --moments 10,4,0.5,3.5 --quantile 0.5,0.99 --bounds\n"
               "  quincunx law fit --moments 10,4,0.5,3.5 --cdf 12,15 --support 0, --json");
  verb->callback([fit, &status] { status = run(fitRequest(*fit), fit->json); });
}

void addJoin(CLI::App &law, int &status) {
  const auto join = std::make_shared<LawArguments>();
  CLI::App *verb =
      law.add_subcommand("join", "Parallel tasks: when the last, first or k-th is done");
  addCommon(verb, join, true);
  addFamily(verb, join);
  verb->add_option("--max", join->max, "The last of N tasks")->type_name("N");
  verb->add_option("--min", join->min, "The first of N tasks")->type_name("N");
  verb->add_option("--kth", join->kth, "The K-th of N tasks to be done")->type_name("K/N");
  verb->footer("Examples:\n"
               "  quincunx law join --max 128 --moments 1,1,2,9\n"
               "  quincunx law join --max 11 --moments '10*5,1,0,3' --moments 8,4,1,5\n"
               "  quincunx law join --kth 3/5 --moments 1,1,2,9 --quantile 0.5,0.99 --json");
  verb->callback([join, &status] { status = run(joinRequest(*join), join->json); });
}

void addSkeleton(CLI::App &law, int &status) {
  const auto skeleton = std::make_shared<LawArguments>();
  CLI::App *verb = law.add_subcommand("skeleton", "Parallel map (parmap), divide and conquer (dc)");
  verb->add_option("kind", skeleton->skeleton, "parmap or dc")
      ->required()
      ->check(CLI::IsMember({"parmap", "dc"}).description(""))
      ->type_name("parmap|dc");
  addCommon(verb, skeleton, false);
  verb->add_option("--tasks", skeleton->tasks, "Tasks of a parallel map")->type_name("N");
  verb->add_option("--processors", skeleton->processors, "Processors (dc: default one per part)")
      ->type_name("M");
  verb->add_option("--placement", skeleton->placement,
                   "Who gets a task: random, fixed (dealt out evenly), or a probability for each "
                   "processor (default: random)")
      ->type_name("random|fixed|P,...");
  verb->add_option("--arity", skeleton->arity, "Parts of a problem (default: 2)")->type_name("K");
  verb->add_option("--depth", skeleton->depth, "Levels of splitting")->type_name("N");
  verb->add_option("--split", skeleton->split, "Moments of splitting once")->type_name("M,V,S,K");
  verb->add_option("--combine", skeleton->combine, "Moments of combining once")
      ->type_name("M,V,S,K");
  verb->footer("Examples:\n"
               "  quincunx law skeleton parmap --tasks 1000 --processors 64 --moments 1,1,2,9\n"
               "  quincunx law skeleton dc --depth 4 --moments 1,1,2,9 --split 0.1,0,0,3 --combine "
               "0.2,0,0,3");
  verb->callback([skeleton, &status] { status = run(skeletonRequest(*skeleton), skeleton->json); });
}

void addBatch(CLI::App &law, int &status) {
  const auto requests = std::make_shared<LawArguments>();
  CLI::App *verb = law.add_subcommand("batch", "Answer JSON requests, one a line");
  verb->add_option("file", requests->file, "Requests; - for the standard input")
      ->required()
      ->type_name("FILE");
  verb->footer(
      "Examples:\n"
      "  quincunx law batch requests.jsonl >answers.jsonl\n"
      "  echo '{\"op\":\"compose\",\"n\":[10,0,0,0],\"x\":[1,1,2,6]}' | quincunx law batch -");
  verb->callback([requests, &status] { status = batch(requests->file); });
}

} // namespace

void addLaw(CLI::App &app, int &status) {
  CLI::App *law = app.add_subcommand("law", "Calculate with laws that are known by four moments");
  law->require_subcommand(1);
  law->footer("Examples:\n"
              "  quincunx law fit --moments 10,4,0.5,3.5 --bounds\n"
              "  quincunx law join --max 128 --moments 1,1,2,9\n"
              "  quincunx law skeleton parmap --tasks 1000 --processors 64 --moments 1,1,2,9\n"
              "  quincunx law batch requests.jsonl");
  addFit(*law, status);
  addJoin(*law, status);
  addSkeleton(*law, status);
  addBatch(*law, status);
}

} // namespace quincunx::tool
