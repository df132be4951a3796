// Turns a command template and its inputs into jobs. The idea: a job is what is left after every
// replacement, so whoever runs it needs no template any more. As in GNU parallel, several ::: give
// every combination, the last changing fastest, and inputs that the command does not mention are
// appended. No shell is involved: a word stays a word whatever is in it. What GNU parallel has
// beyond that (:::+, --colsep, ...) is left out.
#include "JobPlan.h"

#include "ShellWords.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Features.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

std::string withoutExtension(const std::string &path) {
  const size_t dot = path.rfind('.'), slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  return dot == std::string::npos || dot <= name ? path : path.substr(0, dot);
}

std::string folderOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string changed(const std::string &input, std::string_view how) {
  return how.empty()   ? input
         : how == "."  ? withoutExtension(input)
         : how == "/"  ? fileName(input)
         : how == "//" ? folderOf(input)
                       : withoutExtension(fileName(input));
}

/// What stands between braces, if it is one of ours.
struct Slot {
  size_t input = 0; ///< from 1; 0: all of them
  bool isNumber = false;
  std::string_view how;
};

std::optional<Slot> parseSlot(std::string_view inside, size_t inputs) {
  Slot slot;
  slot.isNumber = inside == "#";
  if (slot.isNumber)
    return slot;
  const auto end = std::from_chars(inside.data(), inside.data() + inside.size(), slot.input);
  const bool hasDigits = end.ptr != inside.data();
  slot.how = inside.substr(static_cast<size_t>(end.ptr - inside.data()));
  if (hasDigits && (slot.input == 0 || slot.input > inputs))
    return std::nullopt;
  for (std::string_view known : {"", ".", "/", "//", "/."})
    if (slot.how == known)
      return slot;
  return std::nullopt;
}

/// Finds the next slot at or after `from`; `at` and `length` say where it stands.
std::optional<Slot> findSlot(std::string_view text, size_t inputs, size_t from, size_t &at,
                             size_t &length) {
  for (at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const size_t close = text.find('}', at);
    if (close == std::string_view::npos)
      return std::nullopt;
    length = close - at + 1;
    if (auto slot = parseSlot(text.substr(at + 1, length - 2), inputs))
      return slot;
  }
  return std::nullopt;
}

bool mentionsInput(std::string_view word, size_t inputs) {
  size_t at = 0, length = 0;
  for (size_t from = 0; auto slot = findSlot(word, inputs, from, at, length); from = at + length)
    if (!slot->isNumber)
      return true;
  return false;
}

Status addFeature(const std::string &text, const std::vector<std::string> &inputs, size_t number,
                  Job &job) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos ||
      !setFeature(text.substr(0, equals + 1) + expand(text.substr(equals + 1), inputs, number),
                  job.features, job.texts))
    return Error{"--feature " + escape(text) + " is not name=value"};
  return Done{};
}

/// Bytes of those inputs that are files, when any is.
void addSize(const std::vector<std::string> &paths, const fs::path &folder,
             std::map<std::string, double> &features) {
  double size = 0;
  bool any = false;
  for (const std::string &path : paths) {
    std::error_code no;
    if (path.empty() || path.size() > 4000 || !fs::is_regular_file(folder / path, no))
      continue;
    size += static_cast<double>(fs::file_size(folder / path, no));
    any = true;
  }
  if (any)
    features.try_emplace("size", size);
}

/// Each file is read once: a pipe has no second time, and who counts, times and samples plans anew.
Status readLines(const std::string &path, std::vector<std::string> &out) {
  static std::map<std::string, std::vector<std::string>> known;
  auto lines = known.find(path);
  if (lines == known.end()) {
    std::ifstream file(path == "-" ? "/dev/stdin" : path);
    if (!file)
      return Error{"cannot open " + escape(path) + ": " + std::strerror(errno)};
    lines = known.try_emplace(path).first;
    for (std::string line; std::getline(file, line);)
      lines->second.push_back(line);
  }
  out.insert(out.end(), lines->second.begin(), lines->second.end());
  return Done{};
}

/// The command, and the inputs of each ::: and :::: after it.
struct ParsedWords {
  std::vector<std::string> command;
  std::vector<std::vector<std::string>> sources;
};

