// Requests in raw records and live files (abi/record.h): checked chunk by chunk, and against the
// images of the record when all chunks are read, because an image may come after what was counted
// in it.
#pragma once

#include "Bytes.h"

#include "quincunx/profile/Run.h"

#include <map>

namespace quincunx {

/// The payload of sums behind the function's number; an empty string or what is wrong.
std::string readSums(Bytes payload, std::vector<RequestSums> &sums);
std::string writeSums(const std::vector<RequestSums> &sums);

/// Functions return an empty string or what is wrong with the file.
class RawRequests {
public:
  std::string addChunk(Bytes payload, bool live);
  std::string addSums(Bytes payload);
  std::string addFeatures(Bytes payload, bool live);
  /// Moves everything into the record. In a live file an image that found no space is missing; what
  /// was counted in it is left out.
  std::string finish(ProcessRecord &record, bool live);

private:
  struct Function {
    MarkedFunction marked;
    std::map<uint64_t, Request> slots; ///< the last request of each
  };
  std::map<uint32_t, Function> functions; ///< by number
  std::map<std::string, double> features;

  std::string addEntry(Function &f, Bytes entry);
};

} // namespace quincunx
