// SPDX-License-Identifier: Apache-2.0
// The folder that the published extraction scripts leave behind.
#include <fmt/format.h>

#include "data/import.hpp"
#include "dist/error.hpp"

namespace puma::data {

std::vector<ImportRequest> published_requests(const std::filesystem::path& folder,
                                              const std::filesystem::path& out) {
  std::error_code ignored;
  std::string missing;
  std::vector<ImportRequest> requests;
  for (const CacheRole role : {CacheRole::queries, CacheRole::candidates}) {
    const std::string kind = role == CacheRole::queries ? "query" : "doc";
    ImportRequest request;
    request.role = role;
    request.vectors = folder / (kind + "_embeddings.npy");
    request.ids = folder / (kind + "_ids.json");
    for (const auto& file : {request.vectors, request.ids}) {
      if (!std::filesystem::exists(file, ignored)) {
        missing += (missing.empty() ? "no " : ", no ") + file.filename().string();
      }
    }
    for (const std::string& name : {kind + "_meta.json", std::string("metadata.json")}) {
      if (std::filesystem::exists(folder / name, ignored))
        request.metadata.push_back(folder / name);
    }
    request.out = out / to_string(role);
    requests.push_back(std::move(request));
  }
  if (!missing.empty()) {
    dist::fail_input({folder.string(), "this is no folder of published embeddings",
                      "query_embeddings.npy, query_ids.json, doc_embeddings.npy and doc_ids.json",
                      missing, "Give the files one by one: --vectors, --ids, --role."});
  }
  return requests;
}

}  // namespace puma::data
