package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// shell is a real one with pawl on its path, in a folder with a file run.json, where the one
// session is asked about refunds.
func shell(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: its completion is not tried here", name)
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
	return cmd
}

// outputOf runs a script of a shell.
func outputOf(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// Bash completes here as a person has it, at Tab, and without the package bash-completion.
func TestBashCompletesPawl(t *testing.T) {
	t.Parallel()
	x := harness.StartCommand(t, 120, 40, shell(t, "bash", "--norc", "--noprofile", "-i"))
	x.Type("source <(pawl completion bash); PS1='ta''b> '", harness.KeyEnter)
	x.See("tab>")
	for _, row := range []struct{ typed, want string }{
		{"pawl exp", "tab> pawl export"},
		{"pawl export --format=h", "tab> pawl export --format=html"},
		{"pawl export x -o ru", "tab> pawl export x -o run.json"},
		{"pawl import ru", "tab> pawl import run.json"},
		{"pawl --permission-mode by", "tab> pawl --permission-mode bypass"},
		{"pawl --permission-mode \t", "default       accept-edits  plan          bypass"},
		{"pawl he", "tab> pawl help"},
		{"pawl help perm", "tab> pawl help permissions"},
		{"pawl --session ", "tab> pawl --session 0"},
	} {
		x.Type(row.typed, "\t")
		x.See(row.want)
		x.Type(harness.KeyCtrlU)
		x.WaitFor("an empty line", func(screen string) bool { return strings.HasSuffix(strings.TrimSpace(screen), "tab>") })
	}
	x.Type("exit", harness.KeyEnter)
	x.Wait()
}

func TestFishCompletesPawl(t *testing.T) {
	t.Parallel()
	out := outputOf(t, shell(t, "fish", "--no-config", "-c", `pawl completion fish | source
complete -C "pawl exp"; complete -C "pawl export --format=h"; complete -C "pawl export x -o ru"; complete -C "pawl show "`))
	for _, want := range []string{"export\tWrite a session", "--format=html", "run.json", ": audit the refunds"} {
		require.Contains(t, out, want)
	}
}

// Zsh completes in a terminal alone: that the script is sound is all that is tried.
func TestZshTakesTheScript(t *testing.T) {
	t.Parallel()
	out := outputOf(t, shell(t, "zsh", "-f", "-c", `autoload -U compinit; compinit -u -D; source <(pawl completion zsh); print ${_comps[pawl]}`))
	require.Equal(t, "_pawl\n", out)
}
