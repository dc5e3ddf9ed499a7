package stories

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// reaches waits until these texts are on the screen, and says whether Pawl lived to
// show them.
func (x *terminal) reaches(texts ...string) bool {
	x.t.Helper()
	return x.comesTo(fmt.Sprintf("%q", texts), func(screen string) bool { return containsAll(screen, texts...) })
}

// answerable waits until a question takes letters: not at once when it came over a
// line that was being written.
func (x *terminal) answerable() bool {
	x.t.Helper()
	return x.comesTo("a question that takes letters", func(screen string) bool { return !strings.Contains(screen, "pause to answer") })
}

func (x *terminal) comesTo(what string, there func(screen string) bool) bool {
	x.t.Helper()
	deadline := time.After(patience)
	for dead := false; ; {
		x.mu.Lock()
		screen, changed := x.draw(), x.changed
		x.mu.Unlock()
		if there(screen) {
			return true
		}
		if dead {
			return false
		}
		select {
		case <-changed:
		case <-x.exited:
			dead = true
		case <-deadline:
			require.FailNow(x.t, "the screen never had it", what)
		}
	}
}

// desk is the script of a parent with a person in front: it delegates, is woken by
// the person, asks whether it may run a command, and hears of an end.
func desk(h heard) reply {
	switch {
	case h.child("be slow"):
		return say("Slow but ").until(make(chan struct{}))
	case len(h.notices()) > 0:
		return say("All is told.")
	case h.answered("agent"):
		return do(mark("parent"))
	case h.answered("shell"):
		return say("I have run it.")
	case h.asked("begin"):
		return do(delegate("slow one", "be slow")).saying("I ask somebody.")
	}
	return surprised()
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
		{[]string{"begin", keyEnter}, []string{"slow one", "Slow but"}, func(doc document) bool {
			return doc.Runs[0].Prompt == "begin" && len(doc.Runs) > 1 && doc.Runs[1].Description == "slow one"
		}},
		{[]string{"and hurry", keyEnter}, []string{"queued: and hurry"}, func(doc document) bool {
			return slices.ContainsFunc(doc.Records, func(r lifecycle.Record) bool {
				e, ok := r.Event.(lifecycle.MessageQueued)
				return ok && e.Text == "and hurry"
			})
		}},
		{[]string{keyCtrlB}, []string{"wants to use shell", "echo done >> parent.log"}, wrote("detached")},
		{[]string{"y"}, []string{"I have run it."}, wrote("permission_granted")},
		{[]string{keyDown}, []string{"x stop"}, nil},
		{[]string{"x"}, []string{"x again stops it"}, nil},
		{[]string{"x"}, []string{"stopped by you", "All is told."}, wrote("stop_requested")},
	}
}

// atDesk plays desk until a fail point kills Pawl. What the person saw by then must
// hold afterwards.
func atDesk(t *testing.T, c crashPoint) (*wreck, bool) {
	w := wrecked(t, desk, "PAWL_SUBAGENTS_FOREGROUND_WARNING=10m")
	cmd, _, _ := w.prompt(c.at(c.side))
	cmd.Stdout, cmd.Stderr = nil, nil
	x := startCommand(t, 120, 40, cmd)
	alive := x.reaches("Pawl")
	for _, a := range acts() {
		for i, key := range a.keys {
			alive = alive && (i == 0 || x.reaches(a.keys[i-1]))
			if alive = alive && (key != "y" || x.answerable()); alive {
				x.type_(key)
			}
		}
		if alive = alive && x.reaches(a.sees...); !alive {
			break
		}
		if a.promises != nil {
			w.promised = append(w.promised, promise{strings.Join(a.sees, ", "), a.promises})
		}
	}
	if alive {
		require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	}
	x.hasEnded()
	w.gone()
	w.comes = w.sitsDown
	return w, !alive && wasKilled(cmd)
}

// sitsDown comes back to the screen: what was there is there, and nothing happens
// until the user writes.
func (w *wreck) sitsDown() {
	w.t.Helper()
	cmd, _, _ := w.prompt("", "--continue")
	cmd.Stdout, cmd.Stderr = nil, nil
	x := startCommand(w.t, 120, 40, cmd)
	x.ready()
	x.see("begin", "slow one", "interrupted")
	require.Len(w.t, w.server.all(func(heard) bool { return true }), w.heard, "nothing starts by itself after a crash")
	x.prompt(goOn)
	x.see(wentOn)
	require.Equal(w.t, 0, x.quit())
}

// atQueue has the program in testdata/queue killed. What it said by then must hold
// afterwards.
func atQueue(t *testing.T, c crashPoint) (*wreck, bool) {
	w := wrecked(t, func(heard) reply { return surprised() })
	path, err := queueBinary()
	require.NoError(t, err)
	cmd := exec.Command(path, w.database(), w.dir, w.model)
	cmd.Env = append(slices.Clone(w.env), crashEnv+c.at(c.side))
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
	return slices.ContainsFunc(doc.Records, func(r lifecycle.Record) bool {
		switch e := r.Event.(type) {
		case lifecycle.MessageTaken:
			return e.Text == text
		case lifecycle.MessageWithdrawn:
			return e.Text == text
		}
		return false
	})
}
