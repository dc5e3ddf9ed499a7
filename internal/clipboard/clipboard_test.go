//go:build unix

package clipboard

import (
	"bytes"
	"encoding/hex"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// dot is a picture of one dot.
func dot(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return b.Bytes()
}

// terminal is one whose PATH begins with programs of these scripts.
func terminal(t *testing.T, scripts map[string]string, variables ...string) (environ []string, folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, script := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "dot.png"), dot(t), 0o600))
	return append([]string{"PATH=" + folder + ":/usr/bin:/bin", "ANTHROPIC_API_KEY=sk-secret"}, variables...), folder
}

const wayland = "WAYLAND_DISPLAY=wayland-7"

// answered is what Read gives once its programs have ended in time: a slow machine may only have started
// them by then.
func answered(t *testing.T, environ []string) (found Content, err error) {
	t.Helper()
	for late := time.Now().Add(modeltest.Patience); ; {
		found, err = Read(t.Context(), environ, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), "did not answer") || time.Now().After(late) {
			return found, err
		}
	}
}

func TestAPictureIsReadByWhateverTheTerminalHas(t *testing.T) {
	const lists = `[ "$1" = --list-types ] && { printf 'text/html\nimage/png\ntext/plain\n'; exit; }` + "\n"
	for name, c := range map[string]struct {
		scripts   map[string]string
		variables []string
	}{
		"Wayland": {map[string]string{
			"wl-paste": lists + `[ "$*" = "--no-newline --type image/png" ] && [ "$WAYLAND_DISPLAY" = wayland-7 ] && [ -z "$ANTHROPIC_API_KEY" ] && cat "$(dirname "$0")/dot.png"`,
			"xclip":    "exit 1",
		}, []string{wayland, "DISPLAY=:0"}},
		"X11": {map[string]string{
			"xclip": `case "$*" in *TARGETS*) printf 'TARGETS\nimage/png\n';; "-selection clipboard -o -t image/png") cat "$(dirname "$0")/dot.png";; *) exit 1; esac`,
		}, []string{"DISPLAY=:0"}},
		"pngpaste":  {map[string]string{"pngpaste": `[ "$1" = - ] && cat "$(dirname "$0")/dot.png"`, "pbpaste": "exit 1"}, nil},
		"osascript": {map[string]string{"osascript": `echo "«data PNGf` + hex.EncodeToString(dot(t)) + `»"`, "pbpaste": "exit 1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			environ, _ := terminal(t, c.scripts, c.variables...)
			found, err := answered(t, environ)
			require.NoError(t, err)
			require.Equal(t, Content{Picture: dot(t), Ending: "png"}, found)
		})
	}
}

func TestWithoutAPictureThereIsTextOrNothing(t *testing.T) {
	environ, _ := terminal(t, map[string]string{"wl-paste": `case "$*" in --list-types) echo text/plain;; *text/plain) printf 'two\nlines\377';; *) exit 1; esac`}, wayland)
	found, err := answered(t, environ)
	require.NoError(t, err)
	require.Equal(t, Content{Text: "two\nlines\uFFFD"}, found)

	environ, _ = terminal(t, map[string]string{"wl-paste": "echo Nothing is copied >&2; exit 1"}, wayland)
	found, err = answered(t, environ)
	require.NoError(t, err)
	require.Equal(t, Content{}, found)

	environ, _ = terminal(t, map[string]string{"pngpaste": "exit 1", "pbpaste": "echo words"})
	found, err = answered(t, environ)
	require.NoError(t, err)
	require.Equal(t, Content{Text: "words\n"}, found)
}

func TestAProgramOfTheFolderIsNotAskedForTheClipboard(t *testing.T) {
	environ, folder := terminal(t, map[string]string{"wl-paste": "echo text"}, wayland)
	_, err := Read(t.Context(), environ, folder)
	require.Error(t, err)
}

func TestWhyTheClipboardCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		script, why string
	}{
		"no picture":  {`[ "$1" = --list-types ] && echo image/png || echo BM-bitmap`, "wl-paste: what it gave is no picture"},
		"it fails":    {`[ "$1" = --list-types ] && echo image/png || { echo the compositor is gone >&2; exit 1; }`, "wl-paste: the compositor is gone"},
		"it is huge":  {`[ "$1" = --list-types ] && echo image/png || cat /dev/zero`, "wl-paste: it holds more than 10.0 MB"},
		"not a reply": {`echo $$ > "$(dirname "$0")/pid"; exec sleep 1000`, "wl-paste: the clipboard did not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environ, folder := terminal(t, map[string]string{"wl-paste": c.script}, wayland)
			read := answered
			if name == "not a reply" {
				read = func(t *testing.T, environ []string) (Content, error) { return Read(t.Context(), environ, t.TempDir()) }
			}
			before := time.Now()
			_, err := read(t, environ)
			require.ErrorContains(t, err, c.why)
			require.Less(t, time.Since(before), 2*modeltest.Patience, "what goes on is not waited for")
			require.NotContains(t, err.Error(), folder)
		})
	}
	environ, folder := terminal(t, map[string]string{"wl-paste": "exit 0"})
	_, err := Read(t.Context(), environ, t.TempDir())
	require.ErrorIs(t, err, errNoDisplay)
	_, err = Read(t.Context(), []string{"PATH=:.:" + filepath.Base(folder), "DISPLAY=:0"}, t.TempDir())
	require.ErrorIs(t, err, errNone)
}
