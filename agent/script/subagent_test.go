package script_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
)

// folder is what the tools give in a test: by the call, as named writes it.
type folder map[string]agent.Result

// Results in the form of the working tools.
var small = folder{
	`list {"depth":1,"path":"."}`:                          gave("./\n  README.md  1.2 KB\n  agent/  (6 entries)\n  docs/  (cannot be read)\n  go.mod  90 B\n  now -> v2\n  … 4 more\n"),
	`list {"depth":3,"path":"."}`:                          gave("./\n  README.md  1.0 KB\n  agent/\n    loop.go  2.0 KB\n    chat/\n      a b.go  512 B\n  go.mod  90 B"),
	`list {"depth":1,"path":"agent/"}`:                     gave("agent/\n  chat/  (3 entries)\n  loop.go  7.1 KB"),
	`read {"limit":40,"path":"README.md"}`:                 gave("     1\t\n     2\t# Pawl\n     3\tA coding agent\n[lines 1-40 of 120; go on with offset 41]\n"),
	`read {"limit":40,"path":"go.mod"}`:                    gave("     1\tmodule pawl\n"),
	`glob {"pattern":"**/*"}`:                              gave("agent/loop.go\nREADME.md\ngo.mod\nagent/chat/a b.go\nagent/chat/b.md\nLICENSE\n.gitignore"),
	`glob {"pattern":"**/*.go"}`:                           gave("agent/loop.go\nagent/chat/a b.go"),
	`glob {"pattern":"**/*.md"}`:                           gave("README.md\nagent/chat/b.md"),
	`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`:       gave("agent/loop.go\n12: // TODO: retry\n30:  // FIXME later\n\ngo.mod\n3: // HACK\n7: // XXX"),
	`read {"limit":12,"offset":12,"path":"agent/loop.go"}`: gave("    12\t// TODO: retry\n    13\tfunc a() {}\n"),
	`read {"limit":12,"offset":3,"path":"go.mod"}`:         gave("     3\t// HACK\n"),
}

// works lets a subagent go to its end. It gives all that it said, the report last.
func (k *talk) works(f folder) []string {
	k.t.Helper()
	var said []string
	for {
		turn := k.answer()
		said = append(said, turn.Text)
		if len(turn.Calls) == 0 {
			return said
		}
		require.Less(k.t, len(said), 6, "it never ends")
		require.Len(k.t, turn.Calls, 1)
		result, ok := f[named(turn.Calls)[0]]
		if !ok {
			result = agent.ErrorResult("no such thing: " + named(turn.Calls)[0])
		}
		k.gets(result)
	}
}

// report is the last that was said. Its back quotes are written as plain ones, for
// the sake of Go's.
func report(said []string) string { return strings.ReplaceAll(said[len(said)-1], "`", "'") }

// given starts the demo's subagent of this description.
func given(t *testing.T, description string) *talk {
	t.Helper()
	for _, c := range newTalk(t, script.Demo(), rootTools()).says("hello").answer().Calls {
		if in := input(t, c); in["description"] == description {
			return newTalk(t, script.Demo(), childTools()).says(in["prompt"].(string))
		}
	}
	t.Fatalf("no subagent %q", description)
	return nil
}

func TestLayoutReportsWhatTheToolsGave(t *testing.T) {
	said := given(t, "survey the layout").works(small)
	require.Len(t, said, 5)
	require.Equal(t, `Layout: 5 entries shown at the top, 2 folders and 2 files; 6 entries one level below.

- Folders, with what is in each: 'agent/' 6, 'docs/'
- Files: 'README.md' 1.2 KB, 'go.mod' 90 B
- Links: 'now'
- The listing left out 4 more.
- 'README.md' begins: '# Pawl'
- 'go.mod' begins: 'module pawl'
- The fullest folder is 'agent/': 'chat/' 3, 'loop.go'`, report(said))
}

func TestLanguagesReportsWhatTheToolsGave(t *testing.T) {
	said := given(t, "measure languages and sizes").works(small)
	require.Len(t, said, 5)
	require.Equal(t, `Languages: 7 files.

- By extension, else by name: '.go' 2, '.md' 2, '.gitignore' 1, '.mod' 1, 'LICENSE' 1
- Counted by themselves: '.go' 2
- Counted by themselves: '.md' 2
- Sizes: about 3.6 KB in 4 files of the three upper levels: '.go' 2.5 KB, '.md' 1.0 KB, '.mod' 90 B`, report(said))
}

