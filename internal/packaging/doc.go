// Command packaging makes of a release what GoReleaser does not: packages of npm, a formula for
// Homebrew, a flake for Nix, the script install.sh and a Dockerfile. `make release-snapshot` and
// `make release` run it.
//
//	dist/checksums.txt, dist/*.tar.gz ─► dist/npm/*.tgz
//	the owner's variables             ─► dist/homebrew, dist/nix, dist/docker, dist/install.sh
//
// The same archives give the same bytes: it takes no time, no host name and no order from outside.
package main