Result<ParsedWords> parseWords(const std::vector<std::string> &words) {
  ParsedWords out;
  bool areFiles = false;
  for (const std::string &word : words) {
    if (word == ":::" || word == "::::") {
      areFiles = word == "::::";
      out.sources.emplace_back();
    } else if (word == ":::+" || word == "::::+") {
      return Error{word + " is not known here; write the pairs to a file and use --cases"};
    } else if (out.sources.empty()) {
      out.command.push_back(word);
    } else if (!areFiles) {
      out.sources.back().push_back(word);
    } else if (Status s = readLines(word, out.sources.back()); !s) {
      return s.error();
    }
  }
  if (out.command.empty())
    return Error{"no program to run; say: quincunx run -o prog.qx -- ./prog {} ::: inputs/*"};
  return out;
}

std::vector<std::string> fillCommand(const std::vector<std::string> &command,
                                     const std::vector<std::string> &inputs, size_t number,
                                     bool append) {
  std::vector<std::string> out;
  for (const std::string &word : command)
    if (word == "{}")
      out.insert(out.end(), inputs.begin(), inputs.end());
    else
      out.push_back(expand(word, inputs, number));
  if (append)
    out.insert(out.end(), inputs.begin(), inputs.end());
  return out;
}

/// Where a program given with a slash is, for running it in another folder.
std::string absoluteProgram(const std::string &program) {
  return program.find('/') == std::string::npos ? program : fs::absolute(program).string();
}

Result<Job> caseJob(const JobPlan &plan, const std::vector<std::string> &command,
                    const std::string &line, size_t number) {
  const auto column = fields(line, '\t');
  if (column.size() != 4)
    return Error{"a case has 4 columns separated by tabs (id, standard input or -, arguments, "
                 "parameters), not " +
                 std::to_string(column.size())};
  const Result<std::vector<std::string>> arguments = splitWords(column[2]);
  if (!arguments)
    return arguments.error();
  Job job;
  const std::vector<std::string> id{std::string(column[0])};
  job.folder = folderOf(plan.cases);
  job.standardInput = column[1] == "-" ? "" : column[1];
  job.label = plan.label.empty() ? id[0] : expand(plan.label, id, number);
  job.words = command;
  const auto slot = std::find(job.words.begin(), job.words.end(), "{}");
  const auto at = slot == job.words.end() ? slot : job.words.erase(slot);
  job.words.insert(at, arguments->begin(), arguments->end());
  for (const std::string_view parameter : fields(column[3], ' '))
    setFeature(parameter, job.features, job.texts);
  for (const std::string &feature : plan.features)
    if (Status s = addFeature(feature, id, number, job); !s)
      return s.error();
  addSize({job.standardInput}, job.folder, job.features);
  return job;
}

Result<std::vector<Job>> planCases(const JobPlan &plan, ParsedWords parsed) {
  if (!parsed.sources.empty())
    return Error{"--cases and ::: cannot be used together"};
  std::vector<std::string> lines;
  if (Status s = readLines(plan.cases, lines); !s)
    return s.error();
  parsed.command[0] = absoluteProgram(parsed.command[0]);
  std::vector<Job> jobs;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i].front() == '#')
      continue;
    Result<Job> job = caseJob(plan, parsed.command, lines[i], jobs.size() + 1);
    if (!job)
      return Error{job.error().text, plan.cases, static_cast<unsigned>(i + 1)};
    jobs.push_back(std::move(*job));
  }
  if (jobs.empty())
    return Error{escape(plan.cases) + " holds no cases"};
  return jobs;
}

Result<Job> inputJob(const JobPlan &plan, const std::vector<std::string> &command,
                     const std::vector<std::string> &inputs, size_t number, bool append) {
  Job job;
  job.words = fillCommand(command, inputs, number, append);
  const std::string usual = inputs.empty() ? fileName(command.front()) : "{}";
  job.label = expand(plan.label.empty() ? usual : plan.label, inputs, number);
  if (plan.onStandardInput)
    job.standardInput = inputs[0];
  for (const std::string &feature : plan.features)
    if (Status s = addFeature(feature, inputs, number, job); !s)
      return s.error();
  addSize(inputs, "", job.features);
  return job;
}

} // namespace

bool setFeature(std::string_view text, std::map<std::string, double> &numbers,
                std::map<std::string, std::string> &texts) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return false;
  const std::string name(text.substr(0, equals)), value(text.substr(equals + 1));
  numbers.erase(name);
  texts.erase(name);
  if (double number = 0; parseNumber(value, number))
    numbers[name] = number;
  else
    texts[name] = validUtf8(value);
  return true;
}

