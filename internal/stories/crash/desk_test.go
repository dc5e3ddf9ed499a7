package crash

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// queueBinary is the program in testdata/queue, with the same points.
var queueBinary = sync.OnceValues(func() (string, error) {
	return harness.Build("queue-failpoint", "./testdata/queue", "-tags", "failpoint", "-race=false")
})

// answerable waits until a question takes letters: not at once when it came over a
// line that was being written.
func answerable(x *harness.Terminal) bool {
	x.T.Helper()
	return x.ComesTo("a question that takes letters", func(screen string) bool { return !strings.Contains(screen, "pause to answer") })
}

// desk is the script of a parent with a person in front: it delegates, is woken by
// the person, asks whether it may run a command, and hears of an end.
func desk(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("be slow"):
		return modeltest.Say("Slow but ").Until(make(chan struct{}))
	case len(h.Notices()) > 0:
		return modeltest.Say("All is told.")
	case h.Answered("agent"):
		return modeltest.Do(mark("parent"))
	case h.Answered("shell"):
		return modeltest.Say("I have run it.")
	case h.Asked("begin"):
		return modeltest.Do(modeltest.Delegate("slow one", "be slow")).Saying("I ask somebody.")
	}
	return modeltest.Surprised()
}

// act is something that a person does, what they then see, and what that promises.
type act struct {
	keys, sees []string
	promises   func(document) bool
}

// acts are the person's part in desk.
func acts() []act {
	wrote := func(name string) func(document) bool {
		return func(doc document) bool { return recorded(doc.Records)[name] > 0 }
	}
	return []act{
		{[]string{"begin", harness.KeyEnter}, []string{"slow one", "Slow but"}, func(doc document) bool {
			return doc.Runs[0].Prompt == "begin" && len(doc.Runs) > 1 && doc.Runs[1].Description == "slow one"
		}},
		{[]string{"and hurry", harness.KeyEnter}, []string{"queued: and hurry"}, func(doc document) bool {
			return slices.ContainsFunc(doc.Records, func(r record) bool { return r.Event == "message_queued" && r.Data.Text == "and hurry" })
		}},
		{[]string{harness.KeyCtrlB}, []string{"wants to use shell", "echo done >> parent.log"}, wrote("detached")},
		{[]string{"y"}, []string{"I have run it."}, wrote("permission_granted")},
		{[]string{harness.KeyDown}, []string{"x stop"}, nil},
		{[]string{"x"}, []string{"x again stops it"}, nil},
		{[]string{"x"}, []string{"stopped by you", "All is told."}, wrote("stop_requested")},
	}
}

// atDesk plays desk until a fail point kills Pawl. What the person saw by then must
// hold afterwards.
func atDesk(t *testing.T, c crashPoint) (*crashCase, bool) {
	w := newCrashCase(t, desk, "PAWL_SUBAGENTS_FOREGROUND_WARNING=10m")
	cmd, _, _ := w.prompt(c.at(c.side))
	cmd.Stdout, cmd.Stderr = nil, nil
	x := harness.StartCommand(t, 120, 40, cmd)
	alive := x.Reaches("Pawl")
	for _, a := range acts() {
		for i, key := range a.keys {
			alive = alive && (i == 0 || x.Reaches(a.keys[i-1]))
			if alive = alive && (key != "y" || answerable(x)); alive {
				x.Type(key)
			}
		}
		if alive = alive && x.Reaches(a.sees...); !alive {
			break
		}
		if a.promises != nil {
			w.promised = append(w.promised, promise{strings.Join(a.sees, ", "), a.promises})
		}
	}
	if alive {
		require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	}
	x.AwaitEnd()
	w.gone()
	w.comes = w.sitsDown
	return w, !alive && wasKilled(cmd)
}

// sitsDown comes back to the screen: what was there is there, a message that waited in
// the line, and nothing happens until the user writes.
func (w *crashCase) sitsDown() {
	w.t.Helper()
	doc := w.export()
	queued := slices.ContainsFunc(doc.Records, func(r record) bool { return r.Event == "message_queued" && r.Data.Text == "and hurry" })
	cmd, _, _ := w.prompt("", "--continue")
	cmd.Stdout, cmd.Stderr = nil, nil
	x := harness.StartCommand(w.t, 120, 40, cmd)
	x.Ready()
	x.See("begin", "slow one", "interrupted")
	if queued && !settledAs(doc, "and hurry") {
		x.See("and hurry", "it is back in the composer")
		x.Type(harness.KeyEsc)
		x.See("cleared")
	}
	require.Len(w.t, w.Server.All(func(modeltest.Request) bool { return true }), w.heard, "nothing starts by itself after a crash")
	x.Prompt(goOn)
	x.See(wentOn)
	require.Equal(w.t, 0, x.Quit())
}

// atQueue has the program in testdata/queue killed. What it said by then must hold
// afterwards.
func atQueue(t *testing.T, c crashPoint) (*crashCase, bool) {
	w := newCrashCase(t, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	path, err := queueBinary()
	require.NoError(t, err)
	cmd := exec.Command(path, w.Database(), w.Dir, w.Model)
	cmd.Env = append(slices.Clone(w.Env), crashEnv+c.at(c.side))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	require.NoError(t, cmd.Start())
	err = w.await(cmd)
	w.gone()
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		w.promised = append(w.promised, promise{line, queuePromises[line]})
	}
	return w, err != nil && wasKilled(cmd)
}

// queuePromises are what the lines of testdata/queue mean.
var queuePromises = map[string]func(document) bool{
	"sent begin": func(doc document) bool { return doc.Runs[0].Prompt == "begin" },
	"sent one":   func(doc document) bool { return recorded(doc.Records)["message_queued"] > 0 },
	"sent two":   func(doc document) bool { return recorded(doc.Records)["message_queued"] > 1 },
	"sent three": func(doc document) bool { return recorded(doc.Records)["message_queued"] > 2 },
	"edited": func(doc document) bool {
		return recorded(doc.Records)["message_edited"] == 1 && settledAs(doc, "one, once more")
	},
	"moved":     func(doc document) bool { return recorded(doc.Records)["message_moved"] == 1 },
	"withdrawn": func(doc document) bool { return recorded(doc.Records)["message_withdrawn"] > 0 },
	"taken":     func(doc document) bool { return recorded(doc.Records)["message_taken"] == 2 },
	"compacted": func(doc document) bool { return recorded(doc.Records)["compacted"] == 1 },
}

// settledAs says that a message was taken in, or went back, with these words.
func settledAs(doc document, text string) bool {
	return slices.ContainsFunc(doc.Records, func(r record) bool {
		return (r.Event == "message_taken" || r.Event == "message_withdrawn") && r.Data.Text == text
	})
}
