{
  description = "A coding agent for the terminal that is built around delegation";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "@VERSION@";
      archives = {
        x86_64-linux = { system = "linux_amd64"; sha256 = "@linux_amd64@"; };
        aarch64-linux = { system = "linux_arm64"; sha256 = "@linux_arm64@"; };
        riscv64-linux = { system = "linux_riscv64"; sha256 = "@linux_riscv64@"; };
        x86_64-darwin = { system = "darwin_amd64"; sha256 = "@darwin_amd64@"; };
        aarch64-darwin = { system = "darwin_arm64"; sha256 = "@darwin_arm64@"; };
      };
      each = nixpkgs.lib.mapAttrs (name: archive:
        let pkgs = nixpkgs.legacyPackages.${name}; in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "pawl";
            inherit version;
            src = pkgs.fetchurl {
              url = "@DOWNLOAD@/pawl_${version}_${archive.system}.tar.gz";
              inherit (archive) sha256;
            };
            sourceRoot = ".";
            nativeBuildInputs = [ pkgs.installShellFiles ];
            installPhase = ''
              install -D -m 755 pawl $out/bin/pawl
              installManPage man/pawl.1
              installShellCompletion --bash completions/pawl.bash --zsh completions/_pawl --fish completions/pawl.fish
            '';
            dontStrip = true; # it has no symbols, and its bytes are those that were signed
            meta = { mainProgram = "pawl"; license = pkgs.lib.licenses.mit; homepage = "@HOMEPAGE@"; };
          };
        }) archives;
    in { packages = each; };
}
