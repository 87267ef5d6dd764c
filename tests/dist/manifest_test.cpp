// SPDX-License-Identifier: Apache-2.0
#include "dist/manifest.hpp"

#include <gtest/gtest.h>

#include <string>

#include "dist/checksum.hpp"
#include "dist/files.hpp"
#include "scratch_folder.hpp"

namespace puma::dist {
namespace {

TEST(Manifest, RecordsInputsOutputsAndCosts) {
  const test::ScratchFolder folder("manifest");
  Manifest manifest("score");
  manifest.set("k", 16);
  manifest.set("k", 32);
  manifest.add_input("cache.h5", "abcd");
  const auto file = folder.path() / "out";
  write_file(file, std::string(5000, 'x'));
  manifest.add_output(file);
  const nlohmann::json m = manifest.finish();
  EXPECT_EQ(m["what"], "score");
  EXPECT_EQ(m["complete"], true);
  EXPECT_EQ(m["fields"]["k"], 32);
  EXPECT_EQ(m["inputs"][0]["checksum"], "abcd");
  EXPECT_EQ(m["outputs"][0]["bytes"], 5000);
  EXPECT_EQ(m["outputs"][0]["checksum"], checksum(std::string(5000, 'x')).hex());
  EXPECT_EQ(m["ranks"], 1);
  EXPECT_GE(m["wall_s"].get<double>(), 0);
  EXPECT_GE(m["cpu_s"].get<double>(), 0);
  EXPECT_GT(m["peak_rss_bytes"].get<std::int64_t>(), 1 << 20);
  if (std::filesystem::exists("/proc/self/io")) {
    EXPECT_GE(m["bytes_written"].get<std::int64_t>(), 5000);
  }
  EXPECT_FALSE(m.contains("failure"));
}

TEST(Manifest, FailureIsRecordedAlsoWhenOutputsAreMissing) {
  Manifest manifest("train");
  manifest.add_output("/no/such/checkpoint");
  manifest.fail("row 7 is not finite", 2);
  const nlohmann::json m = manifest.finish();
  EXPECT_EQ(m["complete"], false);
  EXPECT_EQ(m["failure"]["message"], "row 7 is not finite");
  EXPECT_EQ(m["failure"]["exit_code"], 2);
  EXPECT_TRUE(m["outputs"][0].contains("missing"));
}

TEST(Manifest, EmptyOneIsWellFormed) {
  const nlohmann::json m = Manifest("x").finish();
  EXPECT_TRUE(m["inputs"].is_array() && m["outputs"].is_array() && m["fields"].is_object());
}

TEST(BuildFacts, NameProgramAndMachine) {
  const nlohmann::json facts = build_facts();
  for (const char* key : {"version", "revision", "compiler", "flags", "build_type", "host",
                          "system", "instruction_set"}) {
    EXPECT_FALSE(facts[key].get<std::string>().empty()) << key;
  }
  EXPECT_EQ(facts["version"], "0.1.0");
  EXPECT_TRUE(facts["mpi"].is_boolean() && facts["cuda"].is_boolean());
}

}  // namespace
}  // namespace puma::dist
