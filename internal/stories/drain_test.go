package stories

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// digging is a parent that launches a subagent which never ends.
func digging(t *testing.T, told func(h heard) reply) *stage {
	t.Helper()
	return set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("I have just begun").until(make(chan struct{}))
		case len(h.notices()) > 0:
			return told(h)
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(launch("a dig", "dig to the bottom"))
	})
}

func TestPrintTellsTheParentThatTheTimeLimitStoppedItsSubagents(t *testing.T) {
	t.Parallel()
	s := digging(t, func(heard) reply { return say("The dig took too long.") })
	r, errs, code := s.prompted(t, "--drain-timeout", "300ms", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "The dig took too long.", r.Output)
	require.Equal(t, "completed", r.Status)
	require.Equal(t, "canceled_by_user", r.Subagents[0].Status)
	require.Contains(t, s.server.await(t, func(h heard) bool { return len(h.notices()) > 0 }).notices()[0], "time limit")
}

func TestPrintEndsAParentThatStartsMoreAfterTheTimeLimit(t *testing.T) {
	t.Parallel()
	s := digging(t, func(h heard) reply {
		if len(h.resultsOf("agent")) > 0 {
			return say("Then once more.")
		}
		return do(launch("another dig", "dig somewhere else"))
	})
	r, errs, code := s.prompted(t, "--drain-timeout", "300ms", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "Then once more.", r.Output)
	require.Len(t, r.Subagents, 2)
	for _, sub := range r.Subagents {
		require.Equal(t, "canceled_by_user", sub.Status)
	}
}

func TestPrintGivesTheParentsAnswerWhenItsSubagentsAreStoppedWithIt(t *testing.T) {
	t.Parallel()
	s := digging(t, func(heard) reply { return surprised() })
	r, errs, code := s.prompted(t, "--agents", "stop", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "It is on its way.", r.Output)
	require.Equal(t, "completed", r.Status)
}

func TestPrintOutlivesASignalThatItWasStartedToIgnore(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(heard) reply { return say("Still here.").until(release) })
	path, err := binary()
	require.NoError(t, err)
	shell := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh", path}, s.flags("-p", "go")...)...)
	var out bytes.Buffer
	shell.Dir, shell.Env, shell.Stdout = s.dir, s.env, &out
	require.NoError(t, shell.Start())
	s.server.await(t, fromParent)
	require.NoError(t, shell.Process.Signal(syscall.SIGHUP))
	close(release)
	require.NoError(t, shell.Wait())
	require.Equal(t, "Still here.\n", out.String())
}

func TestPrintRefusesWhatItCannotMean(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	for name, row := range map[string]struct {
		stdin string
		args  []string
		want  string
	}{
		"a negative limit":        {"", []string{"--drain-timeout=-5s", "-p", "go"}, "--drain-timeout"},
		"nothing":                 {" \n", []string{"-p"}, "-p needs a prompt"},
		"more than a prompt is":   {strings.Repeat("x", 10<<20+1), []string{"-p"}, "10 MB"},
		"an unknown way to stop":  {"", []string{"--agents", "kill", "-p", "go"}, "drain"},
		"an unknown format":       {"", []string{"--output-format", "yaml", "-p", "go"}, "json"},
		"two sessions at once":    {"", []string{"--continue", "--session", "x", "-p", "go"}, "--session"},
		"a session that is none":  {"", []string{"--session", "nosuch", "-p", "go"}, "nosuch"},
		"nothing to go on with":   {"", []string{"--continue", "-p", "go"}, "no session in this folder"},
		"a mode that is none":     {"", []string{"--permission-mode", "yolo", "-p", "go"}, "accept-edits"},
		"a variable that is none": {"", []string{"-p", "go"}, "PAWL_MODE"},
	} {
		env := s.env
		if name == "a variable that is none" {
			env = append(env[:len(env):len(env)], "PAWL_MODLE=x")
		}
		out, errs, code := runWith(t, row.stdin, s.dir, env, s.flags(row.args...)...)
		require.Equal(t, 2, code, "%s: %s", name, errs)
		require.Empty(t, out, name)
		requireOneLine(t, errs)
		require.Contains(t, errs, row.want, name)
	}
}

func TestAPromptMayBeginWithTheNameOfACommand(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		for _, m := range h.messages {
			if m.role == "user" {
				return say("You said: " + m.text)
			}
		}
		return surprised()
	})
	for _, args := range [][]string{
		{"-p", "version"},
		{"-p", "show", "me", "the", "code"},
		{"--print", "sessions"},
		{"-p", "demo"},
		{"-p", "export the function"},
	} {
		prompt := strings.Join(args[1:], " ")
		out, errs, code := run(t, s.dir, s.env, s.flags(args...)...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "You said: "+prompt+"\n", out)
	}
}
