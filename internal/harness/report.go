//go:build unix

package harness

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Report is the object of --output-format json, as far as the tests read it.
type Report struct {
	Status    string
	Output    string
	ExitCode  int `json:"exit_code"`
	Session   string
	Error     *struct{ Kind, Message string }
	Usage     map[string]any
	Denials   []struct{ Subject, By string }
	Subagents []struct {
		Agent       string `json:"agent_id"`
		Description string
		Status      string
		Cause       string
		Error       struct{ Kind, Message string }
		Output      string
		Usage       map[string]any
		Denials     []struct{ Subject, By string }
	}
	Shells []struct {
		Status string
		Cause  string
	}
}

// Prompted runs one prompt with --output-format json.
func (s *Stage) Prompted(t testing.TB, args ...string) (Report, string, int) {
	t.Helper()
	path, err := Binary()
	require.NoError(t, err)
	return s.PromptedBy(t, path, args...)
}

// PromptedBy is Prompted of another build.
func (s *Stage) PromptedBy(t testing.TB, path string, args ...string) (Report, string, int) {
	t.Helper()
	out, errs, code := RunBy(t, path, "", s.Dir, s.Env, s.Flags(append([]string{"--output-format", "json"}, args...)...)...)
	var r Report
	require.NoError(t, json.Unmarshal([]byte(out), &r), "standard output:\n%s\nstandard error:\n%s", out, errs)
	require.Equal(t, code, r.ExitCode)
	return r, errs, code
}
