class Pawl < Formula
  desc "Coding agent for the terminal that is built around delegation"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@DOWNLOAD@/pawl_@VERSION@_darwin_arm64.tar.gz"
      sha256 "@darwin_arm64@"
    end
    on_intel do
      url "@DOWNLOAD@/pawl_@VERSION@_darwin_amd64.tar.gz"
      sha256 "@darwin_amd64@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOAD@/pawl_@VERSION@_linux_arm64.tar.gz"
      sha256 "@linux_arm64@"
    end
    on_intel do
      url "@DOWNLOAD@/pawl_@VERSION@_linux_amd64.tar.gz"
      sha256 "@linux_amd64@"
    end
  end

  def install
    bin.install "pawl"
    man1.install "man/pawl.1"
    bash_completion.install "completions/pawl.bash" => "pawl"
    zsh_completion.install "completions/_pawl"
    fish_completion.install "completions/pawl.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pawl version")
  end
end
