package crash

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// workday is a script that makes a parent without a screen write nearly every kind
// of record, by what the model says alone. Background runs have one slot.
//
//	the server is busy once                       waiting
//	1  shell; write; launch one, two; delegate    files_changed, queued, overdue, nudged
//	   slow, silent: one works and is held, two
//	   waits
//	2  agent_send to one                          message_queued
//	3  agent_output of one, which now reads its   message_taken, notification_withdrawn
//	   message and ends; two begins, and is held
//	4  agent_send to two, agent_stop of two       stop_requested, message_withdrawn
//	5  launch three; slow is let go               notification_queued
//	6  says that it waits; is woken, and is done  notification_delivered
type workday struct {
	throttled bool
	agents    []string // as launched
	one, slow chan struct{}
	let       map[chan struct{}]bool
}

func newWorkday() *workday {
	return &workday{one: make(chan struct{}), slow: make(chan struct{}), let: map[chan struct{}]bool{}}
}

// letGo closes a channel once: a request that was made again says the same.
func (d *workday) letGo(held chan struct{}) {
	if !d.let[held] {
		d.let[held] = true
		close(held)
	}
}

// mark is a command whose every run leaves a line.
func mark(name string) modeltest.Call {
	return modeltest.Use("shell", modeltest.Object{"command": "echo done >> " + name + ".log"})
}

func (d *workday) answer(h modeltest.Request) modeltest.Reply {
	switch {
	case !d.throttled:
		d.throttled = true
		busy := modeltest.Fault(429, "one at a time")
		busy.RetryAfter = "0.02"
		return busy
	case h.Parent():
		return d.parent(h)
	case h.Child("be one"):
		return d.childOne(h)
	case h.Child("be two"):
		return modeltest.Say("Two has begun").Until(make(chan struct{}))
	case h.Child("be slow"):
		return modeltest.Say("Slow but ").Until(d.slow, "sure.")
	case h.Child("be silent") && h.Asked("eport what you found"):
		return modeltest.Say("There was nothing to say.")
	case h.Child("be silent"):
		return modeltest.Nothing()
	case h.Child("be three"):
		return modeltest.Say("Three is done.")
	}
	return modeltest.Surprised()
}

func (d *workday) parent(h modeltest.Request) modeltest.Reply {
	step := 1
	for _, m := range h.Messages {
		if m.Role == "assistant" {
			step++
		}
	}
	switch step {
	case 1:
		return modeltest.Do(mark("parent"), modeltest.Use("write", modeltest.Object{"path": "plan.txt", "content": "Share it out.\n"}), modeltest.Launch("first", "be one"), modeltest.Launch("second", "be two"), modeltest.Delegate("slow one", "be slow"), modeltest.Delegate("silent one", "be silent")).
			Thinking("Let me share this out.").Saying("I share this out.")
	case 2:
		for _, text := range h.ResultsOf("agent") {
			var one harness.Told
			_ = json.Unmarshal([]byte(text), &one) // the export is checked later
			d.agents = append(d.agents, one.Agent)
		}
		return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": d.agents[0], "message": "look left too"}))
	case 3:
		d.letGo(d.one)
		return modeltest.Do(modeltest.Use("agent_output", modeltest.Object{"agent_id": d.agents[0], "wait_ms": 40000}))
	case 4:
		return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": d.agents[1], "message": "look right"}),
			modeltest.Use("agent_stop", modeltest.Object{"agent_id": d.agents[1], "reason": "enough"}))
	case 5:
		d.letGo(d.slow)
		return modeltest.Do(modeltest.Launch("third", "be three"))
	case 6:
		return modeltest.Say("I wait for the rest.")
	}
	return modeltest.Say("All is told.")
}

func (d *workday) childOne(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Asked("look left too") && (d.let[d.one] || !h.Answered("shell")): // else it would end before its parent reads it
		return modeltest.Say("One has looked left.")
	case h.Answered("list"): // it was asked before that
		return modeltest.Say("One has looked left.")
	case h.Answered("shell"):
		return modeltest.Do(modeltest.Use("list", modeltest.Object{"path": "."})).Saying("One has ").Until(d.one, "worked.")
	}
	return modeltest.Do(mark("one"))
}

// workers are the names that mark is given in this script.
var workers = []string{"parent", "one"}

// doneOnce says that no command of the script ran twice. One that was killed on its way
// may have made its file, and written nothing.
func (w *crashCase) doneOnce() {
	w.t.Helper()
	for _, name := range workers {
		text, err := os.ReadFile(w.Dir + "/" + name + ".log")
		if err == nil {
			require.LessOrEqual(w.t, strings.Count(string(text), "done"), 1, "the command of %s ran again", name)
		}
	}
}

// The script itself, without a crash: it is sound, and it writes what the table of
// crashes counts on.
func TestADayOfWorkWritesNearlyEveryRecord(t *testing.T) {
	t.Parallel()
	w := newCrashCase(t, newWorkday().answer)
	require.False(t, w.crash("", "--permission-mode", "bypass", "-p", "begin"))
	require.Equal(t, "All is told.", w.promised[0].shown)
	doc := w.export()
	requireSettled(t, doc)
	w.whole()
	w.kept(doc, w.Server.All(func(modeltest.Request) bool { return true }))
	w.doneOnce()
	counts := recorded(doc.Records)
	for _, row := range crashes(t) {
		if row.story == "workday" {
			require.GreaterOrEqual(t, counts[row.record], row.nth, row.record)
		}
	}
}
