// Calls by their encoding: what stands before a return address, in files that are made here.
#include "quincunx/map/Code.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace quincunx {
namespace {

constexpr uint64_t at = 0x401000, offset = 0x1000;

class CodeTest : public testing::Test {
protected:
  /// A file with these bytes for code, at `at`.
  Result<Code> read(const std::vector<uint8_t> &bytes, uint16_t machine = EM_X86_64) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = machine;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    Elf64_Phdr segments[2]{};
    segments[0] = {PT_LOAD, PF_R, 0, at - offset, 0, 16, 16, 1};
    segments[1] = {PT_LOAD, PF_R | PF_X, offset, at, 0, bytes.size(), bytes.size(), 1};
    std::string file(offset + bytes.size(), '\0');
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, segments, sizeof segments);
    std::memcpy(file.data() + offset, bytes.data(), bytes.size());
    std::ofstream(path, std::ios::binary) << file;
    return Code::read(path);
  }
  void TearDown() override { std::filesystem::remove(path); }

  const std::string path = testing::TempDir() + "quincunx-code-" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() +
                           std::to_string(::getpid());
};

TEST_F(CodeTest, KnowsWhereCodeIs) {
  const Result<Code> code = read({0x90, 0x90, 0x90, 0x90});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_EQ(code->addressOf(offset + 3), at + 3);
  EXPECT_FALSE(code->addressOf(offset + 4));
  EXPECT_FALSE(code->addressOf(3)); // is no code
}

TEST_F(CodeTest, KnowsCallsThroughPointers) {
  const std::vector<std::vector<uint8_t>> calls{
      {0xff, 0xd0},                               // call *%rax
      {0x41, 0xff, 0xd3},                         // call *%r11
      {0xff, 0x10},                               // call *(%rax)
      {0xff, 0x50, 0x18},                         // call *24(%rax)
      {0xff, 0x14, 0xc8},                         // call *(%rax,%rcx,8)
      {0xff, 0x54, 0xc8, 0x10},                   // call *16(%rax,%rcx,8)
      {0xff, 0x15, 0x01, 0x02, 0x03, 0x04},       // call *table(%rip)
      {0xff, 0x90, 0x01, 0x02, 0x03, 0x04},       // call *far(%rax)
      {0xff, 0x94, 0xc8, 0x01, 0x02, 0x03, 0x04}, // call *far(%rax,%rcx,8)
      {0xff, 0x14, 0x25, 0x01, 0x02, 0x03, 0x04}, // call *absolute
  };
  for (const std::vector<uint8_t> &call : calls) {
    std::vector<uint8_t> bytes(8, 0x90);
    bytes.insert(bytes.end(), call.begin(), call.end());
    const Result<Code> code = read(bytes);
    ASSERT_TRUE(code);
    EXPECT_TRUE(code->isReturnFromOutside(at + bytes.size())) << call.size();
    EXPECT_FALSE(code->isReturnFromOutside(at + 8));
  }
  for (const std::vector<uint8_t> &other : {std::vector<uint8_t>{0xff, 0xe0}, // jmp *%rax
                                            {0xff, 0x30},                     // push (%rax)
                                            {0xff, 0x50},                     // cut
                                            {0xff, 0x15, 0x01, 0x02}}) {      // cut
    std::vector<uint8_t> bytes(8, 0x90);
    bytes.insert(bytes.end(), other.begin(), other.end());
    EXPECT_FALSE(read(bytes)->isReturnFromOutside(at + bytes.size()));
  }
}

TEST_F(CodeTest, KnowsStubs) {
  const std::vector<std::vector<uint8_t>> targets{
      {0xff, 0x25, 1, 2, 3, 4},
      {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 1, 2, 3, 4},
      {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 2, 3, 4},
      {0x55, 0x48, 0x89, 0xe5, 0xc3, 0x90}, // push %rbp ..., a function of the same object
  };
  for (const std::vector<uint8_t> &target : targets) {
    std::vector<uint8_t> bytes{0xe8, 1, 0, 0, 0, 0xc3}; // call what is behind the ret
    bytes.insert(bytes.end(), target.begin(), target.end());
    EXPECT_EQ(read(bytes)->isReturnFromOutside(at + 5), &target != &targets.back());
    EXPECT_FALSE(read(bytes, EM_AARCH64)->isReturnFromOutside(at + 5));
  }
  EXPECT_FALSE(read({0xe8, 0, 0, 0x10, 0, 0xc3})->isReturnFromOutside(at + 5)); // to nowhere
}

TEST_F(CodeTest, RefusesOtherFiles) {
  std::ofstream(path) << "#!/bin/sh\n";
  EXPECT_FALSE(Code::read(path));
  std::filesystem::remove(path);
  EXPECT_FALSE(Code::read(path));
  ASSERT_TRUE(read({0x90}));
  std::filesystem::resize_file(path, offset);
  EXPECT_FALSE(Code::read(path));
}

} // namespace
} // namespace quincunx
