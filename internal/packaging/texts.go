package main

import (
	"embed"
	"os"
	"strings"
)

//go:embed files
var files embed.FS

// text is one of the files that a release is filled into.
func text(name string) string {
	found, err := files.ReadFile("files/" + name)
	if err != nil {
		panic("packaging: " + err.Error()) // they are part of the program
	}
	return string(found)
}

// writeTexts writes what is text: for Homebrew, Nix, Docker and the shell.
func (r *release) writeTexts() error {
	fill := r.filler()
	for _, one := range []struct {
		from, to string
		mode     os.FileMode
	}{
		{"pawl.rb", "homebrew/pawl.rb", 0o644},
		{"flake.nix", "nix/flake.nix", 0o644},
		{"Dockerfile", "docker/Dockerfile", 0o644},
		{"install.sh", "install.sh", 0o755},
	} {
		if err := r.write(one.to, []byte(fill.Replace(text(one.from))), one.mode); err != nil {
			return err
		}
	}
	return nil
}

// filler puts the release into a text.
func (r *release) filler() *strings.Replacer {
	pairs := []string{
		"@VERSION@", r.version, "@KEY@", r.key, "@ADDRESS@", r.address, "@DOWNLOAD@", r.download(), "@HOMEPAGE@", r.homepage,
	}
	for _, system := range []string{"linux", "darwin", "freebsd"} {
		for _, arch := range []string{"amd64", "arm64", "riscv64"} {
			pairs = append(pairs, "@"+system+"_"+arch+"@", r.hashOf(system, arch))
		}
	}
	return strings.NewReplacer(pairs...)
}

// download is where this release stays when a newer one is there. GitHub has both.
func (r *release) download() string {
	if to, github := strings.CutSuffix(r.address, "/latest/download"); github {
		return to + "/download/v" + r.version
	}
	return r.address
}
