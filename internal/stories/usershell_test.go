package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// runs types a command of the user's own and presses Enter once the composer shows that it is one.
func runs(x *harness.Terminal, command string) {
	x.T.Helper()
	x.Type("!" + command)
	x.See("! "+command, "enter runs it")
	x.Type(harness.KeyEnter)
}

// userCommand matches the requests in which the parent reads of a command of the user's own.
func userCommand(command string) func(modeltest.Request) bool {
	return modeltest.ParentAsked("<user-command>\n<command>" + command + "</command>")
}

// A session begins with a command of the user's own; later ones stand in it as they were run. The model
// reads each with what the user writes next, and nobody is woken or asked.
func TestACommandOfTheUsersOwnIsShownAndReadByTheModel(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and now?") {
			return modeltest.Say("Now I know both.")
		}
		return modeltest.Say("I have read it.")
	})
	x := s.Open(t, "--permission-mode", "plan")
	runs(x, "pwd; echo to-both >&2; exit 3")
	x.See(filepath.Base(s.Dir), "to-both", "exit code 3")
	require.Empty(t, s.Server.All(func(modeltest.Request) bool { return true }), "nobody was woken")
	x.Prompt("what was that?")
	x.See("I have read it.")
	first := s.Server.Await(t, userCommand("pwd; echo to-both &gt;&amp;2; exit 3"))
	require.True(t, first.Asked("what was that?"))
	require.True(t, first.Asked("<exit-code>3</exit-code>\n<output>"+s.Dir+"\nto-both\n</output>"), first.String())

	runs(x, "env | grep -c API_KEY; cat; echo over > /dev/tty && echo has-terminal")
	x.See("0", "/dev/tty: ", "exit code 1")
	x.Type(harness.KeyUp)
	x.See("! env | grep -c API_KEY")
	x.Type(harness.KeyCtrlU)
	x.Prompt("and now?")
	x.See("Now I know both.")
	second := s.Server.Await(t, modeltest.ParentAsked("and now?"))
	require.True(t, second.Asked("<output>0\n"), "no key is in its environment: %s", second)
	texts := string(second.Raw)
	require.Less(t, strings.Index(texts, "API_KEY"), strings.Index(texts, "and now?"), "it stands before what was written after it")
	require.Equal(t, 0, x.Quit())

	shown, errs, code := harness.Run(t, s.Dir, s.Env, "show", latest(t, s))
	require.Zero(t, code, errs)
	require.Contains(t, shown, "to-both")
	x = s.Open(t, "--continue")
	x.InThisOrder("! pwd; echo to-both", "exit code 3", "what was that?", "! env | grep -c API_KEY", "and now?")
	require.Equal(t, 0, x.Quit())
}

// While the agent works a command runs at once; Esc stops it alone.
func TestACommandOfTheUsersOwnRunsBesideTheAgentAndEscStopsIt(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("list") {
			return modeltest.Say("Listed.")
		}
		return modeltest.Do(modeltest.Use("list", modeltest.Object{})).Until(more)
	})
	x := s.Open(t)
	x.Prompt("list it")
	x.See("esc stops")
	runs(x, "echo one; sleep 1000")
	x.See("  one", "esc stops it", "esc stops your command")
	x.Type("!ls")
	x.See("! ls")
	x.Type(harness.KeyEnter)
	x.See("still runs here")
	x.Type(harness.KeyEsc)
	x.See("stopped by you")
	x.Type(harness.KeyEsc) // the line is a message again
	x.See("› ls")
	x.Type(harness.KeyCtrlU)
	s.Server.RequireOpen(t, modeltest.FromParent)
	close(more)
	x.See("Listed.")
	told := s.Server.Await(t, modeltest.ParentTold("list"))
	require.True(t, told.Asked("<output>one\n</output>"), told.News())
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// The mark leads into the mode, and Backspace, Esc or a space before it out of it.
func TestAnExclamationMarkIsAModeOfTheComposer(t *testing.T) {
	t.Parallel()
	s := talking(t)
	x := s.Open(t)
	x.Type("!")
	x.See("enter runs it")
	x.Type(harness.KeyEnter)
	x.See("write a command behind !")
	x.Type(harness.KeyBackspace)
	x.SeeNot("enter runs it")
	x.Type("!wow", harness.KeyEsc)
	x.See("› wow")
	x.Type(harness.KeyCtrlU, " !important")
	x.See("›  !important")
	x.Type(harness.KeyEnter)
	x.See("› !important")
	s.Server.Await(t, modeltest.ParentAsked("!important"))
	x.Rest()
	x.Type("\x1b[200~!echo \x01hidden\x1b[201~")
	x.See("enter runs it")
	x.Type(harness.KeyEnter)
	x.See("it holds characters that are not shown here")
	x.Type(harness.KeyCtrlU)
	require.Equal(t, 0, x.Quit())
}

// talking is a stage whose model answers at once.
func talking(t *testing.T) *harness.Stage {
	t.Helper()
	return harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I am here.") })
}

