// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

// RFC 4180: fields with a comma, a quote or a line end stand in quotes, quotes are doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

class Line {
 public:
  Line& text(const std::string& s) {
    if (!first_) out_ += ',';
    out_ += field(s);
    first_ = false;
    return *this;
  }
  // Shortest decimal that reads back as the same double.
  Line& number(double x) { return text(fmt::format("{}", x)); }
  Line& number(std::int64_t x) { return text(std::to_string(x)); }
  Line& empty(int fields) {
    for (int i = 0; i < fields; ++i) text("");
    return *this;
  }
  std::string end() const { return out_ + '\n'; }

 private:
  std::string out_;
  bool first_ = true;
};

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ";") + item;
  return out;
}

std::string value_line(const Aggregate& a, const Row& row, const std::string& measure,
                       const MeasuredValue& value) {
  std::vector<std::string> seeds;
  for (const std::int64_t seed : row.seeds) seeds.push_back(std::to_string(seed));
  Line line;
  line.text(a.options.study).text(row.dataset).text(row.backbone).text(row.method);
  line.text(row.k ? std::to_string(*row.k) : "").text(joined(seeds)).number(row.queries);
  line.text(measure).number(value.mean).number(value.interval.low).number(value.interval.high);
  if (const auto& c = value.against_baseline) {
    line.text(a.options.baseline).number(c->difference);
    line.number(c->interval.low).number(c->interval.high).number(c->test.p);
    line.text(c->test.exact ? "exact" : "monte-carlo").number(c->test.trials);
    line.number(c->test.standard_error).number(c->wins).number(c->ties).number(c->losses);
  } else {
    line.empty(11);
  }
  line.text(value.no_comparison_because).number(a.options.resamples);
  line.text(fmt::format("{}", a.options.seed));
  return line.text(row.qrels_checksum).text(joined(row.provenance)).end();
}

}  // namespace

std::string render_csv(const Aggregate& a) {
  std::string out =
      "study,dataset,backbone,method,k,seeds,n,measure,mean,low,high,baseline,difference,"
      "difference_low,difference_high,p,test,trials,p_error,wins,ties,losses,"
      "no_comparison_because,resamples,seed,qrels_checksum,provenance\n";
  for (const Row& row : a.rows) {
    for (const Measure& m : a.measures) {
      const auto value = row.values.find(m.name());
      if (value != row.values.end()) out += value_line(a, row, m.name(), value->second);
    }
  }
  return out;
}

}  // namespace puma::eval
