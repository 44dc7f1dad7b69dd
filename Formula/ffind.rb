# SPDX-License-Identifier: MIT
# The formula of the tap. `.ci/release` writes its addresses and its checksum, which is zeros and an
# unknown OWNER until the first release; tests/brew runs its `install` and `test` for real.
class Ffind < Formula
  desc "Finds any file, live, fast"
  homepage "https://github.com/OWNER/ffind"
  url "https://github.com/OWNER/ffind/releases/download/v0.1.0/ffind-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/OWNER/ffind.git", branch: "main"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "fmt" => :build # headers only
  depends_on "pkgconf" => :build
  depends_on "xxhash" => :build # headers only
  depends_on "re2"
  depends_on "utf8proc"

  on_macos do
    depends_on macos: :sonoma
  end

  on_linux do
    depends_on "e2fsprogs" => :build # headers only
  end

  conflicts_with "homebrew/core/ffind", because: "both install an `ffind` executable"
  conflicts_with "sleuthkit", because: "both install an `ffind` executable"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    # Where macOS's own bash finds it, too.
    bash_completion.install share/"bash-completion/completions/ffind"
  end

  def caveats
    <<~EOS
      Ctrl-T to put picked paths on the command line, Alt-C to change to a picked directory:
        source "#{opt_pkgshare}/ffind-keys.zsh"    # or .bash, .fish
    EOS
  end

  test do
    (testpath/"docs/.drafts").mkpath
    touch testpath/"docs/Annual Report.PDF"
    touch testpath/"docs/.drafts/report.txt"
    touch testpath/"docs/cafe\u0301.txt"

    found = shell_output("#{bin}/ffind report").lines.sort
    assert_equal ["docs/.drafts/report.txt\n", "docs/Annual Report.PDF\n"], found
    assert_equal "docs/Annual Report.PDF\n", shell_output("#{bin}/ffind name -e '\\.(doc|pdf)$'")
    # One name, spelt in two ways: composed here, decomposed on the disk.
    assert_equal "docs/cafe\u0301.txt\n", shell_output("#{bin}/ffind 'caf\u00e9'")

    record = JSON.parse(shell_output("#{bin}/ffind --where 'size < 1k' --json report docs/.drafts"))
    assert_equal "docs/.drafts/report.txt", record["path"]
    assert_equal "docs/Annual Report.PDF\0", pipe_output("#{bin}/ffind --ext pdf -0 --files0-from -", "docs\0", 0)

    assert_match "ffind: missing: ", shell_output("#{bin}/ffind --in missing 2>&1", 1)
    assert_match "huge", shell_output("#{bin}/ffind --size huge 2>&1", 2)
  end
end
