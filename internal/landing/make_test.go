package landing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestWhatASubagentChangedIsMergedWithTheFolderAsItIsNow(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.inTree("commit", "-qam", "committed")
	s.there("poem.txt", replaced(poem, "two", "2", "seven", "7"))
	s.there("new/file.go", "package new\n")
	s.here("poem.txt", replaced(poem, "twelve", "12"))
	s.here("staged.txt", "staged\n")
	s.git("add", "staged.txt")
	before := s.git("status", "--porcelain") + s.git("count-objects", "-v") + s.inTree("status", "--porcelain")
	p := s.plan()
	require.Len(t, p.Files, 2, "what is only in the folder is not the subagent's")
	require.Equal(t, []string{"new/file.go", "poem.txt"}, []string{p.Files[0].Path, p.Files[1].Path})
	require.Equal(t, "package new\n", merged(t, p.Files[0]))
	require.Equal(t, replaced(poem, "two", "2", "seven", "7", "twelve", "12"), merged(t, p.Files[1]))
	require.Equal(t, "2 files to land", p.Says())
	require.Equal(t, before, s.git("status", "--porcelain")+s.git("count-objects", "-v")+s.inTree("status", "--porcelain"),
		"neither an index nor the objects are touched")
}

func TestWhatBothSidesChangedIsNamedWithBothSides(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2", "eleven", "11"))
	s.here("poem.txt", replaced(poem, "two", "II", "eleven", "XI"))
	f := s.file()
	require.Equal(t, Conflict, f.State)
	require.Equal(t, "both sides changed 2 places, the first at line 2", f.Why)
	require.Equal(t, []Conflicting{
		{Line: 2, Hunks: []int{0}, Folder: "II\n", Base: "two\n", Worktree: "2\n"},
		{Line: 11, Hunks: []int{1}, Folder: "XI\n", Base: "eleven\n", Worktree: "11\n"},
	}, f.Conflicts)
	require.Empty(t, f.puts)
}

func TestChosenHunksLandWithoutTheOthers(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "one\n", "0\none\n", "twelve\n", "12"))
	s.here("poem.txt", replaced(poem, "one\n", "I\n"))
	f := s.file(Pick{Path: "poem.txt", Hunks: []int{1}})
	require.Len(t, f.Hunks, 2)
	require.Equal(t, replaced(poem, "one\n", "I\n", "twelve\n", "12"), merged(t, f))
	require.True(t, f.partly())
	require.Equal(t, Conflict, s.file(Pick{Path: "poem.txt", Hunks: []int{0}}).State)
	require.Equal(t, Conflict, s.file().State)
	_, err := Make(t.Context(), Source{Repository: s.repository(), Note: s.note, Scratch: t.TempDir()}, Choice{[]Pick{{Path: "poem.txt", Hunks: []int{2}}}})
	require.EqualError(t, err, "poem.txt has no hunk 3: it has 2")
	_, err = Make(t.Context(), Source{Repository: s.repository(), Note: s.note, Scratch: t.TempDir()}, Choice{[]Pick{{Path: "peom.txt"}}})
	require.EqualError(t, err, `the subagent changed no file "peom.txt"; did you mean "poem.txt"?`)
}

func TestOnlyTheChosenFilesLand(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	s.there("sub/a.go", "a\n")
	s.there("sub/b.go", "b\n")
	p := s.plan(Pick{Path: "sub/"})
	require.Equal(t, []State{Left, Lands, Lands}, []State{p.Files[0].State, p.Files[1].State, p.Files[2].State})
	require.Equal(t, []string{"poem.txt"}, p.left())
}

func TestWhatTheFolderHasAlreadyIsThere(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.there("new.go", "new\n")
	require.NoError(t, os.Remove(filepath.Join(s.note.Path, "cart.go")))
	s.here("poem.txt", replaced(poem, "two", "2", "nine", "9"))
	s.here("new.go", "new\n")
	require.NoError(t, os.Remove(filepath.Join(s.top, "cart.go")))
	p := s.plan()
	require.Equal(t, "3 files already there", p.Says())
	require.True(t, p.whole())
}

