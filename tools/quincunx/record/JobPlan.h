// The plan of a series of runs: from the words of a command line to the list of jobs, `./prog {}
// ::: a b c` as in GNU parallel, or a file of cases. It starts nothing and knows no corpus.
#pragma once

#include "quincunx/base/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::tool {

/// One execution to make.
struct Job {
  std::vector<std::string> words; ///< program and arguments
  std::string label;
  std::string standardInput; ///< path, relative to `folder`; empty: nothing to read
  std::string folder;        ///< to run in; empty: the caller's
  std::map<std::string, double> features;
  std::map<std::string, std::string> texts;                     ///< features that are no numbers
  std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
};

/// Takes "name=value" to the numbers, or to the texts where the value is none; what the name stood
/// for is gone. False: it is not of that form.
bool setFeature(std::string_view text, std::map<std::string, double> &numbers,
                std::map<std::string, std::string> &texts);

struct JobPlan {
  std::vector<std::string> words;    ///< after `--`: the command, ::: and inputs
  std::string cases;                 ///< file of cases; empty: none
  std::string label;                 ///< template; empty: the inputs
  std::vector<std::string> features; ///< name=value, the value may be a template
  std::vector<uint32_t> threads;     ///< to have, one job each; empty: nothing is said of them
  bool mayLackInputs = false;        ///< without :::, the command is a job
  bool onStandardInput = false;      ///< the input is read there and not named as an argument
};

/// Errors are mistakes in the command line or in the file of cases.
Result<std::vector<Job>> planJobs(const JobPlan &plan);

/// The arguments of a job as a corpus stores them.
std::vector<std::string> argumentsOf(const Job &job);

/// {} {.} {/} {//} {/.} {#} and the same with a number: {2/.}. `number` is the job's, from 1.
std::string expand(std::string_view pattern, const std::vector<std::string> &inputs, size_t number);

} // namespace quincunx::tool
