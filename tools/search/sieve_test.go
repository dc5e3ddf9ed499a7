package search

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/tools/process"
	"pawl/tools/workspace"
)

// sieved needs ripgrep.
func sieved(t *testing.T) *process.Launcher {
	t.Helper()
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep is not installed here: nothing to compare with")
	}
	return &process.Launcher{}
}

// opened opens an empty folder.
func opened(t *testing.T) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// nastyFiles are contents on which programs that search differ.
func nastyFiles() map[string]string {
	files := map[string]string{
		".gitignore":          "*.log\n!keep.log\nbuild/\n/top.txt\n**/deep/*.x\n",
		"a.log":               "needle ignored\n",
		"keep.log":            "needle kept\n",
		"top.txt":             "needle at the top\n",
		"sub/top.txt":         "needle below\n",
		"sub/.gitignore":      "!a.log\nkeep.log\n\\#x\n",
		"sub/a.log":           "needle brought back\n",
		"sub/keep.log":        "needle taken away\n",
		"sub/#x":              "needle hash\n",
		"sub/deep/b.x":        "needle deep\n",
		"build/out.go":        "needle built\n",
		".ignore":             "dot.txt\n",
		".rgignore":           "dot.txt\n",
		"dot.txt":             "needle that only ripgrep's own files hide\n",
		".hidden/file":        "needle hidden\n",
		".git/config":         "needle of git\n",
		"binary":              "needle\x00binary\n",
		"late":                strings.Repeat("text and more of it\n", 500) + "needle then\x00 a NUL\n",
		"crlf.txt":            "needle\r\nend of it\r\n\r\n",
		"mark.txt":            "\uFEFFneedle behind a mark\n",
		"utf16.txt":           "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00",
		"utf16-looks.txt":     "\xff\xfe needle in what begins like UTF-16\n",
		"latin1.txt":          "caf\xe9 needle \xe9t\xe9\n",
		"utf8.txt":            "café needle ÉTÉ Straße K ſ ß\n",
		"long.txt":            strings.Repeat("x", 3000) + "needle" + strings.Repeat("y", 3000),
		"no end.txt":          "first\nneedle without an end",
		"empty":               "",
		"only lines":          "\n\n\n",
		"new\nline.txt":       "needle in an odd name\n",
		"-e":                  "needle in a name like a flag\n",
		"--":                  "needle in another\n",
		"latin\xe9":           "needle in a name that is no text\n",
		"tabs.txt":            "\tneedle\t\v\f\n \u00a0needle\u2003\n",
		"lone\rcr.txt":        "a\rneedle\rb\n",
		"numbers.txt":         "v1.22.333 ٣ ４\n",
		"replacement.txt":     "a \uFFFD character\n",
		"invalid.txt":         "a \xff byte, \xf0\x9f cut\n",
		"archive.gz":          "\x1f\x8bneedle not packed\n",
		"nested/.git/HEAD":    "needle of another repository\n",
		"nested/.gitignore":   "*\n!*/\n!*.go\n",
		"nested/x/y.go":       "needle nested\n",
		"nested/x/y.py":       "needle not\n",
		"deeply/a/b/c/d/e.go": "func Needle() {}\n",
	}
	for i := range sieveFiles { // so that there is something to save
		files[fmt.Sprintf("many/f%03d.go", i)] = fmt.Sprintf("package many\n\nfunc F%d() error { return nil } // Line %[1]d\n", i)
	}
	return files
}

// nastyTree is a folder of those, with links.
func nastyTree(t *testing.T) *workspace.Workspace {
	t.Helper()
	w := opened(t)
	for name, content := range nastyFiles() {
		write(t, w.Folder(), name, content)
	}
	outside := t.TempDir()
	write(t, outside, "secret.txt", "needle outside\n")
	for name, target := range map[string]string{
		"link.txt": "keep.log", "out.txt": outside + "/secret.txt", "out": outside, "round": ".", "gone": "nowhere",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(w.Folder(), name)))
	}
	return w
}

