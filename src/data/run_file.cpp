// SPDX-License-Identifier: Apache-2.0
#include "data/run_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/h5_columns.hpp"
#include "data/run_check.hpp"
#include "dist/checksum.hpp"
#include "dist/error.hpp"

namespace puma::data {
namespace {

constexpr std::int64_t run_version = 1;

// The rankings as rectangles: as wide as the longest list, zeros behind shorter ones.
struct Packed {
  std::int64_t width = 0;
  std::vector<std::uint32_t> lengths, documents;
  std::vector<float> scores;
};

Packed pack(const Run& run) {
  Packed packed;
  for (const auto& list : run.ranking) {
    packed.width = std::max(packed.width, static_cast<std::int64_t>(list.size()));
  }
  const auto width = static_cast<std::size_t>(packed.width);
  packed.documents.assign(run.ranking.size() * width, 0);
  packed.scores.assign(run.ranking.size() * width, 0.0f);
  for (std::size_t q = 0; q < run.ranking.size(); ++q) {
    const auto& list = run.ranking[q];
    packed.lengths.push_back(static_cast<std::uint32_t>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      packed.documents[q * width + i] = list[i].document;
      packed.scores[q * width + i] = list[i].score;
    }
  }
  return packed;
}

// Of everything in the file: the rankings, the ids and what else a reader relies on.
std::string content_checksum(const Run& run, const Packed& packed) {
  std::string names;
  const auto add = [&](const std::string& text) {
    names += text;
    names += '\0';
  };
  add(run.name);
  add(run.representation);
  add(run.tie_rule);
  for (const std::string& id : run.query_ids) add(id);
  for (const std::string& id : run.document_ids) add(id);
  std::string digests = dist::checksum(std::string_view(names)).hex();
  digests += dist::checksum(std::as_bytes(std::span<const std::uint32_t>(packed.lengths))).hex();
  digests += dist::checksum(std::as_bytes(std::span<const std::uint32_t>(packed.documents))).hex();
  digests += dist::checksum(std::as_bytes(std::span<const float>(packed.scores))).hex();
  digests += fmt::format("{} {}", run.depth, run.pool_size);
  return dist::checksum(std::string_view(digests)).hex();
}

// Counts say which data sets exist: an empty one is left out, since HDF5 gives it no place in the
// file.
struct Counts {
  std::int64_t queries = 0, documents = 0, width = 0;
};

Counts read_counts(const dist::H5Reader& reader) {
  const auto count = [&](const std::string& name) {
    const std::int64_t value = reader.int_attribute(name);
    if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
      dist::fail_input({reader.file().string(), fmt::format("attribute '{}' is out of range", name),
                        "0 to 2147483647", std::to_string(value),
                        "The file is damaged, or was not written by puma."});
    }
    return value;
  };
  return {count("queries"), count("documents"), count("width")};
}

void unpack(const dist::H5Reader& reader, const Packed& packed, Run& run) {
  const auto width = static_cast<std::size_t>(packed.width);
  for (std::size_t q = 0; q < packed.lengths.size(); ++q) {
    if (packed.lengths[q] > width) {
      dist::fail_input(
          {reader.file().string(),
           fmt::format("query '{}': the list is longer than the file is wide", run.query_ids[q]),
           fmt::format("at most {}", width), std::to_string(packed.lengths[q]),
           "The file is damaged: score again."});
    }
    auto& list = run.ranking.emplace_back();
    for (std::size_t i = 0; i < packed.lengths[q]; ++i) {
      list.push_back({packed.documents[q * width + i], packed.scores[q * width + i]});
    }
  }
}

}  // namespace

void write_run(const std::filesystem::path& file, const Run& run) {
  const auto problem = check_run(run);
  if (problem) {
    throw dist::Error(dist::ExitCode::internal,
                      fmt::format("{}: not a valid run: {}", file.string(), problem->problem),
                      fmt::format("expected {}, found {}", problem->expected, problem->found));
  }
  const Packed packed = pack(run);
  const auto queries = static_cast<std::int64_t>(run.query_ids.size());
  const auto documents = static_cast<std::int64_t>(run.document_ids.size());
  dist::H5Writer writer(dist::Comm(), file);
  writer.attribute("schema", std::string("puma run"));
  writer.attribute("version", run_version);
  writer.attribute("name", run.name);
  writer.attribute("representation", run.representation);
  writer.attribute("tie_rule", run.tie_rule);
  writer.attribute("depth", run.depth);
  writer.attribute("pool_size", run.pool_size);
  writer.attribute("queries", queries);
  writer.attribute("documents", documents);
  writer.attribute("width", packed.width);
  writer.attribute("checksum", content_checksum(run, packed));
  if (documents > 0) write_texts(writer, "document_ids", run.document_ids, {0, documents});
  if (queries > 0) {
    const dist::RowRange all{0, queries};
    write_texts(writer, "query_ids", run.query_ids, all);
    writer.dataset("lengths", {dist::H5Type::u32, 0, {queries}}, all,
                   std::as_bytes(std::span<const std::uint32_t>(packed.lengths)));
    if (packed.width > 0) {
      writer.dataset("documents", {dist::H5Type::u32, 0, {queries, packed.width}}, all,
                     std::as_bytes(std::span<const std::uint32_t>(packed.documents)));
      writer.dataset("scores", {dist::H5Type::f32, 0, {queries, packed.width}}, all,
                     std::as_bytes(std::span<const float>(packed.scores)));
    }
  }
  writer.commit();
}

Run read_run(const std::filesystem::path& file) {
  const dist::H5Reader reader(file);
  check_text_attribute(reader, "schema", "puma run");
  check_int_attribute(reader, "version", run_version);
  const Counts counts = read_counts(reader);
  Run run;
  run.name = reader.text_attribute("name");
  run.representation = reader.text_attribute("representation");
  run.tie_rule = reader.text_attribute("tie_rule");
  run.depth = reader.int_attribute("depth");
  run.pool_size = reader.int_attribute("pool_size");
  if (counts.documents > 0) run.document_ids = read_texts(reader, "document_ids", counts.documents);
  Packed packed;
  packed.width = counts.width;
  if (counts.queries > 0) {
    const dist::RowRange all{0, counts.queries};
    run.query_ids = read_texts(reader, "query_ids", counts.queries);
    packed.lengths =
        read_numbers<std::uint32_t>(reader, "lengths", dist::H5Type::u32, counts.queries, -1, all);
    if (counts.width > 0) {
      packed.documents = read_numbers<std::uint32_t>(reader, "documents", dist::H5Type::u32,
                                                     counts.queries, counts.width, all);
      packed.scores = read_numbers<float>(reader, "scores", dist::H5Type::f32, counts.queries,
                                          counts.width, all);
    }
  }
  unpack(reader, packed, run);
  if (const auto problem = check_run(run)) {
    dist::fail_input({file.string(), problem->problem, problem->expected, problem->found,
                      "The file is damaged, or was not written by puma: score again."});
  }
  check_text_attribute(reader, "checksum", content_checksum(run, packed));
  return run;
}

}  // namespace puma::data