// What a command writes cannot touch the terminal, however much it is, and its whole is kept.
func TestWhatACommandOfTheUsersOwnWritesIsHarmless(t *testing.T) {
	t.Parallel()
	s := talking(t)
	x := s.Open(t)
	runs(x, `printf '\033]0;owned\007\033[2J\033[?1049lRED\033[31m\302\233 \377\n'; cd /; pwd`)
	x.See("RED", "exit code 0")
	require.NotContains(t, x.Raw(), "owned\a")
	runs(x, "head -c 100000000 /dev/urandom")
	x.WaitFor("its end", func(screen string) bool {
		return strings.Count(screen, "exit code 0") == 2 || strings.Contains(screen, "earlier lines")
	})
	x.Rest()
	runs(x, "seq 200000; pwd")
	x.See("199999", "200000", s.Dir[:8], "earlier lines (ctrl+o)", "exit code 0")
	x.Rest()
	x.Prompt("what is it?")
	x.See("I am here.")
	told := s.Server.Await(t, userCommand("seq 200000; pwd"))
	require.True(t, told.Asked(s.Dir+"\n</output>"), "the folder is the session's, whatever the last command did")
	texts := told.String() + string(told.Raw)
	require.Contains(t, texts, "bytes of output are left out here")
	require.Less(t, len(told.Raw), 250_000, "each is bounded")
	kept, err := filepath.Glob(filepath.Join(s.Home, "data", "outputs", "*", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, kept)
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// What the user changes by a command is theirs: no rewind takes it back unasked.
func TestWhatACommandOfTheUsersOwnChangedIsNotTakenBack(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), changesAll)
	put(t, s, "old.txt", "old\n")
	put(t, s, "edited.txt", "first\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("change it all")
	x.See("All is changed.")
	x.Rest()
	runs(x, "echo by a person > edited.txt; echo new > own.txt")
	x.See("exit code 0")
	x.Type(harness.KeyEsc)
	x.See("esc again lists")
	x.Type(harness.KeyEsc)
	x.See("Take back to before", "change it all")
	x.Type(harness.KeyEnter)
	x.See("[ ] edited.txt  left: changed since by somebody else", "[x] mine.txt")
	x.SeeNot("] own.txt")
	x.Type(harness.KeyEnter)
	x.See("taken back: change it all")
	x.SeeNot("! echo by a person")
	require.Equal(t, "by a person\n", holds(t, s, "edited.txt"))
	require.Equal(t, "new\n", holds(t, s, "own.txt"))
	seeLine(x, "change it all")
	x.Type(harness.KeyCtrlU)
	x.Prompt("again")
	x.See("As you like.")
	asked := s.Server.Await(t, modeltest.ParentAsked("again"))
	require.NotContains(t, string(asked.Raw), "user-command", "it is part of the conversation")
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// Pawl is killed in the middle: the next opening shows the command as cut off, and its model is told.
func TestACommandOfTheUsersOwnIsCutOffWithPawl(t *testing.T) {
	t.Parallel()
	s := talking(t)
	x := s.Open(t)
	x.Prompt("hello")
	x.See("I am here.")
	x.Rest()
	runs(x, "echo begun; sleep 1000")
	x.See("esc stops it", "  begun")
	x.Crash()
	x = s.Open(t, "--continue")
	x.See("! echo begun; sleep 1000", "cut off when Pawl ended")
	x.Prompt("what became of it?")
	x.WaitFor("an answer", func(screen string) bool { return strings.Count(screen, "I am here.") == 2 })
	told := s.Server.Await(t, userCommand("echo begun; sleep 1000"))
	require.True(t, told.Asked("<status>was interrupted"), told.String())
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// In a subagent's view a command runs in its worktree, and its model reads it.
func TestACommandOfTheUsersOwnInASubagentsWorktree(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look around") && h.Answered("list"):
			return modeltest.Say("Looked.")
		case h.Child("look around"):
			return modeltest.Do(modeltest.Use("list", modeltest.Object{})).Until(more)
		case h.Answered("agent"):
			return modeltest.Say("It is at work.")
		case h.Asked("task-notification"):
			return modeltest.Say("Thanks.")
		}
		return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "scout", "prompt": "look around", "isolation": "worktree", "run_in_background": true}))
	})
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("send a scout")
	x.See("It is at work.")
	s.Server.Await(t, modeltest.FromChild("look around"))
	x.Type(harness.KeyTab)
	x.See("Message \"scout\"")
	runs(x, "basename $(dirname $PWD); pwd > where.txt")
	x.See("exit code 0")
	close(more)
	told := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("look around") && h.Answered("list") })
	require.True(t, told.Asked("<user-command>"), told.String())
	found, err := filepath.Glob(filepath.Join(s.Home, "data", "worktrees", "*", "*", "where.txt"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	where, err := os.ReadFile(found[0])
	require.NoError(t, err)
	require.Equal(t, filepath.Dir(found[0]), strings.TrimSpace(string(where)))
	x.See("completed")
	x.Type(harness.KeyLeft)
	x.See("Ask Pawl anything")
	require.Equal(t, 0, x.Quit())
}

// Two screens of a session see the same, and either may stop it.
func TestEveryScreenSeesACommandOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	s := talking(t)
	one := s.Open(t)
	one.Prompt("hello")
	one.See("I am here.")
	one.Rest()
	two := s.Open(t, "--continue")
	two.See("I am here.")
	runs(one, "echo seen-by-both; sleep 1000")
	two.See("! echo seen-by-both", "esc stops it")
	two.WaitFor("its output", func(screen string) bool { return strings.Count(screen, "seen-by-both") == 2 })
	two.Type(harness.KeyCtrlC)
	one.See("stopped by you")
	two.See("stopped by you")
	require.Equal(t, 0, two.Quit())
	require.Equal(t, 0, one.Quit())
}