// nastyPatterns are written so that Go and other programs may differ on them.
func nastyPatterns() []string {
	return []string{
		`needle`, `needle.`, `.needle`, `(?i)NEEDLE`, `(?i)K`, `(?i)ſ`, `(?i)straße`, `caf.`, `caf. needle`, `\bneedle\b`, `needle$`, `^needle`,
		`^$`, `\d+\.\d+`, `\d`, `\D`, `\s`, `\S+dle`, `\w+ needle`, `\W`, `[^a]eedle`, `[^\x00-\x7f]`, `[é-ü]`, `\x{FFFD}`, `a . character`, `a . byte`,
		`x*`, `(a|)`, `needle|F1\b`, `F(1|2)0\(\)`, `func [A-Z]\w*\(`, `\pL+dle`, `\p{Greek}`, `[[:upper:]]\d+`, `(?s)a.b`, `a\nb`, `a\rneedle`, `\t\w`,
		`(?U)n.+e`, `n{1,3}eedle`, `e{2}`, `(ne){0,2}edle`, `(?:)`, `\Aneedle`, `needle\z`, `end of it\r?$`, `\x00`, `(?i)[k-l]ine`, `\Qv1.22\E`,
		`--`, `-e`, `\.`, `[]]`, `[^\n]+dle`, `(x{500}){2}`, `.{300}`, `\x{10FFFF}`, `É`, `(?i)é`, `needle\s+`, `(needle)?`, `n(e(e(d)))le`,
	}
}

func TestASearchWithRipgrepGivesTheSame(t *testing.T) {
	launcher, w := sieved(t), nastyTree(t)
	t.Setenv("RIPGREP_CONFIG_PATH", filepath.Join(w.Folder(), "config"))
	write(t, w.Folder(), "config", "--pre=false\n--max-count=0\n")
	helped := 0
	variants := []Query{{Base: "."}, {Base: ".", Lines: true, Context: 2, Glob: "*.{txt,go}"}, {Base: "many", Lines: true}}
	for i, pattern := range nastyPatterns() {
		for _, q := range []Query{{Base: ".", Lines: true}, variants[i%len(variants)]} {
			q.Pattern = regexp.MustCompile(pattern)
			require.Equal(t, found(t, w, nil, q), found(t, w, launcher, q), "%v", q)
		}
		if s := newSieve(w, launcher, pattern); s != nil {
			helped++
			answers(t, s, pattern)
		}
	}
	require.Greater(t, helped, len(nastyPatterns())*3/4)

	write(t, w.Folder(), "over.txt", strings.Repeat(strings.Repeat("x", 1023)+"\n", workspace.MaxFile/1024)+"needle.\n")
	write(t, w.Folder(), "just.txt", strings.Repeat(strings.Repeat("x", 1023)+"\n", workspace.MaxFile/1024-1)+"needle.\n")
	q := Query{Pattern: regexp.MustCompile(`^needle\.`), Base: "."}
	require.Equal(t, []File{{Path: "just.txt", Count: 1}}, found(t, w, launcher, q).Files)
	require.Equal(t, found(t, w, nil, q), found(t, w, launcher, q))
}

func found(t *testing.T, w *workspace.Workspace, launcher *process.Launcher, q Query) Found {
	t.Helper()
	all, err := Run(t.Context(), w, launcher, q)
	require.NoError(t, err)
	return all
}

// answers holds ripgrep to an answer of its own: else all files would pass, and
// nothing were compared.
func answers(t *testing.T, s *sieve, pattern string) {
	t.Helper()
	var batch []string
	for i := range sieveFiles {
		batch = append(batch, fmt.Sprintf("many/f%03d.go", i))
	}
	_, err := s.narrow(t.Context(), batch)
	require.NoError(t, err, "%q as %q", pattern, s.pattern)
}

