//go:build unix

package update

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANewerReleaseTakesThePlaceOfTheProgramAndIsTakenBack(t *testing.T) {
	p := installed(t, "1.0.0")
	r := publish(t, "1.1.0", saying("1.1.0"))
	require.NoError(t, r.install(t, p))
	require.Equal(t, "1.1.0", says(t, p.Path))
	require.Equal(t, "1.0.0", says(t, p.Previous()))
	alone(t, p, "pawl", "pawl.previous")

	back, err := p.Rollback(t.Context())
	require.NoError(t, err)
	require.Equal(t, "1.0.0", back)
	require.Equal(t, "1.0.0", says(t, p.Path))

	again, err := p.Rollback(t.Context())
	require.NoError(t, err)
	require.Equal(t, "1.1.0", again)
	alone(t, p, "pawl", "pawl.previous")
}

// alone requires that nothing else lies in the program's folder.
func alone(t *testing.T, p Program, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(p.Path))
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	require.Equal(t, names, found)
}

func TestWithoutAnOldProgramThereIsNoWayBack(t *testing.T) {
	p := installed(t, "1.0.0")
	_, err := p.Rollback(t.Context())
	require.ErrorContains(t, err, "there is no program to go back to")
	require.NoError(t, os.WriteFile(p.Previous(), []byte("no program"), 0o755))
	_, err = p.Rollback(t.Context())
	require.ErrorContains(t, err, "does not run here")
	require.Equal(t, "1.0.0", says(t, p.Path))
}

// Whatever is wrong with a release: the program that there is stays, and nothing lies beside it.
func TestAReleaseThatIsNotWhatItsKeySignedIsNotTaken(t *testing.T) {
	for name, row := range map[string]struct {
		spoil func(t *testing.T, r *release)
		says  string
	}{
		"cut short": {func(_ *testing.T, r *release) {
			r.Config.Handler = cut(r.Config.Handler, r.archive(), r.files[r.archive()])
		}, "was cut short after"},
		"cut short, and said to be whole": {func(_ *testing.T, r *release) {
			r.files[r.archive()] = r.files[r.archive()][:100]
		}, "its hash is another"},
		"another archive": {func(t *testing.T, r *release) {
			r.files[r.archive()] = packed(t, "pawl", saying("1.1.0")+"# and more\n")
		}, "its hash is another"},
		"another list": {func(_ *testing.T, r *release) {
			r.files[checksums] = append(r.files[checksums], '\n')
		}, "is not signed with the key of this program"},
		"another key": {func(t *testing.T, r *release) {
			r.key = publish(t, "1.1.0", "").key
		}, "is not signed with the key of this program"},
		"no signature":       {func(_ *testing.T, r *release) { delete(r.files, signature) }, "404"},
		"an empty signature": {func(_ *testing.T, r *release) { r.files[signature] = nil }, "is not signed"},
		"nothing there":      {func(_ *testing.T, r *release) { clear(r.files) }, "404"},
		"another system": {func(_ *testing.T, r *release) {
			r.files["pawl_1.1.0_plan9_mips.tar.gz"] = r.files[r.archive()]
			delete(r.files, "pawl_1.1.0_linux_amd64.tar.gz")
			r.sign()
		}, "has no archive for linux/amd64"},
		"two of them": {func(_ *testing.T, r *release) {
			r.files["pawl_1.0.9_linux_amd64.tar.gz"] = r.files[r.archive()]
			r.sign()
		}, "has two archives for linux/amd64"},
		"no program in it": {func(t *testing.T, r *release) {
			r.files[r.archive()] = packed(t, "paw", saying("1.1.0"))
			r.sign()
		}, "has no pawl in it"},
		"no archive": {func(_ *testing.T, r *release) {
			r.files[r.archive()] = []byte("an archive")
			r.sign()
		}, "gzip"},
		"a program for another machine": {func(t *testing.T, r *release) {
			r.files[r.archive()] = packed(t, "pawl", "\x7fELF and no more")
			r.sign()
		}, "does not run here"},
		"a program that fails": {func(t *testing.T, r *release) {
			r.files[r.archive()] = packed(t, "pawl", "#!/bin/sh\nexit 3\n")
			r.sign()
		}, "does not run here: exit status 3"},
		"a program of another version": {func(t *testing.T, r *release) {
			r.files[r.archive()] = packed(t, "pawl", saying("1.0.5"))
			r.sign()
		}, "it says that it is 1.0.5"},
	} {
		t.Run(name, func(t *testing.T) {
			p := installed(t, "1.0.0")
			r := publish(t, "1.1.0", saying("1.1.0"))
			row.spoil(t, r)
			err := r.install(t, p)
			require.ErrorContains(t, err, row.says)
			require.NotContains(t, err.Error(), "\n")
			require.Equal(t, "1.0.0", says(t, p.Path))
			alone(t, p, "pawl")
		})
	}
}