func TestADeletionLandsUnlessTheFileWasChanged(t *testing.T) {
	s := newScene(t, nil).began()
	require.NoError(t, os.Remove(filepath.Join(s.note.Path, "cart.go")))
	f := s.file()
	require.Equal(t, Lands, f.State)
	require.Equal(t, lifecycle.FileState{}, f.puts[0].want)
	s.here("cart.go", "package basket\n")
	require.Equal(t, "the subagent deleted it, and it was changed in the folder", s.file().Why)
}

func TestAChangeOfADeletedFileIsAConflict(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("cart.go", "package basket\n")
	require.NoError(t, os.Remove(filepath.Join(s.top, "cart.go")))
	f := s.file()
	require.Equal(t, "it was deleted in the folder, and changed by the subagent", f.Why)
	require.Equal(t, Conflict, f.State)
}

func TestANewFileThatTheFolderHasTooIsAConflictUnlessTheyAreTheSame(t *testing.T) {
	s := newScene(t, map[string]string{".gitignore": "*.env\n"}).began()
	s.there("new.go", "theirs\n")
	s.here("new.go", "ours\n")
	require.Equal(t, "the folder has another file of this name", s.file().Why)
	s.there("secret.env", "ignored here, committed there\n")
	s.inTree("add", "-f", "secret.env")
	s.here("secret.env", "mine\n")
	p := s.plan()
	require.Len(t, p.Of(Conflict), 2, "an ignored file of the folder is nobody's to overwrite")
}

func TestARenameIsMergedUnderTheNewName(t *testing.T) {
	s := newScene(t, nil).began()
	s.inTree("mv", "poem.txt", "verse.txt")
	s.there("verse.txt", replaced(poem, "two", "2"))
	s.here("poem.txt", replaced(poem, "eleven", "11"))
	f := s.file()
	require.Equal(t, "poem.txt", f.From)
	require.Equal(t, replaced(poem, "two", "2", "eleven", "11"), merged(t, f))
	require.Equal(t, []string{"verse.txt", "poem.txt"}, []string{f.puts[0].path, f.puts[1].path})
	require.Equal(t, lifecycle.FileState{}, f.puts[1].want)

	s.git("mv", "poem.txt", "verse.txt") // the folder has it renamed too
	f = s.file()
	require.Equal(t, replaced(poem, "two", "2", "eleven", "11"), merged(t, f))
	require.Len(t, f.puts, 1)

	s.here("poem.txt", poem)
	require.Equal(t, "the folder has another file of this name, beside poem.txt", s.file().Why)
}

func TestARenameWithoutAnotherChangeLands(t *testing.T) {
	s := newScene(t, nil).began()
	s.inTree("mv", "poem.txt", "verse.txt")
	f := s.file()
	require.Equal(t, poem, merged(t, f))
	require.Len(t, f.puts, 2)
}

// The worktree goes when all has landed: what counted as there would be nowhere.
func TestWhatTheFolderDeletedIsAConflictHoweverLittleWasDoneToIt(t *testing.T) {
	s := newScene(t, map[string]string{"run.sh": "echo\n", "poem.txt": poem}).began()
	s.inTree("mv", "poem.txt", "verse.txt")
	require.NoError(t, os.Chmod(filepath.Join(s.note.Path, "run.sh"), 0o700))
	for _, name := range []string{"poem.txt", "run.sh"} {
		require.NoError(t, os.Remove(filepath.Join(s.top, name)))
	}
	found := s.plan().Of(Conflict)
	require.Len(t, found, 2)
	for _, f := range found {
		require.Equal(t, "it was deleted in the folder, and changed by the subagent", f.Why)
	}
}

func TestABinaryFileLandsWholeOrNotAtAll(t *testing.T) {
	s := newScene(t, map[string]string{"logo.png": "\x89PNG\x00\x01"}).began()
	s.there("logo.png", "\x89PNG\x00\x02")
	f := s.file()
	require.Equal(t, "\x89PNG\x00\x02", merged(t, f))
	require.True(t, f.Binary)
	require.Empty(t, f.Hunks)
	s.here("logo.png", "\x89PNG\x00\x03")
	require.Equal(t, "it is binary, and was changed on both sides", s.file().Why)
}

