// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "dist/error.hpp"
#include "eval/measures.hpp"

namespace puma::eval {
namespace {

struct KnownMeasure {
  std::string_view prefix;
  MeasureKind kind;
  bool needs_cutoff;
};

// Aliases stand after the name that is printed.
constexpr std::array kKnown{
    KnownMeasure{"Success", MeasureKind::success, true},
    KnownMeasure{"Hit", MeasureKind::success, true},
    KnownMeasure{"R", MeasureKind::recall, true},
    KnownMeasure{"MicroR", MeasureKind::micro_recall, true},
    KnownMeasure{"nDCG", MeasureKind::ndcg, false},
    KnownMeasure{"RR", MeasureKind::rr, false},
};

[[noreturn]] void fail_unknown(const std::string& name) {
  dist::fail_usage(fmt::format("unknown measure '{}'", name),
                   "known are Success@k (also Hit@k), R@k, MicroR@k, nDCG, nDCG@k, RR and RR@k",
                   "Write for example nDCG@10");
}

}  // namespace

std::string Measure::name() const {
  for (const KnownMeasure& known : kKnown) {
    if (known.kind != kind) continue;
    return cutoff > 0 ? fmt::format("{}@{}", known.prefix, cutoff) : std::string(known.prefix);
  }
  PUMA_ASSERT(false);
  return {};
}

std::string Measure::definition() const {
  const std::string first = cutoff > 0 ? fmt::format("the first {}", cutoff) : "the ranking";
  switch (kind) {
    case MeasureKind::success:
      return fmt::format(
          "1 if {} hold a relevant document, else 0 (the paper's Hit@k; UniIR's "
          "Recall@k)",
          first);
    case MeasureKind::recall:
      return fmt::format(
          "relevant documents in {} / all relevant documents, averaged over queries "
          "(trec_eval recall)",
          first);
    case MeasureKind::micro_recall:
      return fmt::format(
          "sum over queries of relevant documents in {} / sum of all relevant "
          "documents (the published code's recall)",
          first);
    case MeasureKind::ndcg:
      return fmt::format(
          "sum of relevance / log2(rank + 1) over {} / the same of an ideal ranking "
          "of all judged documents (trec_eval ndcg_cut, linear gain)",
          first);
    case MeasureKind::rr:
      return fmt::format(
          "1 / rank of the first relevant document in {}, else 0 (trec_eval "
          "recip_rank)",
          first);
  }
  PUMA_ASSERT(false);
  return {};
}

Measure parse_measure(const std::string& name) {
  const std::size_t at = name.find('@');
  const std::string_view prefix = std::string_view(name).substr(0, at);
  for (const KnownMeasure& known : kKnown) {
    if (known.prefix != prefix) continue;
    if (at == std::string::npos) {
      if (!known.needs_cutoff) return {known.kind, 0};
      dist::fail_usage(fmt::format("measure '{}' has no cutoff", name),
                       "it is defined for the first k documents",
                       fmt::format("Write for example {}@10", name));
    }
    std::int64_t cutoff = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + at + 1, end, cutoff);
    if (error != std::errc() || stop != end || cutoff < 1) {
      dist::fail_usage(fmt::format("measure '{}' has no usable cutoff", name),
                       "after @ stands a whole number of at least 1",
                       fmt::format("Write for example {}@10", prefix));
    }
    return {known.kind, cutoff};
  }
  fail_unknown(name);
}

}  // namespace puma::eval
