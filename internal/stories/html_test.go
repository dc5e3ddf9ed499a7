package stories

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A page is asked for by name, never replaces what is there unasked, and what a
// model wrote is text on it.
func TestASessionIsExportedAsOnePage(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found <script>alert(1)</script> it.")
		case h.Answered("agent"):
			return modeltest.Say("That is all.")
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	said, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "html")
	require.Equal(t, 0, code, errs)
	path := filepath.Join(s.Dir, "pawl-"+r.Session+".html")
	require.Equal(t, path+"\n", said)
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(page, []byte("<!DOCTYPE html>")))
	require.Contains(t, string(page), "Found &lt;script&gt;alert(1)&lt;/script&gt; it.")
	require.Equal(t, 1, bytes.Count(page, []byte("<script")))
	require.Contains(t, string(page), "default-src 'none'")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "html")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "--force")
	again, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "html", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, string(page), again)
}
