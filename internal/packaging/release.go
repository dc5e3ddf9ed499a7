package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// release is what GoReleaser has left in a folder.
type release struct {
	owner
	folder, version string
	archives        []archive // in the order of the list
}

// archive is the one of the program for a system.
type archive struct {
	name, os, arch string // as Go names them
	hash           string // SHA-256, in hexadecimal digits
}

func readRelease(folder string, o owner) (*release, error) {
	text, err := os.ReadFile(filepath.Join(folder, "metadata.json"))
	if err != nil {
		return nil, fmt.Errorf("%w: run GoReleaser first (make release-snapshot)", err)
	}
	var metadata struct{ Version string }
	if err := json.Unmarshal(text, &metadata); err != nil {
		return nil, fmt.Errorf("metadata.json: %w", err)
	}
	list, err := os.ReadFile(filepath.Join(folder, "checksums.txt"))
	if err != nil {
		return nil, err
	}
	r := &release{owner: o, folder: folder, version: metadata.Version}
	for line := range strings.Lines(string(list)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		rest, ours := strings.CutPrefix(name, "pawl_"+r.version+"_")
		system, packed := strings.CutSuffix(rest, ".tar.gz")
		if name, arch, both := strings.Cut(system, "_"); ours && packed && both {
			r.archives = append(r.archives, archive{"pawl_" + r.version + "_" + system + ".tar.gz", name, arch, hash})
		}
	}
	if len(r.archives) == 0 {
		return nil, errors.New("checksums.txt names no archive of pawl " + r.version)
	}
	return r, nil
}

// hashOf is the hash of the archive for a system.
func (r *release) hashOf(system, arch string) string {
	for _, a := range r.archives {
		if a.os == system && a.arch == arch {
			return a.hash
		}
	}
	return ""
}

// files returns some files of an archive by their names in it.
func (r *release) files(a archive, names ...string) (map[string][]byte, error) {
	file, err := os.Open(filepath.Join(r.folder, a.name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.name, err)
	}
	found := map[string][]byte{}
	for entries := tar.NewReader(unzipped); ; {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		if found[header.Name], err = io.ReadAll(entries); err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	for _, name := range names {
		if found[name] == nil {
			return nil, fmt.Errorf("%s has no %s", a.name, name)
		}
	}
	return found, nil
}
