package stories

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// called awaits the lines that a hook has appended to a file.
func called(t *testing.T, path string, n int) []string {
	t.Helper()
	var lines []string
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(path)
		lines = strings.Split(strings.TrimSpace(string(text)), "\n")
		return len(lines) >= n && lines[0] != ""
	}, modeltest.Patience, 10*time.Millisecond)
	require.Len(t, lines, n)
	return lines
}

func TestAPersonIsCalledOnceForQuestionsThatAreOpenTogether(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if !h.Parent() {
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		}
		return modeltest.Do(modeltest.Delegate("one", "dig"), modeltest.Delegate("two", "dig too"))
	})
	s.Configured(t, "[[hooks]]\nevent = \"NeedsInput\"\ncommand = \"cat >> needs\"\n")
	x := s.Open(t)
	x.Prompt("do both")
	x.See("2 ask")
	called(t, s.Dir+"/needs", 1)
	x.SeeNot("pause to answer")
	x.Type(harness.KeyCtrlC) // denies the one and stops it: the other waits still
	x.See("1 asks")
	called(t, s.Dir+"/needs", 1)
}

// The hook of the first outlasts its answer.
func TestAPersonIsCalledForAQuestionThatComesWhileAHookRuns(t *testing.T) {
	t.Parallel()
	var turn atomic.Int32
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		switch turn.Add(1) {
		case 1:
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		case 2:
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo again > made.txt"}))
		}
		return modeltest.Say("Done.")
	})
	goOn := filepath.Join(t.TempDir(), "go on")
	require.NoError(t, syscall.Mkfifo(goOn, 0o600))
	s.Configured(t, "[[hooks]]\nevent = \"NeedsInput\"\ncommand = \"cat >> needs; cat '"+goOn+"'\"\n")
	x := s.Open(t)
	x.Prompt("do it twice")
	x.Asked()
	called(t, s.Dir+"/needs", 1)
	x.Answer("y")
	x.See("wants to use shell", "echo again")
	require.NoError(t, os.WriteFile(goOn, nil, 0o600)) // opens, and so waits for the hook's reading
	called(t, s.Dir+"/needs", 2)
	require.NoError(t, os.WriteFile(goOn, nil, 0o600))
	x.Answer("y")
	x.See("Done.")
	require.Equal(t, 0, x.Quit())
}

func TestAPersonIsCalledOnceAllHasEnded(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("Dug.")
		case h.Answered("agent"):
			return modeltest.Say("All done.")
		}
		return modeltest.Do(modeltest.Delegate("one", "dig"), modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
	})
	s.Configured(t, "[[hooks]]\nevent = \"NeedsInput\"\ncommand = \"cat >> needs\"\n\n[[hooks]]\nevent = \"AllEnded\"\ncommand = \"cat >> ended\"\n")
	x := s.Open(t)
	x.Prompt("do both")
	x.Asked()
	needs := called(t, s.Dir+"/needs", 1)[0]
	require.Contains(t, needs, `"message":"Pawl wants to use shell: echo ran`)
	require.Contains(t, needs, `"cwd":"`+s.Dir+`"`)
	require.NoFileExists(t, s.Dir+"/ended")
	x.Answer("y")
	x.See("All done.")
	ended := called(t, s.Dir+"/ended", 1)[0]
	require.Contains(t, ended, `"message":"Pawl: completed; 1 subagent: 1 completed"`)
	require.NotContains(t, ended, `"agent_id"`, "it is the session's, whoever ended last")
	require.Equal(t, 0, x.Quit())
}

func TestTheRecipeForAPhoneSendsWhatWaitsAndWhere(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"jq", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the recipe uses %s, which is not installed here", program)
		}
	}
	page, err := os.ReadFile("docs/hooks.md")
	require.NoError(t, err)
	_, recipe, found := strings.Cut(string(page), "```toml\n[[hooks]]\nevent = \"NeedsInput\"")
	require.True(t, found)
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	posts := make(chan string, 1)
	phone := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body) // what is missing, the test sees
		posts <- r.Header.Get("Title") + ": " + string(text)
	}))
	t.Cleanup(phone.Close)
	s := harness.NewStage(t, modeltest.Anthropic(), wantsShell)
	s.Env = append(s.Env, "NTFY_URL="+phone.URL)
	s.Configured(t, "[[hooks]]\nevent = \"NeedsInput\""+recipe+"\n")
	x := s.Open(t)
	x.Prompt("run it")
	x.Asked()
	post := <-posts
	require.Contains(t, post, "Pawl in "+s.Dir+" needs you: Pawl wants to use shell: echo ran")
	require.Regexp(t, `(?m)^pawl attach [0-9a-f-]{36}$`, post)
	x.Answer("y")
	x.See("That was that.")
	require.Equal(t, 0, x.Quit())
}