func TestTODOsReportsWhatTheToolsGave(t *testing.T) {
	said := given(t, "find open TODOs").works(small)
	require.Len(t, said, 4)
	require.Equal(t, `Open marks: 4 lines with TODO, FIXME, XXX or HACK.

- 'agent/loop.go:12 // TODO: retry'
- 'agent/loop.go:30 // FIXME later'
- 'go.mod:3 // HACK'
- 'go.mod:7 // XXX'
- By file: 'agent/loop.go' 2, 'go.mod' 2
- I read 2 lines from 'agent/loop.go:12' on.
- I read 1 line from 'go.mod:3' on.`, report(said))
}

func TestCutResultsAreNotTakenForWhole(t *testing.T) {
	cut := folder{
		`glob {"pattern":"**/*"}`:                        gave("a.go\nb.go\nc.py\n[the newest 3 of 900 files: narrow the pattern to see others]"),
		`glob {"pattern":"**/*.go"}`:                     gave("a.go\nb.go\n[the newest 2 of 700 files: narrow the pattern to see others]"),
		`glob {"pattern":"**/*.py"}`:                     agent.ErrorResult("Denied: by a rule."),
		`list {"depth":3,"path":"."}`:                    gave("./\n  a.go  3 B\n[cut at 500 entries: list a folder in it by itself, or use glob]"),
		`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`: gave(strings.Repeat("a.go\n1: TODO\n2: TODO\n3: TODO\n\n", 2) + "[the first 6 of 340 matching lines in 17 files: narrow the search to see others]"),
		`list {"depth":1,"path":"."}`:                    gave("./\n  a/  (2 entries)\n[cut at 500 entries: list a folder in it by itself, or use glob]"),
	}
	require.Equal(t, `Languages: 900 files.

- Not all were shown: 'the newest 3 of 900 files: narrow the pattern to see others'
- By extension, else by name: '.go' 2, '.py' 1
- Counted by themselves: '.go' 700
- Not done: 'glob {"pattern":"**/*.py"}': Denied: by a rule
- Sizes: about 3 B in 1 file of the three upper levels: '.go' 3 B
- That listing was not whole: 'cut at 500 entries: list a folder in it by itself, or use glob'`, report(given(t, "measure languages and sizes").works(cut)))

	todos := report(given(t, "find open TODOs").works(cut))
	require.Contains(t, todos, "Open marks: 340 lines with TODO, FIXME, XXX or HACK.\n\n- Not all were shown: 'the first 6 of 340 matching lines in 17 files: ")
	require.Contains(t, todos, "\n- and 1 more\n")
	require.NotContains(t, todos, "I read", "the read failed")
	require.Contains(t, todos, `Not done: 'read {"limit":12,"offset":1,"path":"a.go"}'`)

	require.Contains(t, report(given(t, "survey the layout").works(cut)), "- list added: 'cut at 500 entries: list a folder in it by itself, or use glob'")
}

func TestAnEmptyFolderIsReportedAsEmpty(t *testing.T) {
	empty := folder{
		`list {"depth":1,"path":"."}`:                    gave(". has nothing to show: it is empty, or all of it is ignored"),
		`list {"depth":3,"path":"."}`:                    gave(". has nothing to show: it is empty, or all of it is ignored"),
		`glob {"pattern":"**/*"}`:                        gave("[No file matches **/*]"),
		`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`: gave(`[No match for \b(TODO|FIXME|XXX|HACK)\b in 0 files]`),
		`grep {"pattern":"(?i)\\b(todo|fixme|hack)\\b"}`: gave(`[No match for (?i)\b(todo|fixme|hack)\b in 0 files]`),
	}
	for description, want := range map[string]string{
		"survey the layout":           "Layout: no entries. list said: '. has nothing to show: it is empty, or all of it is ignored'\n\n- glob found no file either: 'No file matches **/*'",
		"measure languages and sizes": "Languages: no files. glob said: 'No file matches **/*'",
		"find open TODOs":             `Open marks: none. No line has TODO, FIXME, XXX or HACK (grep: 'No match for \b(TODO|FIXME|XXX|HACK)\b in 0 files').`,
	} {
		said := given(t, description).works(empty)
		require.Equal(t, want, report(said))
		require.Len(t, said, 3)
	}
}

func TestToolsThatFailAreReportedAsFailed(t *testing.T) {
	for description, want := range map[string]string{
		"survey the layout":           "Layout: the folder could not be listed.\n\n- Not done: 'list {\"depth\":1,\"path\":\".\"}': no such thing",
		"measure languages and sizes": "Languages: the files could not be listed.\n\n- Not done: 'glob {\"pattern\":\"**/*\"}': no such thing",
		"find open TODOs":             "Open marks: the search did not work.\n\n- Not done: 'grep ",
	} {
		require.Contains(t, report(given(t, description).works(folder{})), want)
	}
}

