// SPDX-License-Identifier: LGPL-2.1-or-later
// Energy counters are found, read or reported as absent, with stand-ins for NVML and RAPL's folder;
// turns and their energy are right.
#include "tests/bench/energy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace rdp::bench {
namespace {

constexpr const char* kBus = "00000000:00:00.0";

class EnergyTest : public testing::Test {
 protected:
  EnergyTest() {
    std::string made = (std::filesystem::temp_directory_path() / "rdp-energy-XXXXXX").string();
    folder_ = mkdtemp(made.data());
  }
  ~EnergyTest() override {
    std::filesystem::remove_all(folder_);
    unsetenv("STANDIN_NVML_FAIL");
  }

  void zone(const std::string& zone, const std::string& name, const std::string& microjoules) {
    std::filesystem::create_directories(folder_ / zone);
    std::ofstream(folder_ / zone / "name") << name << "\n";
    std::ofstream(folder_ / zone / "max_energy_range_uj") << "1000000000\n";
    if (!microjoules.empty()) std::ofstream(folder_ / zone / "energy_uj") << microjoules << "\n";
  }

  std::filesystem::path folder_;
};

TEST_F(EnergyTest, GpuCounterIsReadInJoules) {
  const FoundCounter found = gpu_energy(kBus, STANDIN_NVML);
  ASSERT_NE(found.counter, nullptr) << found.absent;
  double before = found.counter->joules();
  EXPECT_GE(before, 1000);
  double steps = 0;
  for (int i = 0; i < 9; ++i) {
    const double now = found.counter->joules();
    EXPECT_TRUE(now == before || std::abs(now - before - 7) < 1e-9);
    steps += now - before;
    before = now;
  }
  EXPECT_NEAR(steps, 21, 1e-9);
}

TEST_F(EnergyTest, GpuCounterThatIsAbsentIsSaid) {
  EXPECT_NE(gpu_energy(kBus, "libno-such-nvml.so.1").absent.find("libno-such-nvml.so.1"),
            std::string::npos);
  const FoundCounter other = gpu_energy(kBus, "libc.so.6");  // a library without NVML's functions
  EXPECT_EQ(other.counter, nullptr);
  EXPECT_NE(other.absent.find("nvmlInit_v2"), std::string::npos);
  EXPECT_NE(gpu_energy("00000000:2c:00.0", STANDIN_NVML).absent.find("GPU 00000000:2c:00.0"),
            std::string::npos);
  for (const auto& [function, words] : {std::pair{"nvmlInit_v2", "starting NVML"},
                                        {"nvmlDeviceGetTotalEnergyConsumption", "without MIG"}}) {
    setenv("STANDIN_NVML_FAIL", function, 1);
    const FoundCounter found = gpu_energy(kBus, STANDIN_NVML);
    EXPECT_EQ(found.counter, nullptr);
    EXPECT_NE(found.absent.find("got: Not Supported"), std::string::npos) << found.absent;
    EXPECT_NE(found.absent.find(words), std::string::npos) << found.absent;
  }
}

TEST_F(EnergyTest, CpuCounterSumsPackagesAndWraps) {
  zone("intel-rapl:0", "package-0", "999000000");
  zone("intel-rapl:1", "package-1", "5000000");
  zone("intel-rapl:0:0", "core", "7000000");
  zone("intel-rapl:2", "psys", "9000000");
  const FoundCounter found = cpu_energy(folder_);
  ASSERT_NE(found.counter, nullptr) << found.absent;
  EXPECT_DOUBLE_EQ(found.counter->joules(), 0);
  zone("intel-rapl:0", "package-0", "2000000");
  zone("intel-rapl:1", "package-1", "5500000");
  zone("intel-rapl:0:0", "core", "99000000");
  EXPECT_DOUBLE_EQ(found.counter->joules(), 3.5);
  EXPECT_DOUBLE_EQ(found.counter->joules(), 3.5);
  std::filesystem::remove(folder_ / "intel-rapl:1" / "energy_uj");
  EXPECT_THROW(found.counter->joules(), std::runtime_error);
}

TEST_F(EnergyTest, CpuCounterThatIsAbsentIsSaid) {
  EXPECT_NE(cpu_energy(folder_ / "none").absent.find("No such file"), std::string::npos);
  EXPECT_NE(cpu_energy(folder_).absent.find("none of a package"), std::string::npos);
  zone("intel-rapl:0", "package-0", "");
  EXPECT_NE(cpu_energy(folder_).absent.find("energy_uj: expected a number"), std::string::npos);
}

// A simulated machine with a simulated clock: it draws what its side states.
struct Machine : EnergyCounter {
  double seconds = 0, used = 0, watts = 0, step = 7;

