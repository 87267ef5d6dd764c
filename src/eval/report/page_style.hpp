// SPDX-License-Identifier: Apache-2.0
// The style sheet of the page.
#pragma once

#include <string_view>

namespace puma::eval::detail {

// For screens of any width and for paper. Below 720 px the table's rows become cards.
std::string_view page_style();

}  // namespace puma::eval::detail
