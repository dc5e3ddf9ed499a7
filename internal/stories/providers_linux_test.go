package stories

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestNoCommandSeesTheKeysThatPawlKeeps(t *testing.T) {
	t.Parallel()
	file := ""
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("That was that.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "cat " + file + "; echo it ended"}))
	})
	file = filepath.Join(s.Home, "data", "keys.json")
	_, errs, code := harness.RunWith(t, "kept-0123456789-secret\n", s.Dir, s.Env, "login", "gemini", "--force")
	require.Zero(t, code, errs)
	require.FileExists(t, file)
	_, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("-p", "--trust", "--permission-mode", "bypass", "look")...)
	require.Zero(t, code, errs)
	told := s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0]
	require.Contains(t, told, "it ended")
	require.NotContains(t, told, "kept-0123456789-secret")
}