func TestAnAnswerOfAnotherShapeIsNotCounted(t *testing.T) {
	k := given(t, "find open TODOs")
	got := report(k.works(folder{`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`: gave("3 things, see elsewhere")}))
	require.Contains(t, got, "Open marks: grep answered in a form that this script cannot count: '3 things, see elsewhere'")
}

func TestOtherSpellingsAreTold(t *testing.T) {
	k := given(t, "find open TODOs")
	got := report(k.works(folder{
		`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`: gave("[No match for … in 3 files]"),
		`grep {"pattern":"(?i)\\b(todo|fixme|hack)\\b"}`: gave("a.py\n1: # todo: x"),
	}))
	require.Contains(t, got, "Open marks: none.")
	require.Contains(t, got, "- In another spelling: 1 line.\n- 'a.py:1 # todo: x'")
}

func TestAMessageOnTheWayIsAcknowledged(t *testing.T) {
	k := given(t, "survey the layout")
	k.answer()
	k.gets(small[`list {"depth":1,"path":"."}`]).says("look at   the tests too")
	turn := k.answer()
	require.True(t, strings.HasPrefix(turn.Text, "A message came: “look at the tests too”. I am a script: I have read it, and go on with what I can do.\n\n"), turn.Text)
	require.Equal(t, []string{`read {"limit":40,"path":"README.md"}`}, named(turn.Calls))
	require.NotContains(t, report(k.gets(small[`read {"limit":40,"path":"README.md"}`]).works(small)), "A message came", "once is enough")
}

func TestAMessageJoinedToTheFirstPromptIsAcknowledged(t *testing.T) {
	turn := given(t, "survey the layout").says("be quick").answer()
	require.Contains(t, turn.Text, "A message came: “be quick”.")
	require.Equal(t, []string{`list {"depth":1,"path":"."}`}, named(turn.Calls))
}

func TestEnoughEndsASubagentWithWhatItHas(t *testing.T) {
	k := given(t, "survey the layout")
	k.answer()
	turn := k.gets(small[`list {"depth":1,"path":"."}`]).says("please stop").answer()
	require.Empty(t, turn.Calls)
	require.Contains(t, turn.Text, "A message came: “please stop”. So I end here and report what I have.\n\nLayout: 5 entries shown at the top, 2 folders and 2 files")
	require.NotContains(t, turn.Text, "README.md begins")
}

func TestALaterMessageStartsOverOrTakesAnotherJob(t *testing.T) {
	k := given(t, "survey the layout")
	k.works(small)
	turn := k.says("and now report it once more").answer()
	require.Equal(t, []string{`list {"depth":1,"path":"."}`}, named(turn.Calls))
	k.gets(small[`list {"depth":1,"path":"."}`]).works(small)

	turn = k.says("which languages are these?").answer()
	require.Equal(t, []string{`glob {"pattern":"**/*"}`}, named(turn.Calls))
}

func TestACutOffRunGoesOnWhereItStood(t *testing.T) {
	const goOn = "Your last run was interrupted when the process ended. Continue where it stopped; check what is already done before you repeat anything."
	k := given(t, "find open TODOs")
	k.answer()
	k.gets(small[`grep {"pattern":"\\b(TODO|FIXME|XXX|HACK)\\b"}`])
	k.messages = append(k.messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "agent/loop.go:12 has"}}})
	turn := k.says(goOn).answer()
	require.Contains(t, turn.Text, "I was cut off and go on; 1 step done before that need not be repeated.")
	require.Equal(t, []string{`read {"limit":12,"offset":12,"path":"agent/loop.go"}`}, named(turn.Calls))
}

func TestAnUnknownTaskIsNotPretendedToBeDone(t *testing.T) {
	turn := newTalk(t, script.Demo(), childTools()).says("fix the bug").answer()
	require.Contains(t, turn.Text, "cannot do what I was asked")
	require.Equal(t, []string{`list {"depth":1,"path":"."}`}, named(turn.Calls))
}

// Reports come from results; whatever those hold, a subagent ends with a text.
func FuzzSubagentsEnd(f *testing.F) {
	f.Add("./\n  a/\n    b  1 B\n  … 3 more\n[cut]", "a\n1: TODO\n[x of 9 files]")
	f.Add("\n\n[", "]:\n:1:")
	f.Add("[\n\n[", "]:\n00:") // no number in JSON
	f.Fuzz(func(t *testing.T, one, two string) {
		for _, description := range []string{"survey the layout", "measure languages and sizes", "find open TODOs"} {
			k := given(t, description)
			for step := 0; ; step++ {
				require.Less(t, step, 6)
				turn := k.answer()
				require.NotEmpty(t, strings.TrimSpace(turn.Text))
				if len(turn.Calls) == 0 {
					break
				}
				result := gave(one)
				if step%2 == 1 {
					result = gave(two)
				}
				k.gets(result)
			}
		}
	})
}
