package stories

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// hookSettings are hooks that allow, refuse, hang, block and tell.
const hookSettings = `
[[hooks]]
event = "PermissionRequest"
match = "shell"
command = '''
case $(cat) in
*touch\ yes*) echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}' ;;
*touch\ no*) echo 'no such files here' >&2; exit 2 ;;
esac'''

[[hooks]]
event = "PermissionRequest"
match = "shell"
timeout = "500ms"
command = '''
case $(cat) in
*touch\ hang*) echo '{"decision":"allow"}'; sleep 1000 ;;
esac'''

[[hooks]]
event = "PermissionRequest"
match = "write"
command = """echo '{"decision":"allow"}'"""

[[hooks]]
event = "PreToolUse"
match = "shell"
command = ["sh", "-c", "grep -q blocked || exit 0; echo 'the policy blocks it' >&2; exit 2"]

[[hooks]]
event = "PostToolUse"
match = "read"
command = '''echo '{"additionalContext":"read it <with> care"}' '''

[[hooks]]
event = "SubagentStart"
command = "echo 'The branch is frozen.'"
`

// Nobody is there to ask, in a background run less than anywhere: what happens, happens
// by a hook, wherever the run works.
func TestHooksDecideForABackgroundRunInThisProcessAndInOneOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]modeltest.Call{
		"this process":   modeltest.Launch("one", "work"),
		"one of its own": modeltest.Isolated("one", "work", true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("work") && h.Answered("read"):
					return modeltest.Say("Tried it all.")
				case h.Child("work"):
					return modeltest.Do(
						modeltest.Use("shell", modeltest.Object{"command": "touch yes.txt"}), modeltest.Use("shell", modeltest.Object{"command": "touch no.txt"}),
						modeltest.Use("shell", modeltest.Object{"command": "touch hang.txt"}), modeltest.Use("shell", modeltest.Object{"command": "touch blocked.txt"}),
						modeltest.Use("write", modeltest.Object{"path": "note.txt", "content": "x"}), modeltest.Use("write", modeltest.Object{"path": ".pawl/config.toml", "content": "x"}),
						modeltest.Use("read", modeltest.Object{"path": "calc.go"}),
					)
				case len(h.Notices()) > 0:
					return modeltest.Say("It has tried.")
				case h.Answered("agent"):
					return modeltest.Say("It is on its way.")
				}
				return modeltest.Do(start)
			})
			s.Configured(t, hookSettings)
			r, errs, code := s.Prompted(t, "-p", "send one")
			require.Equal(t, 0, code, errs)
			require.Contains(t, errs, "pawl: the PermissionRequest hook case $(cat) in… failed: it did not finish within 500ms")
			require.FileExists(t, s.Dir+"/yes.txt")
			for _, refused := range []string{"no", "hang", "blocked"} {
				require.NoFileExists(t, s.Dir+"/"+refused+".txt")
			}
			h := s.Server.AwaitNth(t, 2, modeltest.FromChild("work"))
			results := h.ResultsOf("shell")
			require.Contains(t, results[0], "exit code 0")
			require.Contains(t, results[1], "Denied: a user hook refused it: no such files here")
			require.Contains(t, results[2], "Denied: this needs a person's yes, and nobody was there to be asked")
			require.Contains(t, results[3], "Denied: a user hook refused it: the policy blocks it")
			require.Contains(t, h.ResultsOf("read")[0], "read it &lt;with&gt; care")
			require.Contains(t, h.Messages[0].Text, "The branch is frozen.")
			require.FileExists(t, s.Dir+"/note.txt")
			require.NoFileExists(t, s.Dir+"/.pawl/config.toml", "what is protected no hook allows")
			story := exportOf(t, s, r.Session)
			require.Contains(t, story, "failed: it did not finish within 500ms", "people can see it")
			require.Contains(t, story, `"by":"hook"`)
		})
	}
}

func TestAHooksQuestionIsShownWithItsReasonInEveryMode(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), wantsShell)
	s.Configured(t, `[[hooks]]
event = "PreToolUse"
match = "shell"
command = ["sh", "-c", "echo broken guard >&2; exit 1"]

[[hooks]]
event = "Notification"
match = "permission_prompt"
command = "cat > .told && mv .told told.json"
`)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("run it")
	x.Asked()
	x.See("because of a hook", "exit code 1: broken guard")
	require.NoFileExists(t, s.Dir+"/made.txt")
	require.Eventually(t, func() bool {
		told, _ := os.ReadFile(s.Dir + "/told.json")
		return strings.Contains(string(told), `"message":"Pawl wants to use shell: echo ran`)
	}, modeltest.Patience, 10*time.Millisecond)
	x.Answer("y")
	x.See("That was that.")
	require.FileExists(t, s.Dir+"/made.txt")
	require.Equal(t, 0, x.Quit())

	text, d := examined(t, s, 0)
	require.Contains(t, d.finding(t, "Hooks", "PreToolUse").Says, "shell: sh (user, ")
	require.Contains(t, text, "config.toml:1")
	s.Configured(t, "[[hooks]]\nevent = \"PreToolUse\"\nmatch = \"Shell\"\ncommand = \"true\"\n")
	_, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "do it")
	require.Equal(t, 2, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, `config.toml:1: hook: match "Shell": "Shell" can never match; did you mean "shell"?`)
}
