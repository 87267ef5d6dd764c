// SPDX-License-Identifier: Apache-2.0
// The `datasets` part of a study file: three ways to say where embeddings lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "study/study.hpp"

namespace puma::study {

// {cache: DIR, task: N} | {published: {SPLIT: DIR}, qrels: {SPLIT: FILE}} | {queries: {SPLIT:
// FILES}, candidates: FILES} | {backbones: {NAME: one of these}}. "{backbone}" in a path stands for
// the backbone's name. Files must exist.
Dataset read_dataset(const std::string& name, const config::Yaml& node,
                     const std::vector<std::string>& backbones,
                     const std::filesystem::path& study_file);

}  // namespace puma::study
