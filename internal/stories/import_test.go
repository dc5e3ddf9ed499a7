package stories

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/internal/base"
	"pawl/internal/cli"
	"pawl/internal/harness"
	"pawl/internal/host"
	"pawl/internal/modeltest"
)

// Who gets a session as a file reads it as its owner does: it is written again byte by
// byte, and as a page it is the page of the session. No database is needed for it.
func TestAnExportedSessionIsImportedAsItWas(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found the café <b>it</b>\u202e.")
		case h.Answered("agent"):
			return modeltest.Say("That is all.")
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "-o", "run.json")
	require.Equal(t, 0, code, errs)
	file, err := os.ReadFile(filepath.Join(s.Dir, "run.json"))
	require.NoError(t, err)

	elsewhere := append(s.Env, "PAWL_HOME="+t.TempDir(), "OTHER_API_KEY=a-key-of-another-person")
	same, errs, code := harness.Run(t, s.Dir, elsewhere, "import", "run.json", "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, string(file), same)
	shown, errs, code := harness.Run(t, s.Dir, s.Env, "show", r.Session)
	require.Equal(t, 0, code, errs)
	page, errs, code := harness.RunWith(t, same, s.Dir, elsewhere, "import", "-", "--format", "md", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, shown, page)
}

// reimported reads an export back and requires that it is written again as it was.
func reimported(t *testing.T, document string) {
	t.Helper()
	r, err := export.ReadRecording(t.Context(), strings.NewReader(document), "the export")
	require.NoError(t, err)
	source := r.Source()
	var out bytes.Buffer
	require.NoError(t, export.Write(t.Context(), &out, export.Manner{Format: export.FormatJSON}, source, source.Session.ID, r.Upto()))
	require.NoError(t, r.Close())
	require.Equal(t, document, out.String())
}

// What cannot be imported is a mistake of whoever named it: one line, and nothing is written.
func TestWhatCannotBeImportedIsSaidInOneLine(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PAWL_HOME", home)
	folder := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no such file":   {[]string{"./none.json", "--format", "md"}, "read ./none.json: there is no such file"},
		"no such name":   {[]string{"nothing", "--format", "md"}, `no session "nothing": there are none yet; start one with pawl (nor is there a file of that name)`},
		"a folder":       {[]string{folder, "--format", "md"}, "read " + folder + ": it is a folder: name the file that was exported"},
		"a cut one":      {[]string{put("cut.json", "{\n\"format\":\"pawl-session\",\n\"vers"), "--format", "md"}, "line 3: it ends in the middle: copy or export it again"},
		"newer":          {[]string{put("newer.json", "{\"format\":\"pawl-session\",\n\"version\":2}"), "--format", "md"}, "line 2: version: the document has version 2, and this Pawl reads version 1: open it with a newer one"},
		"another's JSON": {[]string{put("package.json", `{"name":"left-pad"}`), "--format", "md"}, "not a session that Pawl exported"},
		"a format":       {[]string{put("x.json", "{}"), "--format", "pdf"}, "--format pdf: must be one of md, html, json"},
		"no terminal":    {[]string{put("y.json", "{}")}, "needs a terminal"},
		"keys or a file": {[]string{"-"}, "name a file"},
		"empty input":    {[]string{"-", "--format", "md"}, "read standard input: it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			w := base.World{In: strings.NewReader(""), Out: &out, Err: &errs, Folder: t.TempDir(), Environ: []string{"PAWL_HOME=" + home}}
			require.Equal(t, host.ExitUsage, cli.Execute(t.Context(), append([]string{"import"}, c.args...), w))
			require.Contains(t, errs.String(), c.says)
			require.Equal(t, 1, strings.Count(errs.String(), "\n"))
			require.Empty(t, out.String())
			left, err := os.ReadDir(w.Folder)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}
