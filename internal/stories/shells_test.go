package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// inShell lets a real shell complete: it runs a script with pawl on its path, in a
// folder with a file run.json, where the one session is asked about refunds.
func inShell(t *testing.T, shell string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("%s is not installed: its completion is not tried here", shell)
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	_, errs, code := s.Prompted(t, "-p", "audit the refunds")
	require.Equal(t, 0, code, errs)
	binary, err := harness.Binary()
	require.NoError(t, err)
	path := t.TempDir()
	require.NoError(t, os.Symlink(binary, filepath.Join(path, "pawl")))
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "run.json"), nil, 0o600))
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = s.Dir, append(s.Env, "PATH="+path+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestBashCompletesPawl(t *testing.T) {
	t.Parallel()
	out := inShell(t, "bash", "--norc", "-c", `source <(pawl completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _pawl; echo "${COMPREPLY[*]}"; }
try pawl exp
try pawl export --format = h
try pawl export x -o ru
try pawl --permission-mode ""
try pawl --session "" | grep -c '^[0-9a-f-]*$'`)
	require.Equal(t, "export\nhtml\nrun.json\ndefault accept-edits plan bypass\n1\n", out)
}

func TestFishCompletesPawl(t *testing.T) {
	t.Parallel()
	out := inShell(t, "fish", "--no-config", "-c", `pawl completion fish | source
complete -C "pawl exp"; complete -C "pawl export --format=h"; complete -C "pawl export x -o ru"; complete -C "pawl show "`)
	for _, want := range []string{"export\tWrite a session", "--format=html", "run.json", ": audit the refunds"} {
		require.Contains(t, out, want)
	}
}

// Zsh completes in a terminal alone: that the script is sound is all that is tried.
func TestZshTakesTheScript(t *testing.T) {
	t.Parallel()
	out := inShell(t, "zsh", "-f", "-c", `autoload -U compinit; compinit -u -D; source <(pawl completion zsh); print ${_comps[pawl]}`)
	require.Equal(t, "_pawl\n", out)
}