func TestModeBitsLandBesideOtherChanges(t *testing.T) {
	s := newScene(t, map[string]string{"run.sh": "one\ntwo\nthree\n"}).began()
	require.NoError(t, os.Chmod(filepath.Join(s.note.Path, "run.sh"), 0o755)) //nolint:gosec // it is to be executable
	s.here("run.sh", "one\ntwo\nthree\nfour\n")
	require.NoError(t, os.Chmod(filepath.Join(s.top, "run.sh"), 0o640)) //nolint:gosec // others may read it
	f := s.file()
	require.Equal(t, "one\ntwo\nthree\nfour\n", merged(t, f))
	require.Equal(t, uint32(0o750), f.puts[0].want.Mode, "executable for whom it is readable")
	require.NoError(t, os.Chmod(filepath.Join(s.top, "run.sh"), 0o750)) //nolint:gosec // as the subagent wants it
	require.Equal(t, There, s.file().State)
}

func TestSymlinksLandAsLinks(t *testing.T) {
	s := newScene(t, nil).began()
	require.NoError(t, os.Symlink("poem.txt", filepath.Join(s.note.Path, "link")))
	require.NoError(t, os.Remove(filepath.Join(s.note.Path, "cart.go")))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(s.note.Path, "cart.go")))
	p := s.plan()
	require.Equal(t, "poem.txt", merged(t, p.Files[1]))
	require.Equal(t, lifecycle.FileLink, p.Files[1].puts[0].want.Kind)
	require.Equal(t, "/etc/passwd", merged(t, p.Files[0]))
	require.NoError(t, os.Symlink("cart.go", filepath.Join(s.top, "link")))
	require.Equal(t, "the folder has another file of this name", s.plan().Files[1].Why)
}

func TestALinkOfTheFolderIsNotFollowed(t *testing.T) {
	s := newScene(t, map[string]string{"sub/a.go": "a\n"}).began()
	s.there("sub/a.go", "b\n")
	outside := t.TempDir()
	put0(t, outside, "a.go", "a\n")
	require.NoError(t, os.RemoveAll(filepath.Join(s.top, "sub")))
	require.NoError(t, os.Symlink(outside, filepath.Join(s.top, "sub")))
	f := s.file()
	require.Equal(t, Conflict, f.State)
	require.Equal(t, "the folder has a link in its place: sub", f.Why)
}

func TestCRLFFilesAreMergedWithTheLineEndsOfTheFolder(t *testing.T) {
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	s := newScene(t, map[string]string{"poem.txt": poem, "dos.txt": crlf(poem), ".gitattributes": "auto.txt text eol=crlf\n", "auto.txt": poem})
	s.git("rm", "-q", "--cached", "auto.txt")
	s.git("checkout", "-q", "HEAD", "--", "auto.txt")
	s.began()
	s.there("dos.txt", crlf(replaced(poem, "two", "2")))
	s.here("dos.txt", crlf(replaced(poem, "nine", "9")))
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.here("poem.txt", crlf(replaced(poem, "nine", "9"))) // an editor has changed them all
	s.there("auto.txt", crlf(replaced(poem, "two", "2")))
	s.here("auto.txt", crlf(poem))
	p := s.plan()
	require.Len(t, p.Files, 3)
	require.Equal(t, crlf(replaced(poem, "two", "2")), merged(t, p.Files[0]), "as its attributes want it")
	require.Equal(t, crlf(replaced(poem, "two", "2", "nine", "9")), merged(t, p.Files[1]))
	require.Equal(t, crlf(replaced(poem, "two", "2", "nine", "9")), merged(t, p.Files[2]))
}

func TestAFileWithoutALastNewlineKeepsToThat(t *testing.T) {
	bare := strings.TrimSuffix(poem, "\n")
	s := newScene(t, map[string]string{"poem.txt": bare}).began()
	s.there("poem.txt", replaced(bare, "two", "2"))
	s.here("poem.txt", replaced(bare, "eight", "8"))
	require.Equal(t, replaced(bare, "two", "2", "eight", "8"), merged(t, s.file()))
	s.there("poem.txt", replaced(bare, "two", "2")+"\n")
	f := s.file(Pick{Path: "poem.txt", Hunks: []int{1}})
	require.Equal(t, replaced(bare, "eight", "8")+"\n", merged(t, f))
}

