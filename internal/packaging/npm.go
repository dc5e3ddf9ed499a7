package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strings"
	"time"
)

// npm has a package with the program for each system, and one that depends on all of them: npm
// installs those that fit, by "os" and "cpu". What it starts is a script of some lines, which becomes
// the program: no process of Node's stays between it and the terminal.

// npmSystems and npmArchs are npm's words for Go's.
var (
	npmSystems = map[string]string{"linux": "linux", "darwin": "darwin", "freebsd": "freebsd"}
	npmArchs   = map[string]string{"amd64": "x64", "arm64": "arm64", "riscv64": "riscv64"}
)

// shared are the files of an archive that are the same for all systems.
var shared = []string{"LICENSE", "README.md", "man/pawl.1", "completions/pawl.bash", "completions/_pawl", "completions/pawl.fish"}

// manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Man         []string          `json:"man,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// packed is a file of a package.
type packed struct {
	name string
	text []byte
	mode int64
}

func (r *release) writeNPM() error {
	all := r.manifest(r.npm, "A coding agent for the terminal that is built around delegation.")
	all.Bin, all.Man, all.Optional = map[string]string{"pawl": "bin/pawl"}, []string{"man/pawl.1"}, map[string]string{}
	var texts map[string][]byte
	for _, a := range r.archives {
		name := r.npm + "-" + npmSystems[a.os] + "-" + npmArchs[a.arch]
		found, err := r.files(a, append([]string{"pawl"}, shared...)...)
		if err != nil {
			return err
		}
		one := r.manifest(name, "Pawl for "+a.os+"/"+a.arch+", for the package "+r.npm+".")
		one.OS, one.CPU = []string{npmSystems[a.os]}, []string{npmArchs[a.arch]}
		if err := r.writePackage(one, packed{"bin/pawl", found["pawl"], 0o755}, packed{"LICENSE", found["LICENSE"], 0o644}); err != nil {
			return err
		}
		all.Optional[name] = r.version
		texts = found
	}
	start := strings.ReplaceAll(text("npm.sh"), "@NPM@", r.npm)
	files := []packed{{"bin/pawl", []byte(start), 0o755}}
	for _, name := range shared {
		files = append(files, packed{name, texts[name], 0o644})
	}
	return r.writePackage(all, files...)
}

func (r *release) manifest(name, description string) manifest {
	return manifest{Name: name, Version: r.version, Description: description, License: "MIT", Homepage: r.homepage}
}

// writePackage writes a package as npm pack does, its manifest first.
func (r *release) writePackage(m manifest, files ...packed) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	entries := tar.NewWriter(zipped)
	for _, file := range append([]packed{{"package.json", append(text, '\n'), 0o644}}, files...) {
		header := tar.Header{
			Typeflag: tar.TypeReg, Name: "package/" + file.name, Mode: file.mode, Size: int64(len(file.text)),
			ModTime: time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC), // npm's own
		}
		if err := entries.WriteHeader(&header); err != nil {
			return err
		}
		if _, err := entries.Write(file.text); err != nil {
			return err
		}
	}
	if err := entries.Close(); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")
	return r.write("npm/"+name+"-"+r.version+".tgz", out.Bytes(), 0o644)
}
