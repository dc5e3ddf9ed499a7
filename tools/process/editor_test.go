package process

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEditorIsTheUsersChoice(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	named := map[string]string{"VISUAL": " code --wait ", "EDITOR": "ed"}
	lookup := func(name string) string { return named[name] }
	require.Equal(t, "code --wait", EditorCommand(lookup))
	named["VISUAL"] = " "
	require.Equal(t, "ed", EditorCommand(lookup))
	named["EDITOR"] = ""
	require.Empty(t, EditorCommand(lookup))
	for _, name := range []string{"vi", "vim", "nano"} { // each goes before the one that was there
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), nil, 0o700))
		require.Equal(t, name, EditorCommand(lookup))
	}
}

func TestAnEditorIsACommandLineAndItsEndIsOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a file.md")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	edit := func(ctx context.Context, command string) error {
		return Editor{Command: command, Folder: t.TempDir(), Environ: os.Environ(), In: null, Out: null}.Edit(ctx, path)
	}
	require.NoError(t, edit(t.Context(), `sh -c 'echo "$1" >"$2"' sh "two words"`))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two words\n", string(text))
	require.EqualError(t, edit(t.Context(), "exit 3;"), "your editor ended with exit code 3")
	require.EqualError(t, edit(t.Context(), "no-such-editor -w"), "no-such-editor -w was not found: set VISUAL or EDITOR to your editor")
}

// A model may have put it there, and an editor has the user's whole environment.
func TestAnEditorIsNoProgramOfTheFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"sh", "mine"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\ntouch "+folder+"/ran\n"), 0o700))
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	environ := append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	err = Editor{Command: "mine", Folder: folder, Environ: environ, In: null, Out: null}.Edit(t.Context(), "x")
	require.ErrorContains(t, err, "mine was not found")
	require.NoFileExists(t, folder+"/ran")
}

func TestAnEditorEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads, writes, err := os.Pipe()
	require.NoError(t, err)
	defer reads.Close()
	defer writes.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Editor{Command: "echo up; exec sleep 1000; :", Folder: "/", Environ: os.Environ(), In: reads, Out: writes}.Edit(ctx, "x")
	}()
	_, err = reads.Read(make([]byte, 10)) // it runs
	require.NoError(t, err)
	cancel()
	require.ErrorContains(t, <-ended, "your editor was ended: ")
}
