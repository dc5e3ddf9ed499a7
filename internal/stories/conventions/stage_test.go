//go:build unix

package conventions

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// stage is a checkout with these files, and a model that only says that it is done.
func stage(t testing.TB, files map[string]string) *harness.Stage {
	t.Helper()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	lay(t, s.Dir, files)
	return s
}

// lay writes files below a folder.
func lay(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// told sends a prompt to a trusted folder, and gives what the model got: its system prompt and what
// the user said, and the lines on standard error.
func told(t testing.TB, s *harness.Stage, prompt string, args ...string) (request modeltest.Request, said, errs string) {
	t.Helper()
	_, errs, code := s.Prompted(t, append([]string{"--trust", "-p", prompt}, args...)...)
	require.Equal(t, 0, code, errs)
	request = last(s)
	for _, m := range request.Messages {
		said += m.Text + "\n"
	}
	return request, said, errs
}

// last is the newest request.
func last(s *harness.Stage) modeltest.Request {
	all := s.Server.All(func(modeltest.Request) bool { return true })
	return all[len(all)-1]
}

// folderOf finds the folder of a skill in what the tool said of it.
var folderOf = regexp.MustCompile(`Its folder is (\S+):`)

// loading is a stage whose model reads a skill, and then a file of it.
func loading(t testing.TB, skill string) *harness.Stage {
	t.Helper()
	return harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("skill"):
			folder := folderOf.FindStringSubmatch(h.ResultsOf("skill")[0])
			if folder == nil {
				return modeltest.Say("No folder.")
			}
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": folder[1] + "/more.md"}))
		case h.Asked("go on"):
			return modeltest.Do(modeltest.Use("skill", modeltest.Object{"name": skill}))
		}
		return modeltest.Say("Done.")
	})
}
