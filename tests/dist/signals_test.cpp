// SPDX-License-Identifier: Apache-2.0
#include "dist/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace puma::dist {
namespace {

TEST(StopSignals, RememberTheFirstOfEachKindUntilCleared) {
  install_stop_signals();
  install_stop_signals();  // safe to repeat
  for (const int signal : {SIGTERM, SIGUSR1, SIGUSR2, SIGINT}) {
    clear_stop_signal();
    EXPECT_FALSE(stop_requested());
    ::raise(signal);
    EXPECT_EQ(stop_signal(), signal);
    EXPECT_TRUE(stop_requested());
    ::raise(signal == SIGTERM ? SIGINT : SIGTERM);
    EXPECT_EQ(stop_signal(), signal);
  }
  clear_stop_signal();
}

}  // namespace
}  // namespace puma::dist
