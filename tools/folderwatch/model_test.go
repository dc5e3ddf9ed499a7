package folderwatch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/internal/gittest"
	"pawl/lifecycle"
)

// stands is what really stands in a folder, by path, in the words of content. What is ignored is left
// out: all that is called out.
func stands(t require.TestingT, top string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		path, _ := filepath.Rel(top, at)
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git" || entry.Name() == "out":
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(at)
			all[path] = "@" + target
		case entry.Type().IsRegular():
			text, _ := os.ReadFile(at)
			info, _ := entry.Info()
			all[path] = strings.ReplaceAll(string(text), "\n", "|")
			if info.Mode()&0o111 != 0 {
				all[path] += "*"
			}
		}
		return nil
	})
	require.NoError(t, err)
	return all
}

// acts are what a command may do, with a few names so that they meet. What cannot be done is left.
var (
	names = []string{"a", "b", "c", "d/a", "d/b", "d/e/a", "f/a", "f/b", "out", "d/out", "d", "d/e", "f"}
	acts  = map[string]func(top, one, other, text string){
		"write": func(top, one, _, text string) {
			_ = os.MkdirAll(filepath.Dir(filepath.Join(top, one)), 0o755)
			_ = os.WriteFile(filepath.Join(top, one), []byte(text), 0o644)
		},
		"replace": func(top, one, _, text string) {
			_ = os.WriteFile(filepath.Join(top, "out.tmp"), []byte(text), 0o644)
			if os.Rename(filepath.Join(top, "out.tmp"), filepath.Join(top, one)) != nil {
				_ = os.Remove(filepath.Join(top, "out.tmp"))
			}
		},
		"move": func(top, one, other, _ string) {
			_ = os.Rename(filepath.Join(top, one), filepath.Join(top, other))
		},
		"remove": func(top, one, _, _ string) { _ = os.RemoveAll(filepath.Join(top, one)) },
		"mode": func(top, one, _, _ string) {
			if info, err := os.Lstat(filepath.Join(top, one)); err == nil && info.Mode().IsRegular() {
				_ = os.Chmod(filepath.Join(top, one), info.Mode().Perm()^0o111)
			}
		},
		"link": func(top, one, other, _ string) { _ = os.Symlink(other, filepath.Join(top, one)) },
		"hard": func(top, one, other, _ string) {
			_ = os.Link(filepath.Join(top, one), filepath.Join(top, other))
		},
		"deep": func(top, one, _, text string) {
			_ = os.MkdirAll(filepath.Join(top, one, "g/h/i"), 0o755)
			_ = os.WriteFile(filepath.Join(top, one, "g/h/a"), []byte(text), 0o644)
			_ = os.WriteFile(filepath.Join(top, one, "g/h/i/a"), []byte(text), 0o644)
		},
		"renew": func(top, one, _, text string) {
			if info, err := os.Stat(filepath.Join(top, one)); err == nil && info.IsDir() {
				_ = os.RemoveAll(filepath.Join(top, one))
				_ = os.MkdirAll(filepath.Join(top, one, "e"), 0o755)
				_ = os.WriteFile(filepath.Join(top, one, "e/a"), []byte(text), 0o644)
			}
		},
		"away": func(top, one, other, _ string) {
			_ = os.Rename(filepath.Join(top, one), filepath.Join(top+"-away", filepath.Base(other)))
		},
		"back": func(top, one, other, _ string) {
			_ = os.Rename(filepath.Join(top+"-away", filepath.Base(one)), filepath.Join(top, other))
		},
		"folder mode": func(top, one, _, _ string) {
			if info, err := os.Lstat(filepath.Join(top, one)); err == nil && info.IsDir() {
				_ = os.Chmod(filepath.Join(top, one), info.Mode().Perm()^0o011)
			}
		},
		"touch": func(top, one, _, _ string) {
			if info, err := os.Stat(filepath.Join(top, one)); err == nil {
				_ = os.Chtimes(filepath.Join(top, one), info.ModTime().Add(1), info.ModTime().Add(1))
			}
		},
	}
)

// act does a few of them in a folder. What is done by a name of a file that is not watched, or no longer
// there in the end, the kernel does not tell: then it is asked to look everywhere.
func act(r *rapid.T, top, who string, watches ...*Watch) { actOf(r, acts, top, who, watches...) }