  // `draws`: watts during work; `takes`: seconds per call.
  EnergySide side(const std::string& name, double draws, double takes, long frames) {
    EnergySide made;
    made.name = name;
    made.work = [this, draws, takes, frames] {
      seconds += takes;
      used += draws * takes;
      return frames;
    };
    return made;
  }
  double joules() override { return std::floor(used / step) * step; }
  SecondsClock clock() {
    return [this] { return seconds; };
  }
};

TEST_F(EnergyTest, JoulesOfAFrameAreThoseOfTheMachine) {
  Machine machine;
  std::string order;
  std::vector<EnergySide> sides{machine.side("idle", 100, 0.005, 0),
                                machine.side("fast", 300, 0.005, 500),
                                machine.side("slow", 500, 0.02, 200)};
  for (EnergySide& side : sides) {
    side.start = [&order, &side] { order += side.name.substr(0, 1); };
    side.stop = [&order] { order += '.'; };
  }
  measure_energy(&machine, {20, 4, 0.5}, &sides, machine.clock());
  EXPECT_EQ(order, "i.f.s.i.f.s.i.f.s.i.f.s.");
  // A step of 7 J is 1.4 % of an idle turn (5 s at 100 W), so turns must begin and end at steps.
  EXPECT_NEAR(sides[0].watts(), 100, 0.3);
  EXPECT_NEAR(sides[1].millijoules(), 3.0, 0.01);
  EXPECT_NEAR(sides[1].millijoules_above(sides[0].watts()), 2.0, 0.01);
  EXPECT_NEAR(sides[2].millijoules_above(sides[0].watts()), 40.0, 0.2);
  for (const EnergySide& side : sides) {
    EXPECT_EQ(side.turns.size(), 4U);
    EXPECT_GE(side.all().seconds, 20);
    EXPECT_LT(side.all().seconds, 21);
  }
}

TEST_F(EnergyTest, CounterThatStandsStillIsAnError) {
  Machine machine;
  machine.step = 1e9;
  std::vector<EnergySide> sides{machine.side("idle", 100, 0.005, 0)};
  EXPECT_THROW(measure_energy(&machine, {1, 1, 0.1}, &sides, machine.clock()), std::runtime_error);
}

TEST_F(EnergyTest, TableIsPrintedOrWhyThereIsNone) {
  std::vector<EnergySide> sides;
  testing::internal::CaptureStdout();
  run_energy({nullptr, "no folder"}, 1, "engines", &sides);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "\nno energy of engines: no folder\n");
  sides = {{"idle", {}}, {"ours", {}}};
  sides[0].turns = {{0, 2, 200}};
  sides[1].turns = {{1000, 1, 300}, {1000, 1, 320}};
  testing::internal::CaptureStdout();
  print_energy("engines", sides);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "| engines | us a frame | W | mJ a frame | above idle (mJ) | least turn | most |\n"
            "|---|---|---|---|---|---|---|\n"
            "| idle |  | 100.0 |  |  |  |  |\n"
            "| ours | 1000.00 | 310.0 | 310 | 210 | 200 | 220 |\n");
}

}  // namespace
}  // namespace rdp::bench
