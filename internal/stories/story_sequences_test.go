package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// hostileGround is a folder in which every name and every text is an attack.
func hostileGround(t *testing.T, script func(heard) reply) *stage {
	t.Helper()
	dir := filepath.Join(gittest.Checkout(t), shortAttack)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
	s := setIn(t, dir, chatProtocol(), script)
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
func attacking(h heard) reply {
	switch {
	case h.child("look"):
		return say(attack()).thinking(attack())
	case h.asked("only talk"):
		return say(attack())
	case h.asked("and now fail"):
		return fault(400, attack())
	case len(h.notices()) > 0:
		return say("It is over.")
	case h.answered("read"):
		return do(launch(attack(), "look")).saying("One more. ", attack())
	case h.answered("agent"):
		return say("It looks. ", "```\n"+attack()+"\n```\n")
	case h.answered("shell"):
		return do(use("read", object{"path": "raw.txt"}), use("read", object{"path": shortAttack + ".txt"}), use("read", object{"path": attack()}),
			use("grep", object{"pattern": "OWNED"}), use("list", object{"path": "."}),
			use("edit", object{"path": "raw.txt", "old_string": attack(), "new_string": attack()}), use("todo", object{"items": []object{{"text": attack(), "state": "active"}}}))
	}
	return do(use("shell", object{"command": "echo '" + attack() + "'\nrm -rf hidden\r" + strings.Repeat(" ", 300) + "\necho done; cat raw.txt", "description": attack()})).saying(attack()).thinking(attack())
}

func TestNoSequenceOfOthersReachesTheTerminal(t *testing.T) {
	t.Parallel()
	s := hostileGround(t, attacking).with("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.3.0", "COLORTERM=truecolor")
	x := s.open(t)
	w := x.watch()
	x.see("Do you trust it?", "OWNED")
	x.type_(keyUp, keyEnter)
	x.see("trusted until it changes", "? keys")
	x.type_("@n")
	x.see("@n", "OWNED")
	x.type_(keyCtrlU)
	x.prompt("go")
	x.see("wants to use shell", "rm -rf hidden␍")
	x.seeMatch(`[2-9]s`) // no key came for so long, which is read here where nothing hostile stands
	x.type_(keyPgDown)
	x.see("echo done; cat raw.txt")
	x.type_("y", "\x1b[O") // and nobody looks any more
	x.see("It looks.", "It is over.")
	x.rest()
	x.waitFor("a call", func(string) bool { return strings.Contains(x.raw(), "\x1b]777;notify;Pawl;") })
	x.type_("\x1b[I", keyCtrlO)
	x.see("It is over.")
	x.type_(keyPgUp, keyPgUp, keyPgUp, keyPgDown, keyCtrlO)
	x.prompt("and now fail")
	x.see("model server")
	require.Equal(t, 0, x.quit())

	requireOurs(t, x.raw())
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
	s.with("PAWL_MODEL=" + s.model)
	out, errs, _ := run(t, s.dir, s.env, "--permission-mode", "bypass", "--output-format", "json", "-p", attack())
	requireOurs(t, out+errs)
	var r report
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
			x := start(t, s.dir, s.env, args...)
			x.hasEnded()
			x.drain()
			require.NotEmpty(t, x.raw())
			requireOurs(t, x.raw())
		})
	}
}