func TestSubmodulesAreNamedAndLeft(t *testing.T) {
	s := newScene(t, nil)
	inner := newScene(t, nil)
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.top, "lib")
	s.git("commit", "-qm", "lib")
	s.began()
	inner.here("more.txt", "x\n")
	inner.git("add", ".")
	inner.git("commit", "-qm", "more")
	s.inTree("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
	s.there("lib/poem.txt", "changed inside\n")
	s.inTree("update-index", "--cacheinfo", "160000,"+strings.TrimSpace(inner.git("rev-parse", "HEAD"))+",lib")
	s.there("cart.go", "package basket\n")
	p := s.plan()
	require.Equal(t, []State{Lands, Left}, []State{p.Files[0].State, p.Files[1].State})
	require.Equal(t, "it is another repository: submodules are not landed", p.Files[1].Why)
}

func TestLFSPointersLandAsFiles(t *testing.T) {
	pointer := func(of string) string {
		return "version https://git-lfs.github.com/spec/v1\noid sha256:" + hashOf([]byte(of)) + "\nsize 9\n"
	}
	s := newScene(t, map[string]string{".gitattributes": "*.bin filter=lfs\n", "big.bin": pointer("the whole")})
	s.git("config", "filter.lfs.clean", "false") // it must not run
	s.git("config", "filter.lfs.smudge", "false")
	s.began()
	s.there("big.bin", "replaced whole")
	s.here("big.bin", "the whole") // as git-lfs has checked it out
	require.Equal(t, "replaced whole", merged(t, s.file()))
	s.here("big.bin", "another whole")
	require.Equal(t, Conflict, s.file().State)
}

func TestPathsOutsideASparseCheckoutAreNamedAndLeft(t *testing.T) {
	s := newScene(t, map[string]string{"in/a.go": "a\n", "out/b.go": "b\n"}).began()
	s.git("sparse-checkout", "set", "in")
	s.there("in/a.go", "A\n")
	s.there("out/b.go", "B\n")
	p := s.plan()
	require.Equal(t, []State{Lands, Left}, []State{p.Files[0].State, p.Files[1].State})
	require.Equal(t, "the folder is a sparse checkout without it", p.Files[1].Why)
}

func TestAWorktreeThatIsSparseItselfHasDeletedNothing(t *testing.T) {
	s := newScene(t, map[string]string{"in/a.go": "a\n", "out/b.go": "b\n"}).began()
	s.inTree("sparse-checkout", "set", "in")
	s.there("in/a.go", "A\n")
	s.there("out/new.go", "new\n")
	require.NoFileExists(t, filepath.Join(s.note.Path, "out/b.go"))
	p := s.plan()
	require.Len(t, p.Files, 2)
	require.Equal(t, []string{"in/a.go", "out/new.go"}, []string{p.Files[0].Path, p.Files[1].Path})
}

func TestNamesThatAreNotUTF8AreNamedAndLeft(t *testing.T) {
	s := newScene(t, nil).began()
	if os.WriteFile(filepath.Join(s.note.Path, "caf\xe9.txt"), []byte("x\n"), 0o600) != nil {
		t.Skip("this file system takes no such names")
	}
	s.there("naïve \"quoted\"\tname.txt", "x\n")
	p := s.plan()
	require.Equal(t, `"caf\xe9.txt"`, p.Files[0].Path)
	require.Equal(t, []string{"", "its name is not UTF-8"}, []string{p.Files[1].Why, p.Files[0].Why})
	require.Equal(t, Lands, p.Files[1].State)
}

func TestOnlyTheSessionsFolderIsLandedIn(t *testing.T) {
	s := newScene(t, map[string]string{"sub/a.go": "a\n", "b.go": "b\n"}).began()
	s.note.Folder = filepath.Join(s.top, "sub")
	s.there("sub/a.go", "A\n")
	s.there("b.go", "B\n")
	p := s.plan()
	require.Equal(t, []string{"../b.go", "a.go"}, []string{p.Files[0].Path, p.Files[1].Path})
	require.Equal(t, "it is outside of the session's folder", p.Files[0].Why)
	require.Equal(t, "A\n", merged(t, p.Files[1]))
}

func TestAFileInTheMiddleOfAMergeIsLeft(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.inTree("commit", "-qam", "theirs")
	s.inTree("switch", "-qc", "other", "HEAD~")
	s.there("poem.txt", replaced(poem, "two", "II"))
	s.inTree("commit", "-qam", "others")
	merge := gitMayFail(t, s.note.Path, "merge", s.note.Branch)
	require.Contains(t, merge, "CONFLICT")
	require.Equal(t, "it is in the middle of a merge in the worktree", s.file().Why)
}