func actOf(r *rapid.T, acts map[string]func(top, one, other, text string), top, who string, watches ...*Watch) {
	_ = os.Mkdir(top+"-away", 0o755)
	linked := map[string]fs.FileInfo{}
	kinds := slices.Sorted(maps.Keys(acts))
	defer func() {
		for name, was := range linked {
			if now, err := os.Lstat(filepath.Join(top, name)); err != nil || !os.SameFile(was, now) || ignored(top, name) {
				for _, w := range watches {
					miss(w)
				}
			}
		}
	}()
	for i := range rapid.IntRange(0, 5).Draw(r, who) {
		kind := rapid.SampledFrom(kinds).Draw(r, "act")
		one, other := rapid.SampledFrom(names).Draw(r, "name"), rapid.SampledFrom(names).Draw(r, "other")
		acts[kind](top, one, other, fmt.Sprintf("%s%d%s\n", who, i, rapid.SampledFrom([]string{"", "x"}).Draw(r, "text")))
		if info, err := os.Lstat(filepath.Join(top, other)); kind == "hard" && err == nil {
			linked[other] = info
		}
	}
}

// ignored reports whether the rules that acts write hide a name.
func ignored(top, name string) bool {
	for at := name; at != "."; at = filepath.Dir(at) {
		for folder := filepath.Dir(at); ; folder = filepath.Dir(folder) {
			rules, _ := os.ReadFile(filepath.Join(top, folder, ".gitignore"))
			below, _ := filepath.Rel(folder, at)
			lines := strings.Split(string(rules), "\n")
			if slices.Contains(lines, filepath.Base(at)) || slices.Contains(lines, "/"+below) {
				return true
			}
			if folder == "." {
				break
			}
		}
	}
	return filepath.Base(name) == "out"
}

// miss is as if the kernel had told more than its queue holds.
func miss(w *Watch) {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.missed = true
}

// expected are the lines of what differs.
func expected(before, after map[string]string) (lines []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was, is := "none", "none"
		if text, ok := before[path]; ok {
			was = text
		}
		if text, ok := after[path]; ok {
			is = text
		}
		if was != is {
			lines = append(lines, path+": "+was+" -> "+is)
		}
	}
	return lines
}

// Whatever a command does, exactly that is told, with what stood there before: no matter what others
// did while no command was at work.
func TestAnyActsOfACommandAreToldAndThoseOfOthersAreNot(t *testing.T) {
	inBothWays(t, testAnyActs)
}

func testAnyActs(t *testing.T, deaf bool) {
	rapid.Check(t, func(r *rapid.T) {
		b := watchedBy(t, gittest.Checkout(t), deaf)
		defer b.end()
		b.write(".gitignore", "out\nout.tmp\n")
		b.settle()
		for range rapid.IntRange(1, 4).Draw(r, "commands") {
			act(r, b.folder, "others", b.watch)
			b.settle()
			before := stands(r, b.folder)
			c := b.begin(t.Context())
			act(r, b.folder, "command", b.watch)
			changed := c.End(t.Context())
			require.Equal(r, expected(before, stands(r, b.folder)), b.told(changed))
		}
	})
}

// Two commands at once: nothing is told twice, and nothing is lost.
func TestWhatTwoCommandsChangeAtOnceIsToldOnce(t *testing.T) {
	inBothWays(t, testTwoCommands)
}

func testTwoCommands(t *testing.T, deaf bool) {
	rapid.Check(t, func(r *rapid.T) {
		b := watchedBy(t, gittest.Checkout(t), deaf)
		defer b.end()
		b.write(".gitignore", "out\nout.tmp\n")
		act(r, b.folder, "others", b.watch)
		b.settle()
		before := stands(r, b.folder)
		first := b.watch.Begin(t.Context(), "first", "call")
		act(r, b.folder, "first", b.watch)
		second := b.watch.Begin(t.Context(), "second", "call")
		act(r, b.folder, "second", b.watch)
		b.watch.Refresh()
		told := second.End(t.Context())
		if told != nil {
			require.Equal(r, []lifecycle.RunID{"first"}, told.Beside)
		}
		act(r, b.folder, "more", b.watch)
		rest := first.End(t.Context())
		now := maps.Clone(before)
		for _, changed := range []*lifecycle.FilesChanged{told, rest} {
			if changed == nil {
				continue
			}
			for _, one := range changed.Files {
				if one.After.Kind == lifecycle.FileNone {
					delete(now, one.Path)
				} else {
					now[one.Path] = b.content(one.After)
				}
			}
		}
		require.Equal(r, stands(r, b.folder), now)
	})
}
