// SPDX-License-Identifier: Apache-2.0
#include "model/training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "data/dense_cache.hpp"
#include "data/negatives.hpp"
#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/log.hpp"
#include "dist/philox.hpp"
#include "model/sampler.hpp"

namespace puma::model {

namespace {

using RowOf = std::unordered_map<std::string, std::int32_t>;

RowOf row_numbers(const std::vector<std::string>& ids) {
  RowOf rows;
  rows.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) rows.emplace(ids[i], static_cast<std::int32_t>(i));
  return rows;
}

// One side's queries that can be used: those with a positive in the pool.
struct Queries {
  std::vector<std::int64_t> rows;  // of the cache
  std::vector<std::string> ids;
  std::vector<std::vector<std::int32_t>> positives;  // ascending
};

struct QueryFiles {
  data::DenseCache cache;
  data::Qrels qrels;
  std::filesystem::path qrels_file;
};

QueryFiles open_queries(const std::filesystem::path& vectors, const std::filesystem::path& qrels,
                        const data::DenseCache& candidates) {
  QueryFiles files{data::DenseCache::open(vectors), data::read_qrels(qrels), qrels};
  data::check_qrels_queries(files.qrels, files.cache.ids(), qrels);
  if (files.cache.dim() != candidates.dim()) {
    dist::fail_input({files.cache.file().string(), "queries and candidates differ in dimension",
                      fmt::format("{} as in {}", candidates.dim(), candidates.file().string()),
                      fmt::format("{}", files.cache.dim()),
                      "Were they embedded by different backbones?"});
  }
  return files;
}

Queries usable_queries(const QueryFiles& files, const RowOf& pool) {
  Queries usable;
  const std::vector<std::string>& ids = files.cache.ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto judged = files.qrels.judgements.find(ids[i]);
    if (judged == files.qrels.judgements.end()) continue;
    std::vector<std::int32_t> positives;
    for (const data::Judgement& j : judged->second) {
      const auto row = pool.find(j.document);
      if (j.relevance > 0 && row != pool.end()) positives.push_back(row->second);
    }
    if (positives.empty()) continue;
    std::sort(positives.begin(), positives.end());
    usable.rows.push_back(static_cast<std::int64_t>(i));
    usable.ids.push_back(ids[i]);
    usable.positives.push_back(std::move(positives));
  }
  if (usable.rows.empty()) {
    dist::fail_input({files.qrels_file.string(), "no query has a positive in the pool",
                      "at least one relevant pair of known ids",
                      fmt::format("{} judged pairs", files.qrels.pairs()),
                      "Do the judgements belong to these caches?"});
  }
  return usable;
}

std::vector<float> gather_rows(const data::DenseCache& cache,
                               const std::vector<std::int64_t>& rows) {
  const auto dim = static_cast<std::size_t>(cache.dim());
  const std::vector<float> all = cache.read_all();
  std::vector<float> out;
  out.reserve(rows.size() * dim);
  for (const std::int64_t row : rows) {
    const auto first =
        all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * dim);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(dim));
  }
  return out;
}

void hold_out(const Queries& queries, const std::vector<std::int64_t>& numbers,
              const QueryFiles& files, TrainingInputs& inputs) {
  std::vector<std::int64_t> rows;
  for (const std::int64_t number : numbers) {
    const std::string& id = queries.ids[static_cast<std::size_t>(number)];
    rows.push_back(queries.rows[static_cast<std::size_t>(number)]);
    inputs.validation.query_ids.push_back(id);
    inputs.validation.qrels.judgements[id] = files.qrels.judgements.at(id);
  }
  inputs.data.validation_queries = gather_rows(files.cache, rows);
}

// Released code: queries shuffled with a fixed seed, the last ones held out; only the first `cap`
// of them are scored.
struct Split {
  std::vector<std::int64_t> train, validation;
};