// cut ends the connection in the middle of one file.
func cut(next http.Handler, name string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		if asked.URL.Path != "/"+name {
			next.ServeHTTP(w, asked)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text[:len(text)/2])
	})
}

func TestWhatAKilledUpdateHasLeftIsSweptByTheNext(t *testing.T) {
	p := installed(t, "1.0.0")
	for _, name := range []string{".pawl.new123", ".pawl.kept"} {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(p.Path), name), nil, 0o755))
	}
	require.NoError(t, publish(t, "1.1.0", saying("1.1.0")).install(t, p))
	alone(t, p, "pawl", "pawl.previous")
}

// A process that runs has its file still, and can start it again.
func TestAProgramThatRunsGoesOnWithItsOwnFile(t *testing.T) {
	p := installed(t, "1.0.0")
	running, err := os.Open(p.Path)
	require.NoError(t, err)
	defer running.Close()
	require.NoError(t, publish(t, "1.1.0", saying("1.1.0")).install(t, p))
	text := make([]byte, len(saying("1.0.0")))
	_, err = running.ReadAt(text, 0)
	require.NoError(t, err)
	require.Equal(t, saying("1.0.0"), string(text))
}

func TestVersionsAreOrderedAsReleasesAre(t *testing.T) {
	for _, row := range []struct {
		offered, mine string
		newer         int
	}{
		{"1.1.0", "1.0.9", 1},
		{"1.10.0", "1.9.0", 1},
		{"1.0.0", "1.0.0", 0},
		{"1.0.0", "1.0.1", -1},
		{"1.0.0", "1.0.0-rc.1", 1},
		{"1.0.0-rc.1", "1.0.0", -1},
	} {
		require.Equal(t, row.newer, Offer{Version: row.offered}.Newer(row.mine), "%v", row)
	}
	require.False(t, IsVersion("dev"))
	require.False(t, IsVersion(""))
}

func TestOnlyHTTPSOrThisMachineIsAsked(t *testing.T) {
	for address, says := range map[string]string{
		"":                           "knows no address",
		"http://example.org/pawl":    "must begin with https://",
		"ftp://localhost/pawl":       "must begin with https://",
		"example.org":                "must begin with https://",
		"http://localhost.evil.org/": "must begin with https://",
		"https://example.org/pawl":   "",
		"http://127.0.0.1:8080/x":    "",
		"http://[::1]/x":             "",
		"http://localhost":           "",
	} {
		_, err := NewSource(address, nil)
		if says == "" {
			require.NoError(t, err, address)
			continue
		}
		require.ErrorContains(t, err, says, address)
	}
}

func TestARedirectionLeadsNowhereThatIsNotSecure(t *testing.T) {
	away := httptest.NewServer(http.RedirectHandler("http://releases.example/pawl", http.StatusFound))
	defer away.Close()
	from, err := NewSource(away.URL, away.Client())
	require.NoError(t, err)
	_, err = from.Newest(t.Context(), Key{}, here)
	require.ErrorContains(t, err, "must begin with https://")
}

func TestABuildWithoutAKeySaysSo(t *testing.T) {
	_, err := ParseKey("")
	require.ErrorIs(t, err, ErrNoKey)
	require.ErrorContains(t, err, "this build knows no key")
	_, err = ParseKey("RWnonsense")
	require.ErrorContains(t, err, "cannot be read")
}

func TestWhatAnotherProgramHasInstalledIsRenewedByThat(t *testing.T) {
	for path, says := range map[string]string{
		"/usr/local/bin/pawl": "",
		"/usr/local/lib/node_modules/pawl-linux-x64/bin/pawl": "npm",
		"/opt/homebrew/Cellar/pawl/1.0.0/bin/pawl":            "Homebrew",
		"/nix/store/abc-pawl-1.0.0/bin/pawl":                  "Nix",
		"/home/nix/bin/pawl":                                  "",
	} {
		if says == "" {
			require.Empty(t, OtherWay(path), path)
			continue
		}
		require.Contains(t, OtherWay(path), says, path)
	}
	usr := t.TempDir()
	require.NoError(t, os.MkdirAll(usr+"/lib/pawl", 0o755))
	require.NoError(t, os.WriteFile(usr+"/lib/pawl/package", []byte("deb\n"), 0o644))
	require.Equal(t, "a package has installed it: renew that with apt", OtherWay(usr+"/bin/pawl"))
}