// Any pattern, over any lines: what ripgrep leaves out has no match.
func TestRipgrepLeavesOutNothingThatMatches(t *testing.T) {
	t.Parallel()
	launcher, w := sieved(t), opened(t)
	piece := rapid.SampledFrom([]string{"a", "K", `\x{212a}`, "é", ".", `\w`, `\d`, `[^b]`, `[a-cé]`, `\b`, "^", "$", "(?i:ks)", `\s`, `\x{fffd}`, "(a|bc)", "(?:b?)"})
	many := rapid.SampledFrom([]string{"", "", "*", "+", "?", "{2}", "{1,3}"})
	content := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "K", "k", "\u212a", "s", "\u017f", "é", "\xe9", "\xff", " ", "\n", "\r\n", "1", "٣", "\x00"}), 0, 12)
	names := []string{}
	for i := range 12 {
		names = append(names, fmt.Sprint("f", i))
	}
	rapid.Check(t, func(r *rapid.T) {
		var pattern strings.Builder
		for range rapid.IntRange(1, 4).Draw(r, "length") {
			pattern.WriteString(piece.Draw(r, "piece") + many.Draw(r, "many"))
		}
		s := newSieve(w, launcher, pattern.String())
		if s == nil {
			return
		}
		for _, name := range names {
			write(t, w.Folder(), name, strings.Join(content.Draw(r, "content"), ""))
		}
		passed, err := s.narrow(t.Context(), names)
		require.NoError(r, err)
		for _, file := range found(t, w, nil, Query{Pattern: regexp.MustCompile(pattern.String()), Base: "."}).Files {
			require.Contains(r, passed, file.Path, "%q as %q", pattern.String(), s.pattern)
		}
	})
}

func TestAProgramThatIsNoRipgrepIsNotBelieved(t *testing.T) {
	for name, program := range map[string]string{
		"says nothing":       "exit 0",
		"finds nothing":      "exit 1",
		"fails":              "echo broken >&2; exit 2",
		"lies":               `printf '<stdin>\0./many/none.go\0'`,
		"talks":              "echo hello",
		"talks without end":  "yes",
		"hangs":              "trap '' TERM; exec sleep 1000",
		"is killed":          "kill -9 $$",
		"closes its outputs": "exec >&- 2>&-; exit 0",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := opened(t)
			for i := range sieveFiles {
				write(t, w.Folder(), fmt.Sprintf("many/f%03d.go", i), fmt.Sprintf("func F%d()\n", i))
			}
			fake := filepath.Join(t.TempDir(), "rg")
			require.NoError(t, os.WriteFile(fake, []byte("#!/bin/sh\n"+program+"\n"), 0o755))
			s := &sieve{w: w, launcher: &process.Launcher{}, program: fake, pattern: "F1", limit: 200 * time.Millisecond}
			require.Equal(t, foundBy(t, w, nil), foundBy(t, w, s))
		})
	}
}

// foundBy searches with a sieve or without.
func foundBy(t *testing.T, w *workspace.Workspace, s *sieve) []File {
	t.Helper()
	look := search{Query: Query{Pattern: regexp.MustCompile(`F1\d\b`), Base: ".", Lines: true}, w: w, sieve: s}
	require.NoError(t, look.run(t.Context()))
	require.Len(t, look.Files, 10)
	return look.Files
}

// What a search costs with ripgrep and without, in the standard library's source:
// 11,000 files, 157 MB.
func BenchmarkSearch(b *testing.B) {
	root, err := exec.CommandContext(b.Context(), "go", "env", "GOROOT").Output()
	require.NoError(b, err)
	w, err := workspace.Open(filepath.Join(strings.TrimSpace(string(root)), "src"))
	require.NoError(b, err)
	defer w.Close()
	for _, pattern := range []string{`[a-z]+Error\(`, `(?i)parsequery`, `^func \w+Reader`} {
		for name, launcher := range map[string]*process.Launcher{"alone": nil, "ripgrep": {}} {
			b.Run(pattern+"/"+name, func(b *testing.B) {
				for b.Loop() {
					_, err := Run(b.Context(), w, launcher, Query{Pattern: regexp.MustCompile(pattern), Base: ".", Lines: true})
					require.NoError(b, err)
				}
			})
		}
	}
}
