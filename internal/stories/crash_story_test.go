package stories

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// workday is a script that makes a parent without a screen write nearly every kind
// of record, by what the model says alone. Background runs have one slot.
//
//	the server is busy once                       waiting
//	1  shell; launch one, two; delegate slow,     queued, overdue, nudged
//	   silent: one works and is held, two waits
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
func mark(name string) call { return use("shell", object{"command": "echo done >> " + name + ".log"}) }

func (d *workday) answer(h heard) reply {
	switch {
	case !d.throttled:
		d.throttled = true
		busy := fault(429, "one at a time")
		busy.retryAfter = "0.02"
		return busy
	case h.parent():
		return d.parent(h)
	case h.child("be one"):
		return d.childOne(h)
	case h.child("be two"):
		return say("Two has begun").until(make(chan struct{}))
	case h.child("be slow"):
		return say("Slow but ").until(d.slow, "sure.")
	case h.child("be silent") && h.asked("eport what you found"):
		return say("There was nothing to say.")
	case h.child("be silent"):
		return nothing()
	case h.child("be three"):
		return say("Three is done.")
	}
	return surprised()
}

func (d *workday) parent(h heard) reply {
	step := 1
	for _, m := range h.messages {
		if m.role == "assistant" {
			step++
		}
	}
	switch step {
	case 1:
		return do(mark("parent"), launch("first", "be one"), launch("second", "be two"), delegate("slow one", "be slow"), delegate("silent one", "be silent")).
			thinking("Let me share this out.").saying("I share this out.")
	case 2:
		for _, text := range h.resultsOf("agent") {
			var one told
			_ = json.Unmarshal([]byte(text), &one) // the export is checked later
			d.agents = append(d.agents, one.Agent)
		}
		return do(use("agent_send", object{"agent_id": d.agents[0], "message": "look left too"}))
	case 3:
		d.letGo(d.one)
		return do(use("agent_output", object{"agent_id": d.agents[0], "wait_ms": 40000}))
	case 4:
		return do(use("agent_send", object{"agent_id": d.agents[1], "message": "look right"}),
			use("agent_stop", object{"agent_id": d.agents[1], "reason": "enough"}))
	case 5:
		d.letGo(d.slow)
		return do(launch("third", "be three"))
	case 6:
		return say("I wait for the rest.")
	}
	return say("All is told.")
}

func (d *workday) childOne(h heard) reply {
	switch {
	case h.asked("look left too"):
		return say("One has looked left.")
	case h.answered("shell"):
		return do(use("list", object{"path": "."})).saying("One has ").until(d.one, "worked.")
	}
	return do(mark("one"))
}

// workers are the names that mark is given in this script.
var workers = []string{"parent", "one"}

// doneOnce says that no command of the script ran twice. One that was killed on its way
// may have made its file, and written nothing.
func (w *wreck) doneOnce() {
	w.t.Helper()
	for _, name := range workers {
		text, err := os.ReadFile(w.dir + "/" + name + ".log")
		if err == nil {
			require.LessOrEqual(w.t, strings.Count(string(text), "done"), 1, "the command of %s ran again", name)
		}
	}
}

// recorded counts the records of a log by their names.
func recorded(records []lifecycle.Record) map[string]int {
	counts := map[string]int{}
	for _, rec := range records {
		counts[lifecycle.Name(rec.Event)]++
	}
	return counts
}

// The script itself, without a crash: it is sound, and it writes what the table of
// crashes counts on.
func TestADayOfWorkWritesNearlyEveryRecord(t *testing.T) {
	t.Parallel()
	w := wrecked(t, newWorkday().answer)
	require.False(t, w.crash("", "--permission-mode", "bypass", "-p", "begin"))
	require.Equal(t, "All is told.", w.promised[0].shown)
	doc := w.export()
	settledExport(t, doc, w.limits)
	w.whole()
	w.kept(doc, w.server.all(func(heard) bool { return true }))
	w.doneOnce()
	counts := recorded(doc.Records)
	for _, row := range crashes() {
		if row.story == "workday" {
			require.GreaterOrEqual(t, counts[row.record], row.nth, row.record)
		}
	}

	id, _ := w.session()
	byCommand, errs, code := run(t, w.dir, w.env, "export", string(id.ID), "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	read := parsed(t, []byte(byCommand))
	require.Equal(t, doc, read, "the program's own export says the same")
	require.True(t, strings.HasSuffix(byCommand, "}\n"))
}
