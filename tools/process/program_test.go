package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// planted writes programs of a name into folders, which say where they are.
func planted(t *testing.T, name string, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho of "+filepath.Base(dir)+"; echo $PATH\n"), 0o755))
	}
}

// A model that may write in a folder of PATH could otherwise say what Pawl's next git does, outside
// of every sandbox.
func TestWhatPawlPicksComesFromNoFolderThatModelsMayWriteIn(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	at := func(name string) string { return filepath.Join(base, name) }
	planted(t, "tool", at("run/bin"), at("session/bin"), at("extra"), at("good"))
	planted(t, "lure", at("run/bin"))
	require.NoError(t, os.Symlink(at("session"), at("link")))
	require.NoError(t, os.Mkdir(at("linked"), 0o755))
	require.NoError(t, os.Symlink(at("run/bin/tool"), at("linked/tool")))
	l := &Launcher{Writable: []string{at("session"), at("extra"), at("gone")}}
	t.Chdir(at("run"))
	for _, first := range []string{at("run/bin"), at("session/bin"), at("link/bin"), at("extra"), at("linked"), "bin", "./bin", "", at("gone")} {
		path := first + ":" + at("good") + ":/usr/bin:/bin"
		t.Setenv("PATH", path)
		require.Equal(t, at("good/tool"), l.Program("tool", at("run")), first)
		done, err := l.Run(t.Context(), Command{Name: "tool", Folder: at("run"), Own: true})
		require.NoError(t, err)
		kept := at("good") + ":/usr/bin:/bin"
		if first == at("linked") || first == at("gone") { // no model writes there, and what is gone holds nothing
			kept = path
		}
		require.Equal(t, "of good\n"+kept+"\n", done.Output.Head, first)

		asked, err := l.Run(t.Context(), l.ShellCommand("echo $PATH", at("run")))
		require.NoError(t, err)
		require.Equal(t, path+"\n", asked.Output.Head, "a line's own PATH is the user's")
	}
	bare := &Launcher{Environ: func() []string { return []string{"HOME=/"} }}
	require.Equal(t, at("good/tool"), bare.Program("tool", at("run")), "an environment without a PATH has this process's")
	t.Setenv("PATH", at("run/bin")+":/usr/bin:/bin")
	_, err = l.Run(t.Context(), Command{Name: "lure", Folder: at("run"), Own: true})
	require.EqualError(t, err, "lure is on PATH only in a folder in which models may write, and is not run from there: install it elsewhere")
}
