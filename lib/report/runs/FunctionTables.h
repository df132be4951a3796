// The tables of functions of a report, and how its figures are written.
#pragma once

#include "quincunx/report/Terminal.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace quincunx {

/// Of one run there is nothing that others are below.
bool hasPercentiles(const Observed &o);
/// A row without these columns, which come in ascending order.
std::vector<std::string> without(std::vector<std::string> row, const std::vector<size_t> &columns);
/// At most four digits of a time; costs that were counted are as exact as they are.
std::string shown(double x, const Observed &o);
std::string shown(Percentile q, const Observed &o);
/// Of a part of the program: a time with the decimals that its p50 has of four digits.
std::string partOf(const Percentile &q, const Observed &o);
/// How often a function was called; calls of what was inlined have no count, and may be more.
std::string callsOf(const FunctionFigures &f, double mean);

/// What functions cost with all they call, themselves, and in one call.
void printTotals(const Observed &o, const Rows &rows, const Display &display, std::ostream &out);
/// What functions cost themselves, below what the program does.
void printSelf(const Observed &o, const Rows &rows, const Display &display, std::ostream &out);
/// What is known of the bytes of library calls; nothing is printed where it is of none.
void printBytes(const Observed &o, const std::vector<const FunctionFigures *> &functions,
                const Display &display, std::ostream &out);

} // namespace quincunx
