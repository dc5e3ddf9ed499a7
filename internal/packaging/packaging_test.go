//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dist is a folder as GoReleaser leaves it, with a program of one line for each system.
func dist(t *testing.T, program string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var list strings.Builder
	for _, system := range []string{"linux_amd64", "linux_arm64", "linux_riscv64", "darwin_amd64", "darwin_arm64", "freebsd_amd64"} {
		for _, binary := range []string{"pawl", "pawl-server"} {
			name := binary + "_1.2.3_" + system + ".tar.gz"
			text := archiveOf(t, binary, program)
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
			fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(text), name)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "checksums.txt"), []byte(list.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "metadata.json"), []byte(`{"version": "1.2.3"}`), 0o600))
	return folder
}

func archiveOf(t *testing.T, binary, program string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	entries := tar.NewWriter(zipped)
	for _, name := range []string{"LICENSE", "README.md", "man/pawl.1", "completions/pawl.bash", "completions/_pawl", "completions/pawl.fish", binary} {
		text := []byte(name)
		if name == binary {
			text = []byte(program)
		}
		require.NoError(t, entries.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o755, Size: int64(len(text))}))
		_, err := entries.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, entries.Close())
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

const hello = "#!/bin/sh\necho \"pawl 1.2.3 $*\"\n"

// packaged runs the program over a release.
func packaged(t *testing.T) (folder string) {
	t.Helper()
	folder = dist(t, hello)
	t.Setenv("PAWL_RELEASE_ADDRESS", "https://github.com/someone/pawl/releases/latest/download")
	require.NoError(t, run([]string{folder}))
	return folder
}

// contents are all files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var text []byte
			text, err = os.ReadFile(filepath.Join(folder, path))
			all[path] = string(text)
		}
		return err
	}))
	return all
}

func TestTwoPackagingsOfARelease(t *testing.T) {
	one, other := contents(t, packaged(t)), contents(t, packaged(t))
	require.Equal(t, one, other, "give the same bytes")
	require.Len(t, one, 12+2+7+4)
	for name, text := range one {
		if !strings.HasSuffix(name, "gz") {
			require.NotRegexp(t, `@[A-Za-z]+(_[a-z0-9]+)?@`, text, "%s has all that it asks for", name)
		}
	}
	require.Contains(t, one["homebrew/pawl.rb"], `url "https://github.com/someone/pawl/releases/download/v1.2.3/pawl_1.2.3_darwin_arm64.tar.gz"`)
	require.Contains(t, one["nix/flake.nix"], fmt.Sprintf(`sha256 = "%x"`, sha256.Sum256([]byte(one["pawl_1.2.3_linux_riscv64.tar.gz"]))))
	require.Contains(t, one["docker/Dockerfile"], "COPY pawl_1.2.3_linux_${TARGETARCH}.deb")
}

func TestNPMInstallsTheProgramOfTheSystemAlone(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	folder, project := packaged(t), t.TempDir()
	system, arch := npmSystems[runtime.GOOS], npmArchs[runtime.GOARCH]
	said, err := command(t, project, "npm", "install", "--prefix", project, "--offline", "--no-audit", "--no-fund", "--cache", t.TempDir(),
		fmt.Sprintf("%s/npm/pawl-%s-%s-1.2.3.tgz", folder, system, arch), folder+"/npm/pawl-1.2.3.tgz")
	require.NoError(t, err, said)
	said, err = command(t, project, "node_modules/.bin/pawl", "two words", "three")
	require.NoError(t, err, said)
	require.Equal(t, "pawl 1.2.3 two words three\n", said)

	require.NoError(t, os.RemoveAll(project+"/node_modules/pawl-"+system+"-"+arch))
	said, err = command(t, project, "node_modules/.bin/pawl")
	require.Error(t, err)
	require.Equal(t, "pawl: the package pawl-"+system+"-"+arch+" is not installed: install pawl anew, with its optional dependencies\n", said)
}

func TestAPackageOfNPMNamesItsSystem(t *testing.T) {
	folder := packaged(t)
	text, err := command(t, folder, "tar", "-xzOf", "npm/pawl-darwin-arm64-1.2.3.tgz", "package/package.json")
	require.NoError(t, err)
	var m manifest
	require.NoError(t, json.Unmarshal([]byte(text), &m))
	require.Equal(t, manifest{
		Name: "pawl-darwin-arm64", Version: "1.2.3", Description: "Pawl for darwin/arm64, for the package pawl.", License: "MIT",
		OS: []string{"darwin"}, CPU: []string{"arm64"},
	}, m)
}

func TestTheScriptInstallsAnArchiveThatIsWhatTheListSays(t *testing.T) {
	folder, prefix := packaged(t), t.TempDir()
	archive := fmt.Sprintf("%s/pawl_1.2.3_%s_%s.tar.gz", folder, runtime.GOOS, runtime.GOARCH)
	said, err := command(t, folder, "sh", folder+"/install.sh", "--prefix", prefix, archive)
	require.NoError(t, err, said)
	require.Equal(t, "pawl 1.2.3 version\n"+prefix+"/bin is not in PATH: add it, or start "+prefix+"/bin/pawl\n", said)
	installed := contents(t, prefix)
	require.Len(t, installed, 5)
	require.Equal(t, "man/pawl.1", installed["share/man/man1/pawl.1"])

	said, err = command(t, folder, "sh", folder+"/install.sh", "--with-server", "--prefix", prefix, archive)
	require.NoError(t, err, said)
	installed = contents(t, prefix)
	require.Len(t, installed, 6)
	require.Equal(t, hello, installed["bin/pawl-server"])

	require.NoError(t, os.WriteFile(archive, archiveOf(t, "pawl", "#!/bin/sh\necho another\n"), 0o600))
	said, err = command(t, folder, "sh", folder+"/install.sh", "--prefix", prefix, archive)
	require.Error(t, err)
	require.Contains(t, said, "is not what checksums.txt says: fetch it again")
	require.Equal(t, installed, contents(t, prefix))
}

func TestWithoutARelease(t *testing.T) {
	require.ErrorContains(t, run([]string{t.TempDir()}), "run GoReleaser first")
	require.ErrorContains(t, run(nil), "name the folder")
}

// command runs a program and gives all that it said.
func command(t *testing.T, folder, name string, args ...string) (said string, err error) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir = folder
	text, err := cmd.CombinedOutput()
	return string(text), err
}
