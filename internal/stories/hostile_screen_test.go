package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// hostileGround is a folder in which every name and every text is an attack.
func hostileGround(t *testing.T, script func(modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	dir := filepath.Join(gittest.Checkout(t), shortAttack)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
	s := harness.NewStageIn(t, dir, modeltest.Chat(), script)
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write(".git/HEAD", "ref: refs/heads/"+shortAttack+"\n")
	write("raw.txt", rawAttack()+"\n"+rawAttack()+"\n")
	write(shortAttack+".txt", rawAttack())
	write("AGENTS.md", rawAttack())
	write(".pawl/agents/looker.md", "---\nname: looker\ndescription: \""+strings.NewReplacer("\x1b", `\e`, "\a", `\a`, "\r", `\r`, "\u009b", `\x9b`).Replace(shortAttack)+"\"\n---\nLook.")
	write(".pawl/agents/"+shortAttack+".md", "---\n"+shortAttack+": x\n---\n")
	return s
}

// attacking is a model whose every word, argument and description is an attack.
func attacking(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("look"):
		return modeltest.Say(attack()).Thinking(attack())
	case h.Asked("only talk"):
		return modeltest.Say(attack())
	case h.Asked("and now fail"):
		return modeltest.Fault(400, attack())
	case len(h.Notices()) > 0:
		return modeltest.Say("It is over.")
	case h.Answered("read"):
		return modeltest.Do(modeltest.Launch(attack(), "look")).Saying("One more. ", attack())
	case h.Answered("agent"):
		return modeltest.Say("It looks. ", "```\n"+attack()+"\n```\n")
	case h.Answered("shell"):
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "raw.txt"}), modeltest.Use("read", modeltest.Object{"path": shortAttack + ".txt"}), modeltest.Use("read", modeltest.Object{"path": attack()}),
			modeltest.Use("grep", modeltest.Object{"pattern": "OWNED"}), modeltest.Use("list", modeltest.Object{"path": "."}),
			modeltest.Use("edit", modeltest.Object{"path": "raw.txt", "old_string": attack(), "new_string": attack()}), modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": attack(), "state": "active"}}}))
	}
	return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo '" + attack() + "'\nrm -rf hidden\r" + strings.Repeat(" ", 300) + "\necho done; cat raw.txt", "description": attack()})).Saying(attack()).Thinking(attack())
}

func TestNoSequenceOfOthersReachesTheTerminal(t *testing.T) {
	t.Parallel()
	spoken := make(chan struct{}) // a subagent that is over sooner has the parent say just the other
	s := hostileGround(t, func(h modeltest.Request) modeltest.Reply {
		if h.Child("look") {
			return attacking(h).Until(spoken)
		}
		return attacking(h)
	}).With("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.3.0", "COLORTERM=truecolor")
	x := s.Open(t)
	w := watchSequences(x)
	x.See("Do you trust it?", "OWNED")
	x.Type(harness.KeyUp, harness.KeyEnter)
	x.See("trusted until it changes", "? keys")
	x.Type("@n")
	x.See("@n", "OWNED")
	x.Type(harness.KeyCtrlU)
	x.Prompt("go")
	x.See("wants to use shell", "rm -rf hidden␍")
	x.SeeMatch(`[2-9]s`) // no key came for so long, which is read here where nothing hostile stands
	x.Type(harness.KeyPgDown)
	x.See("echo done; cat raw.txt")
	x.SeeNot("pause to answer") // nor has the question just come
	x.Type("y", "\x1b[O")       // and nobody looks any more
	x.See("It looks.")
	close(spoken)
	x.See("It is over.")
	x.Rest()
	x.WaitFor("a call", func(string) bool { return strings.Contains(x.Raw(), "\x1b]777;notify;Pawl;") })
	x.Type("\x1b[I", harness.KeyCtrlO)
	x.See("It is over.")
	x.Type(harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgDown, harness.KeyCtrlO)
	x.Prompt("and now fail")
	x.See("model server")
	require.Equal(t, 0, x.Quit())

	requireOurs(t, x.Raw())
	titles, strange := w.saw()
	require.Empty(t, strange)
	require.NotEmpty(t, titles)
	for _, title := range titles {
		require.True(t, title == "" || strings.Contains(title, "pawl "), title) // it is taken away at the end
	}
}

// Each on a terminal of its own; that is where it would do harm.
func TestNoCommandPrintsASequenceOfOthers(t *testing.T) {
	t.Parallel()
	s := hostileGround(t, attacking)
	s.With("PAWL_MODEL=" + s.Model)
	out, errs, _ := harness.Run(t, s.Dir, s.Env, "--permission-mode", "bypass", "--output-format", "json", "-p", attack())
	requireOurs(t, out+errs)
	var r harness.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	for name, args := range map[string][]string{
		"sessions":    {"sessions", "--all"},
		"show":        {"show", r.Session},
		"export json": {"export", r.Session, "--format", "json", "-o", "-"},
		"agents":      {"agents"},
		"agents json": {"agents", "--json"},
		"doctor":      {"doctor"},
		"doctor json": {"doctor", "--json"},
		"prompt":      {"-p", "only talk"},
		"refused":     {"-p", "and now fail"},
		"no flag":     {"--" + shortAttack},
		"no session":  {"show", shortAttack},
		"no model":    {"--model", shortAttack, "-p", "x"},
		"no file":     {"export", r.Session, "-o", shortAttack + "/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := harness.Start(t, s.Dir, s.Env, args...)
			x.AwaitEnd()
			x.Drain()
			require.NotEmpty(t, x.Raw())
			requireOurs(t, x.Raw())
		})
	}
}
