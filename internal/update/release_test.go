//go:build unix

package update

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/stretchr/testify/require"
)

const here = "linux/amd64"

// release is a release on a server of this machine.
type release struct {
	*httptest.Server
	files  map[string][]byte // by name
	secret minisign.PrivateKey
	key    Key
}

// publish puts a release of a program, for one system, on a server.
func publish(t *testing.T, version, program string) *release {
	t.Helper()
	public, secret, err := minisign.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, err := ParseKey(public.String())
	require.NoError(t, err)
	r := &release{files: map[string][]byte{}, secret: secret, key: key}
	r.files["pawl_"+version+"_linux_amd64.tar.gz"] = packed(t, "pawl", program)
	r.sign()
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		text, there := r.files[strings.TrimPrefix(asked.URL.Path, "/")]
		if !there {
			http.NotFound(w, asked)
			return
		}
		_, _ = w.Write(text)
	}))
	t.Cleanup(r.Close)
	return r
}

// sign makes the list of what there is, and its signature.
func (r *release) sign() {
	delete(r.files, checksums)
	delete(r.files, signature)
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(r.files[name]), name)
	}
	r.signed(list.String())
}

func (r *release) signed(list string) {
	r.files[checksums] = []byte(list)
	r.files[signature] = minisign.Sign(r.secret, []byte(list))
}

func (r *release) archive() string {
	for name := range r.files {
		if strings.HasSuffix(name, ".tar.gz") {
			return name
		}
	}
	return ""
}

func packed(t *testing.T, name, program string) []byte {
	t.Helper()
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	files := tar.NewWriter(zipped)
	for _, one := range [][2]string{{"README.md", "read me"}, {name, program}} {
		require.NoError(t, files.WriteHeader(&tar.Header{Name: one[0], Mode: 0o755, Size: int64(len(one[1])), Typeflag: tar.TypeReg}))
		_, err := files.Write([]byte(one[1]))
		require.NoError(t, err)
	}
	require.NoError(t, files.Close())
	require.NoError(t, zipped.Close())
	return archive.Bytes()
}

// saying is a program that says a version, as pawl version --json does.
func saying(version string) string {
	return "#!/bin/sh\necho '{\"version\": \"" + version + "\"}'\n"
}

// installed is a program in a folder of its own.
func installed(t *testing.T, version string) Program {
	t.Helper()
	p := Program{Path: filepath.Join(t.TempDir(), "pawl"), Environ: []string{"PATH=" + os.Getenv("PATH")}}
	p.put(t, version)
	return p
}

func (p Program) put(t *testing.T, version string) {
	t.Helper()
	require.NoError(t, os.WriteFile(p.Path, []byte(saying(version)), 0o755))
}

// says is the version of a file.
func says(t *testing.T, path string) string {
	t.Helper()
	version, err := versionOf(t.Context(), path, []string{"PATH=" + os.Getenv("PATH")})
	require.NoError(t, err)
	return version
}

// install is what pawl update does.
func (r *release) install(t *testing.T, p Program) error {
	t.Helper()
	from, err := NewSource(r.URL, r.Client())
	require.NoError(t, err)
	offer, err := from.Newest(t.Context(), r.key, here)
	if err != nil {
		return err
	}
	return p.Install(t.Context(), from, offer)
}
