package stories

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hookSettings are hooks that allow, refuse, hang, block and tell.
const hookSettings = `
[[hooks]]
event = "PermissionRequest"
match = "shell"
timeout = "500ms"
command = '''
case $(cat) in
*touch\ yes*) echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}' ;;
*touch\ no*) echo 'no such files here' >&2; exit 2 ;;
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
	for name, start := range map[string]call{
		"this process":   launch("one", "work"),
		"one of its own": isolated("one", "work", true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				switch {
				case h.child("work") && h.answered("read"):
					return say("Tried it all.")
				case h.child("work"):
					return do(
						use("shell", object{"command": "touch yes.txt"}), use("shell", object{"command": "touch no.txt"}),
						use("shell", object{"command": "touch hang.txt"}), use("shell", object{"command": "touch blocked.txt"}),
						use("write", object{"path": "note.txt", "content": "x"}), use("write", object{"path": ".pawl/config.toml", "content": "x"}),
						use("read", object{"path": "calc.go"}),
					)
				case len(h.notices()) > 0:
					return say("It has tried.")
				case h.answered("agent"):
					return say("It is on its way.")
				}
				return do(start)
			})
			s.configured(t, hookSettings)
			r, errs, code := s.prompted(t, "-p", "send one")
			require.Equal(t, 0, code, errs)
			require.Contains(t, errs, "pawl: the PermissionRequest hook case $(cat) in… failed: it did not finish within 500ms")
			require.FileExists(t, s.dir+"/yes.txt")
			for _, refused := range []string{"no", "hang", "blocked"} {
				require.NoFileExists(t, s.dir+"/"+refused+".txt")
			}
			h := s.server.awaitNth(t, 2, fromChild("work"))
			results := h.resultsOf("shell")
			require.Contains(t, results[0], "exit code 0")
			require.Contains(t, results[1], "Denied: a user hook refused it: no such files here")
			require.Contains(t, results[2], "Denied: this needs a person's yes, and nobody was there to be asked")
			require.Contains(t, results[3], "Denied: a user hook refused it: the policy blocks it")
			require.Contains(t, h.resultsOf("read")[0], "read it &lt;with&gt; care")
			require.Contains(t, h.messages[0].text, "The branch is frozen.")
			require.FileExists(t, s.dir+"/note.txt")
			require.NoFileExists(t, s.dir+"/.pawl/config.toml", "what is protected no hook allows")
			story := s.story(t, r.Session)
			require.Contains(t, story, "failed: it did not finish within 500ms", "people can see it")
			require.Contains(t, story, `"by":"hook"`)
		})
	}
}

func TestAHooksQuestionIsShownWithItsReasonInEveryMode(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), wantsShell)
	s.configured(t, `[[hooks]]
event = "PreToolUse"
match = "shell"
command = ["sh", "-c", "echo broken guard >&2; exit 1"]

[[hooks]]
event = "Notification"
match = "permission_prompt"
command = "cat > .told && mv .told told.json"
`)
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("run it")
	x.asked()
	x.see("because of a hook", "exit code 1: broken guard")
	require.NoFileExists(t, s.dir+"/made.txt")
	require.Eventually(t, func() bool {
		told, _ := os.ReadFile(s.dir + "/told.json")
		return strings.Contains(string(told), `"message":"Pawl wants to use shell: echo ran`)
	}, 10*time.Second, 10*time.Millisecond)
	x.answer("y")
	x.see("That was that.")
	require.FileExists(t, s.dir+"/made.txt")
	require.Equal(t, 0, x.quit())

	text, d := s.examined(t, 0)
	require.Contains(t, d.finding(t, "Hooks", "PreToolUse").Says, "shell: sh (user, ")
	require.Contains(t, text, "config.toml:1")
	s.configured(t, "[[hooks]]\nevent = \"PreToolUse\"\nmatch = \"Shell\"\ncommand = \"true\"\n")
	_, errs, code := run(t, s.dir, s.env, "-p", "do it")
	require.Equal(t, 2, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, `config.toml:1: hook: match "Shell": "Shell" can never match; did you mean "shell"?`)
}