std::string expand(std::string_view pattern, const std::vector<std::string> &inputs,
                   size_t number) {
  std::string out;
  size_t from = 0, at = 0, length = 0;
  while (auto slot = findSlot(pattern, inputs.size(), from, at, length)) {
    out += pattern.substr(from, at - from);
    from = at + length;
    if (slot->isNumber)
      out += std::to_string(number);
    else if (slot->input != 0)
      out += changed(inputs[slot->input - 1], slot->how);
    else
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (i > 0)
          out += ' ';
        out += changed(inputs[i], slot->how);
      }
  }
  return out + std::string(pattern.substr(from));
}

std::vector<std::string> argumentsOf(const Job &job) {
  std::vector<std::string> out;
  for (size_t i = 1; i < job.words.size(); ++i)
    out.push_back(validUtf8(job.words[i]));
  return out;
}

namespace {

constexpr std::string_view threadsSlot = "{threads}";

std::string withThreads(std::string text, const std::string &threads) {
  for (size_t at = 0; (at = text.find(threadsSlot, at)) != std::string::npos; at += threads.size())
    text.replace(at, threadsSlot.size(), threads);
  return text;
}

/// The job with so many threads. Threads of libomp that wait do not spin: that is no work.
Job withThreads(Job job, uint32_t count) {
  const std::string threads = std::to_string(count);
  for (std::string &word : job.words)
    word = withThreads(word, threads);
  job.label = job.label.find(threadsSlot) != std::string::npos ? withThreads(job.label, threads)
                                                               : job.label + " threads=" + threads;
  job.features[threadsFeature] = count;
  job.environment.emplace_back("OMP_NUM_THREADS", threads);
  if (std::getenv("OMP_WAIT_POLICY") == nullptr)
    job.environment.emplace_back("OMP_WAIT_POLICY", "passive");
  return job;
}

Result<std::vector<Job>> planInputs(const JobPlan &plan) {
  Result<ParsedWords> parsed = parseWords(plan.words);
  if (!parsed)
    return parsed.error();
  if (!plan.cases.empty())
    return planCases(plan, std::move(*parsed));
  size_t total = parsed->sources.empty() && !plan.mayLackInputs ? 0 : 1;
  for (const auto &source : parsed->sources) {
    total *= source.size();
    if (total > 100'000'000)
      return Error{"the inputs make more than 100000000 combinations"};
  }
  if (total == 0)
    return Error{"no inputs; name them after :::, as in: quincunx run -o prog.qx -- ./prog {} ::: "
                 "inputs/*; a program without any is run N times by --repeat N"};
  const size_t count = parsed->sources.size();
  if (plan.onStandardInput && count != 1)
    return Error{"--stdin takes one ::: only"};
  const bool append =
      count > 0 && !plan.onStandardInput &&
      std::none_of(parsed->command.begin(), parsed->command.end(),
                   [&](const std::string &word) { return mentionsInput(word, count); });
  std::vector<Job> jobs;
  for (size_t i = 0; i < total; ++i) {
    std::vector<std::string> inputs(count);
    size_t rest = i;
    for (size_t s = count; s-- > 0; rest /= parsed->sources[s].size())
      inputs[s] = parsed->sources[s][rest % parsed->sources[s].size()];
    Result<Job> job = inputJob(plan, parsed->command, inputs, i + 1, append);
    if (!job)
      return job.error();
    jobs.push_back(std::move(*job));
  }
  return jobs;
}

} // namespace

Result<std::vector<Job>> planJobs(const JobPlan &plan) {
  if (plan.threads.empty() && std::ranges::any_of(plan.words, [](const std::string &word) {
        return word.find(threadsSlot) != std::string::npos;
      }))
    return Error{"{threads} is the number that --threads gives; say how many: --threads 1,2,4"};
  Result<std::vector<Job>> jobs = planInputs(plan);
  if (!jobs || plan.threads.empty())
    return jobs;
  std::vector<Job> all;
  for (const Job &job : *jobs)
    for (const uint32_t threads : plan.threads)
      all.push_back(withThreads(job, threads));
  return all;
}

} // namespace quincunx::tool
