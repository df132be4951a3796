// See CorpusThread.h. The corpus is closed after each reading, since a reader that stays would keep
// a writer from putting its log away.
#include "CorpusThread.h"

#include "arguments/BudgetQuestion.h"
#include "arguments/SourceBudgets.h"
#include "arguments/SourceReader.h"

#include "quincunx/estimate/TotalsPerRun.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include <sys/eventfd.h>
#include <unistd.h>

namespace quincunx::tool {

struct CorpusThread::Shared {
  CorpusOptions options;
  double mean = 0; ///< of the corpus that was read last; the thread's
  int event = -1;
  std::mutex mutex;
  std::condition_variable hasWork;
  std::deque<std::function<Reading()>> work;
  std::vector<Reading> done;

  void run();
  void ask(std::function<Reading()> what);
};

namespace {

/// Budgets of the source and of the usual file. What a baseline decides is nothing to ask here.
Result<std::vector<CheckedBudget>> brokenBudgets(const CorpusOptions &options,
                                                 const std::string &root) {
  const std::string path = (std::filesystem::path(root) / usualBudgets).string();
  std::vector<Budget> all;
  std::error_code none;
  if (std::filesystem::is_regular_file(path, none)) {
    Result<std::vector<Budget>> ofFile = readBudgets(path);
    if (!ofFile)
      return ofFile.error();
    all = std::move(*ofFile);
  }
  const Result<std::vector<SourceBudget>> ofSource = sourceBudgets(options);
  if (!ofSource)
    return ofSource.error();
  for (const SourceBudget &s : *ofSource)
    all.push_back(s.budget);
  std::erase_if(all, &Budget::ofBaseline);
  Result<BudgetReport> report = askBudgets(all, {options, ""});
  if (!report)
    return report.error();
  std::erase_if(report->budgets,
                [](const CheckedBudget &b) { return b.answer != BudgetAnswer::broken; });
  return std::move(report->budgets);
}

Result<std::shared_ptr<const EditorCorpus>>
readCorpus(const SourceReader &sources, const CorpusOptions &options, const std::string &root) {
  const PricedCorpus &priced = sources.priced;
  std::map<size_t, std::vector<double>> totals;
  Result<Observed> observed =
      observeWithTotals(priced.corpus, priced.maps, priced.machine,
                        [&](const FunctionFigures &f, std::span<const double> perRun) {
                          totals[f.number].assign(perRun.begin(), perRun.end());
                        });
  if (!observed)
    return observed.error();
  auto corpus = std::make_shared<EditorCorpus>(std::move(*observed), priced.names, sources.files,
                                               std::move(totals));
  Result<std::vector<CheckedBudget>> broken = brokenBudgets(options, root);
  if (broken)
    corpus->budgets = std::move(*broken);
  else
    corpus->unasked = broken.error();
  return std::shared_ptr<const EditorCorpus>(std::move(corpus));
}

} // namespace

void CorpusThread::Shared::run() {
  for (;;) {
    std::unique_lock lock(mutex);
    hasWork.wait(lock, [&] { return !work.empty(); });
    const std::function<Reading()> next = std::move(work.front());
    work.pop_front();
    lock.unlock();
    Reading result = next();
    lock.lock();
    done.push_back(std::move(result));
    eventfd_write(event, 1);
  }
}

void CorpusThread::Shared::ask(std::function<Reading()> what) {
  const std::lock_guard lock(mutex);
  work.push_back(std::move(what));
  hasWork.notify_one();
}

CorpusThread::CorpusThread(CorpusOptions options) : shared(std::make_shared<Shared>()) {
  shared->options = std::move(options);
  shared->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::thread([of = shared] { of->run(); }).detach();
}

void CorpusThread::read(const std::string &path, const std::string &root,
                        std::vector<SourceVersion> sources) {
  shared->ask([of = shared.get(), path, root, sources = std::move(sources)] {
    CorpusOptions &options = of->options;
    options.path = path;
    Reading result{path, nullptr, {}, {}};
    const Result<SourceReader> reader = openSources(options);
    const auto corpus = reader ? readCorpus(*reader, options, root)
                               : Result<std::shared_ptr<const EditorCorpus>>(reader.error());
    if (!corpus) {
      result.error = corpus.error();
      return result;
    }
    result.corpus = *corpus;
    of->mean = (*corpus)->observed.program.moments.mean;
    for (const SourceVersion &source : sources)
      if (Result<FileFigures> lines = reader->linesOf(source, (*corpus)->observed))
        result.lines.emplace(source, std::move(*lines));
    return result;
  });
}

void CorpusThread::readLines(const SourceVersion &source) {
  shared->ask([of = shared.get(), source] {
    Reading result{of->options.path, nullptr, {}, {}};
    Observed observed; // of runs, with their mean
    observed.program.moments.mean = of->mean;
    const Result<SourceReader> reader = openSources(of->options);
    Result<FileFigures> lines =
        reader ? reader->linesOf(source, observed) : Result<FileFigures>(reader.error());
    // Where they cannot be read the corpus changed, and is read again.
    result.lines.emplace(source, lines ? std::move(*lines) : FileFigures());
    return result;
  });
}

int CorpusThread::descriptor() const { return shared->event; }

std::vector<CorpusThread::Reading> CorpusThread::take() {
  const std::lock_guard lock(shared->mutex);
  eventfd_t count = 0;
  eventfd_read(shared->event, &count);
  return std::exchange(shared->done, {});
}

} // namespace quincunx::tool
