package stories

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// copying puts a program into the stage's PATH that gives what was copied: the file "copied", as a
// picture or a text.
func copying(t *testing.T, s *harness.Stage, form string, copied []byte) *harness.Stage {
	t.Helper()
	folder := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --list-types ] && { echo " + form + "; exit; }\n[ \"$3\" = " + form + " ] && cat " + filepath.Join(folder, "copied") + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "wl-paste"), []byte(script), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "copied"), copied, 0o600))
	return s.With("PATH="+folder+":"+os.Getenv("PATH"), "WAYLAND_DISPLAY=wayland-7")
}

// A picture that was copied is pasted with Ctrl+V: the model sees it, and it goes with the session.
func TestCtrlVPastesAPictureThatWasCopied(t *testing.T) {
	t.Parallel()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 7, 5))))
	s := copying(t, talking(t), "image/png", picture.Bytes())
	x := s.Open(t)
	x.Type("look: ", harness.KeyCtrlV)
	x.WaitFor("the mention", func(screen string) bool {
		return harness.ContainsAll(strings.NewReplacer("\n", "", " ", "").Replace(screen), "look:@", "picture-", ".png")
	})
	x.Type("please", harness.KeyEnter)
	x.See("7×5", "I am here.")
	asked := s.Server.Await(t, modeltest.ParentAsked("please"))
	require.Contains(t, string(asked.Raw), `"media_type":"image/png"`)
	kept, err := filepath.Glob(filepath.Join(s.Home, "data", "outputs", "*", "picture-*.png"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	info, err := os.Stat(kept[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	x.Rest()
	require.Equal(t, 0, x.Quit())
	_, errs, code := harness.Run(t, s.Dir, s.Env, "rm", latest(t, s))
	require.Zero(t, code, errs)
	require.NoFileExists(t, kept[0])
}

func TestCtrlVPastesTextOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	s := copying(t, talking(t), "text/plain", []byte("words that were\ncopied"))
	x := s.Open(t)
	x.Type(harness.KeyCtrlV)
	x.See("words that were", "copied")
	x.Type(harness.KeyCtrlU, harness.KeyBackspace, harness.KeyCtrlU)
	require.Equal(t, 0, x.Quit())

	s = copying(t, talking(t), "image/png", []byte("no picture"))
	x = s.Open(t)
	x.Type(harness.KeyCtrlV)
	x.See("not pasted: wl-paste: what it gave is no picture")
	require.Equal(t, 0, x.Quit())

	s = talking(t)
	s.Env = append(s.Env, "PATH="+filepath.Dir(strings.Fields(s.Home)[0]), "WAYLAND_DISPLAY=", "DISPLAY=")
	x = s.Open(t)
	x.Type(harness.KeyCtrlV)
	x.See("not pasted: this terminal has no clipboard that can be read")
	require.Equal(t, 0, x.Quit())
}