Split split_queries(std::int64_t n, const config::Recipe& recipe) {
  const std::int64_t held = validation_count(n, recipe.validation_fraction);
  const auto order = random_permutation(n, 0, dist::RandomPurpose::validation_split, 0);
  Split split;
  split.train.assign(order.begin(), order.end() - held);
  split.validation.assign(order.end() - held, order.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

void cap(std::vector<std::int64_t>& numbers, const config::Recipe& recipe) {
  const auto most = static_cast<std::size_t>(recipe.validation_cap);
  if (most > 0 && numbers.size() > most) numbers.resize(most);
}

void join_negatives(const std::filesystem::path& file, const RowOf& pool, const Queries& queries,
                    const std::vector<std::int64_t>& numbers, TrainingInputs& inputs) {
  const data::Negatives negatives = data::read_negatives(file);
  inputs.data.hard_negatives.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto found = negatives.find(queries.ids[static_cast<std::size_t>(numbers[i])]);
    if (found == negatives.end()) continue;
    for (const std::string& id : found->second) {
      const auto row = pool.find(id);
      if (row == pool.end()) {
        ++inputs.unknown_negatives;
      } else {
        inputs.data.hard_negatives[i].push_back(row->second);
      }
    }
  }
}

void warn_left_out(const TrainingInputs& inputs, const TrainingFiles& files) {
  if (inputs.without_positive > 0) {
    dist::log_local(dist::LogLevel::warning,
                    fmt::format("{}: {} queries have no positive in the pool and are left out",
                                files.queries.string(), inputs.without_positive));
  }
  if (inputs.unknown_negatives > 0) {
    dist::log_local(dist::LogLevel::warning,
                    fmt::format("{}: {} negatives are not in the pool and are left out",
                                files.negatives.string(), inputs.unknown_negatives));
  }
}

}  // namespace

std::int64_t validation_count(std::int64_t n, double fraction) {
  if (fraction <= 0) return 0;
  // Half to even, as Python rounds.
  const auto wanted = static_cast<std::int64_t>(std::nearbyint(static_cast<double>(n) * fraction));
  return std::min(std::max<std::int64_t>(wanted, 1), n - 1);
}

TrainingInputs read_training_inputs(const TrainingFiles& files, const config::Recipe& recipe) {
  const data::DenseCache candidates = data::DenseCache::open(files.candidates);
  const QueryFiles train = open_queries(files.queries, files.qrels, candidates);
  const RowOf pool = row_numbers(candidates.ids());
  const Queries queries = usable_queries(train, pool);
  const auto usable = static_cast<std::int64_t>(queries.rows.size());

  TrainingInputs inputs;
  inputs.without_positive = train.cache.rows() - usable;
  inputs.validation.pool_ids = candidates.ids();
  std::string names = fmt::format("queries {}\ncandidates {}\nqrels {}\n",
                                  train.cache.content_checksum(), candidates.content_checksum(),
                                  dist::checksum(data::qrels_text(train.qrels)).hex());

  std::vector<std::int64_t> numbers;
  if (files.validation_queries.empty()) {
    Split split = split_queries(usable, recipe);
    numbers = std::move(split.train);
    cap(split.validation, recipe);
    if (!split.validation.empty()) hold_out(queries, split.validation, train, inputs);
  } else {
    const QueryFiles held =
        open_queries(files.validation_queries, files.validation_qrels, candidates);
    const Queries held_queries = usable_queries(held, pool);
    for (std::int64_t i = 0; i < usable; ++i) numbers.push_back(i);
    std::vector<std::int64_t> held_numbers;
    for (std::size_t i = 0; i < held_queries.rows.size(); ++i) {
      held_numbers.push_back(static_cast<std::int64_t>(i));
    }
    cap(held_numbers, recipe);
    hold_out(held_queries, held_numbers, held, inputs);
    names += fmt::format("validation {}\nvalidation qrels {}\n", held.cache.content_checksum(),
                         dist::checksum(data::qrels_text(held.qrels)).hex());
  }

  inputs.data.dim = candidates.dim();
  std::vector<std::int64_t> rows;
  for (const std::int64_t number : numbers) {
    rows.push_back(queries.rows[static_cast<std::size_t>(number)]);
    inputs.data.positives.push_back(queries.positives[static_cast<std::size_t>(number)]);
  }
  inputs.data.queries = gather_rows(train.cache, rows);
  inputs.data.candidates = candidates.read_all();
  if (!files.negatives.empty()) {
    join_negatives(files.negatives, pool, queries, numbers, inputs);
    names += "negatives " + dist::file_checksum(files.negatives).hex() + "\n";
  }
  inputs.data.checksum = dist::checksum(names).hex();
  warn_left_out(inputs, files);
  return inputs;
}

}  // namespace puma::model
