// SPDX-License-Identifier: Apache-2.0
#include "jobs/table_files.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "data/dense_cache.hpp"
#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "eval/report/render.hpp"

namespace puma::jobs {
namespace {

constexpr const char* kCellForm = "dataset=D,backbone=B,method=M[,k=K][,seed=S],measures=FILE";

void read_measures(const std::filesystem::path& file, eval::Cell& cell) {
  const auto json = nlohmann::json::parse(dist::read_file(file), nullptr, false);
  if (json.is_discarded()) {
    dist::fail_input({file.string(), "it cannot be read as JSON", "the measures of a run", "",
                      "Write it again with `puma evaluate`."});
  }
  cell.measures = eval::measures_from_json(json, file.string());
  const auto text = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
  };
  cell.qrels_checksum = text("qrels_checksum");
  cell.tie_rule = text("tie_rule");
}

std::int64_t whole_number(const std::string& key, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    dist::fail_usage(fmt::format("--cell has {}={}", key, text), "it must be a whole number",
                     fmt::format("Write --cell {}", kCellForm));
  }
  return value;
}

}  // namespace

eval::Cell read_cell(const std::string& text) {
  std::map<std::string, std::string> fields{{"dataset", ""}, {"backbone", ""}, {"method", ""},
                                            {"k", ""},       {"seed", ""},     {"measures", ""}};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t equals = text.find('=', begin);
    const std::string key = text.substr(begin, equals - begin);
    const auto field = fields.find(key);
    if (equals == std::string::npos || field == fields.end()) {
      dist::fail_usage(fmt::format("--cell {}: '{}' is no part of a cell", text, key), "",
                       fmt::format("Write --cell {}", kCellForm));
    }
    std::size_t end = key == "measures" ? text.size() : text.find(',', equals);
    end = std::min(end, text.size());
    field->second = text.substr(equals + 1, end - equals - 1);
    begin = end + 1;
  }
  for (const char* key : {"dataset", "backbone", "method", "measures"}) {
    if (fields[key].empty()) {
      dist::fail_usage(fmt::format("--cell {}: {} is missing", text, key), "",
                       fmt::format("Write --cell {}", kCellForm));
    }
  }
  eval::Cell cell;
  cell.dataset = fields["dataset"];
  cell.backbone = fields["backbone"];
  cell.method = fields["method"];
  if (!fields["k"].empty()) cell.k = whole_number("k", fields["k"]);
  if (!fields["seed"].empty()) cell.seed = whole_number("seed", fields["seed"]);
  cell.provenance = fields["measures"];
  read_measures(fields["measures"], cell);
  if (cell.k) cell.bytes_per_vector = 8 * *cell.k;
  return cell;
}

std::vector<eval::Cell> read_cells(const study::TaskGraph& graph, const study::Store& store,
                                   const study::Task& task) {
  std::vector<eval::Cell> cells;
  std::map<std::string, std::int64_t> dims;            // by id of the candidates
  std::map<std::string, std::string> qrels_checksums;  // by id of the queries
  for (const nlohmann::json& entry : task.params.at("cells")) {
    const auto role = entry.at("role").get<std::string>();
    const study::Task& evaluate = graph.at(task.parents.at(role));
    eval::Cell cell;
    cell.dataset = entry.at("dataset").get<std::string>();
    cell.backbone = entry.at("backbone").get<std::string>();
    cell.method = entry.at("method").get<std::string>();
    if (entry.contains("k") && entry["k"].is_number_integer() && entry["k"] > 0) {
      cell.k = entry["k"].get<std::int64_t>();
    }
    cell.seed = entry.value("seed", std::int64_t{0});
    cell.provenance = "evaluate/" + evaluate.id;
    read_measures(store.output(graph, task, role, "measures.json"), cell);
    std::string& judged = qrels_checksums[evaluate.parents.at("queries")];
    if (judged.empty()) {
      judged = dist::file_checksum(store.output(graph, evaluate, "queries", "qrels.txt")).hex();
    }
    cell.qrels_checksum = judged;
    std::int64_t& dim = dims[evaluate.parents.at("candidates")];
    if (dim == 0) {
      dim = data::DenseCache::open(store.output(graph, evaluate, "candidates", "vectors.h5")).dim();
    }
    cell.bytes_per_vector = cell.k ? 8 * *cell.k : 4 * dim;
    cells.push_back(std::move(cell));
  }
  return cells;
}

eval::AggregateOptions options_from_params(const nlohmann::json& params) {
  eval::AggregateOptions o;
  o.study = params.value("study", o.study);
  o.baseline = params.value("baseline", o.baseline);
  o.primary = params.value("primary", o.primary);
  o.alpha = params.value("alpha", o.alpha);
  o.trials = params.value("trials", o.trials);
  o.resamples = params.value("resamples", o.resamples);
  o.seed = params.value("seed", o.seed);
  o.notes = params.value("notes", o.notes);
  return o;
}

const std::vector<std::string>& table_file_names() {
  static const std::vector<std::string> names{"table.md",   "table.csv",  "table.tex",
                                              "table.json", "figure.svg", "index.html"};
  return names;
}

void write_tables(const std::filesystem::path& folder, const eval::Aggregate& a) {
  dist::write_file(folder / "table.md", eval::render_markdown(a));
  dist::write_file(folder / "table.csv", eval::render_csv(a));
  dist::write_file(folder / "table.tex", eval::render_latex(a));
  dist::write_file(folder / "table.json", eval::render_json(a).dump(2) + "\n");
  dist::write_file(folder / "figure.svg", eval::draw_figure(a));
  dist::write_file(folder / "index.html", eval::render_html(a, eval::draw_panels(a)));
}

}  // namespace puma::jobs
