package crash

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// crashCase is a stage on which Pawl is killed, and comes back.
//
//	crash ──► SIGKILL at a fail point ──► back: the user says "go on" ──► inspect
//	             (or never reached)            nothing else may happen
type crashCase struct {
	*harness.Stage
	t        testing.TB
	heard    int         // requests before the kill
	back     atomic.Bool // the process that was killed is gone
	promised []promise   // what had been acknowledged when it was
	comes    func()      // how it comes back
}

// promise is something that a person was shown, and what the log must then say.
type promise struct {
	shown string
	kept  func(document) bool
}

// goOn is what the user says after the crash; the script answers it with this.
const (
	goOn     = "go on"
	wentOn   = "We go on."
	crashEnv = "FAILPOINTS="
)

// newCrashCase makes a stage whose model plays a script until the crash. Afterwards the
// only thing that it may be asked is what the user says then.
func newCrashCase(t testing.TB, script func(modeltest.Request) modeltest.Reply, variables ...string) *crashCase {
	t.Helper()
	return newCrashCaseIn(t, modeltest.Chat(), script, variables...)
}

// newCrashCaseIn is the same in another protocol.
func newCrashCaseIn(t testing.TB, p modeltest.Protocol, script func(modeltest.Request) modeltest.Reply, variables ...string) *crashCase {
	t.Helper()
	w := &crashCase{t: t}
	w.Stage = harness.NewStageIn(t, t.TempDir(), p, func(h modeltest.Request) modeltest.Reply {
		switch {
		case !w.back.Load():
			return script(h)
		case h.Parent() && h.Asked(goOn):
			return modeltest.Say(wentOn)
		}
		return modeltest.Surprised() // something ran again, and nobody asked for it
	}).With("PAWL_SUBAGENTS_MAX_BACKGROUND=1", "PAWL_SUBAGENTS_FOREGROUND_WARNING=100ms").With(variables...).VerifiedBy(harness.WithFailpoints)
	w.comes = w.returns
	return w
}

// Prompt is a prompt to be started with fail points, in a process group of its own.
func (w *crashCase) prompt(points string, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	w.t.Helper()
	path, err := harness.WithFailpoints()
	require.NoError(w.t, err)
	cmd := exec.Command(path, w.Flags(args...)...)
	cmd.Dir, cmd.Env = w.Dir, append(slices.Clone(w.Env), crashEnv+points)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = modeltest.Patience
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	return cmd, &out, &errs
}

// Crash plays the prompt until a fail point kills it, and says whether one did.
func (w *crashCase) crash(points string, args ...string) (killed bool) {
	w.t.Helper()
	return w.play(func(int) {}, points, args...)
}

// play plays the prompt to its end, whatever that is, and says whether it was killed.
func (w *crashCase) play(started func(pid int), points string, args ...string) (killed bool) {
	w.t.Helper()
	cmd, out, errs := w.prompt(points, args...)
	require.NoError(w.t, cmd.Start())
	started(cmd.Process.Pid)
	err := w.await(cmd)
	require.NotContains(w.t, errs.String(), "DATA RACE")
	w.gone()
	if answer := strings.TrimSpace(out.String()); answer != "" {
		w.promised = append(w.promised, promise{answer, func(doc document) bool {
			return slices.ContainsFunc(doc.Runs, func(r exportedRun) bool { return r.Result == answer })
		}})
	}
	killed = wasKilled(cmd)
	require.True(w.t, killed || err == nil, "pawl %v: %v\n%s%s", args, err, out, errs)
	return killed
}

// gone notes that the process has died.
func (w *crashCase) gone() {
	w.Server.AwaitAlone(w.t)
	w.heard = len(w.Server.All(func(modeltest.Request) bool { return true }))
	w.back.Store(true)
}

// Await waits for the end, and ends what hangs with all that it started.
func (w *crashCase) await(cmd *exec.Cmd) error {
	w.t.Helper()
	hangs := time.AfterFunc(2*modeltest.Patience, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // it does all of its work, not one thing
	err := cmd.Wait()
	require.True(w.t, hangs.Stop(), "pawl does not end; the model server heard:\n%s", w.Server.Heard())
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left, if anything
	return err
}

// wasKilled says that SIGKILL ended a process, or the one that it guarded.
func wasKilled(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && (status.Signaled() && status.Signal() == syscall.SIGKILL || status.ExitStatus() == 128+int(syscall.SIGKILL))
}

// returns comes back as a person would: the last session, and one prompt. A session
// of which nothing was saved cannot be gone on with: then it is a new one.
func (w *crashCase) returns() {
	w.t.Helper()
	args := []string{"--continue", "-p", goOn}
	if _, ok := w.session(); !ok {
		args = args[1:]
	}
	cmd, out, errs := w.prompt("", args...)
	require.NoError(w.t, cmd.Start())
	require.NoError(w.t, w.await(cmd), "%s%s", out, errs)
	require.NotContains(w.t, errs.String(), "DATA RACE")
	require.Equal(w.t, wentOn+"\n", out.String(), errs)
}

// session finds the only session of the stage, if it was saved.
func (w *crashCase) session() (id string, saved bool) {
	w.t.Helper()
	if _, err := os.Stat(w.Database()); errors.Is(err, fs.ErrNotExist) {
		return "", false // it died before it made one
	}
	list := w.run("sessions")
	if strings.HasPrefix(list, "No sessions") {
		return "", false
	}
	require.Equal(w.t, 1, strings.Count(list, "\n"), list)
	return strings.Fields(list)[0], true
}

// run runs a command that looks at what is there.
func (w *crashCase) run(args ...string) string {
	w.t.Helper()
	path, err := harness.WithFailpoints()
	require.NoError(w.t, err)
	out, errs, code := harness.RunBy(w.t, path, "", w.Dir, w.Env, args...)
	require.Zero(w.t, code, errs)
	return out
}

// export reads the session as the program writes it.
func (w *crashCase) export() (doc document) {
	w.t.Helper()
	id, ok := w.session()
	require.True(w.t, ok, "there is no session")
	require.NoError(w.t, json.Unmarshal([]byte(w.run("export", id, "--format", "json", "-o", "-")), &doc))
	return doc
}

// inspect holds what is there after the return against all that must be.
func (w *crashCase) inspect() document {
	w.t.Helper()
	doc := w.export()
	requireSettled(w.t, doc)
	w.whole()
	requests := w.Server.All(func(modeltest.Request) bool { return true })
	require.Len(w.t, requests, w.heard+1, "one prompt, one request: nothing runs again by itself")
	w.kept(doc, requests)
	w.notTwice(requests[len(requests)-1])
	for _, p := range w.promised {
		require.True(w.t, p.kept(doc), "it was shown, and is not in the log: %s", p.shown)
	}
	return doc
}

// whole has SQLite look at its file.
func (w *crashCase) whole() {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.Database()+"?mode=ro")
	require.NoError(w.t, err)
	defer db.Close()
	var answer string
	require.NoError(w.t, db.QueryRowContext(w.t.Context(), "PRAGMA integrity_check").Scan(&answer))
	require.Equal(w.t, "ok", answer)
	rows, err := db.QueryContext(w.t.Context(), "PRAGMA foreign_key_check")
	require.NoError(w.t, err)
	defer rows.Close()
	require.False(w.t, rows.Next(), "a row refers to one that is not there")
	require.NoError(w.t, rows.Err())
}

// kept says that every word which a model was sent, before the kill and after it,
// stands in the transcript of its session: it was on disk before it was sent.
func (w *crashCase) kept(doc document, requests []modeltest.Request) {
	w.t.Helper()
	histories := map[string][]modeltest.Message{}
	for _, session := range doc.Sessions {
		histories[session.Session] = history(session.Transcript)
	}
	for _, h := range requests {
		found := false
		for id, kept := range histories {
			found = found || (id == doc.Session.ID) == h.Parent() && begins(kept, h.Messages)
		}
		require.True(w.t, found, "a model was told what no transcript holds: %s\nthe transcripts:\n%+v", h, histories)
	}
}

// notTwice says that the model never reads of the same end twice.
func (w *crashCase) notTwice(h modeltest.Request) {
	w.t.Helper()
	seen := map[string]bool{}
	for _, notice := range h.Notices() {
		_, id, _ := strings.Cut(notice, "<run-id>")
		id, _, _ = strings.Cut(id, "</run-id>")
		require.False(w.t, seen[id], "the end of run %s is told twice", id)
		seen[id] = true
	}
}

// history is a transcript as a model is sent it.
func history(transcript []spoken) (list []modeltest.Message) {
	for _, m := range transcript {
		switch m.Kind {
		case "summary":
			list = []modeltest.Message{{Role: "user", Text: texts(m)}}
		case "user", "notification":
			list = modeltest.Grow(list, modeltest.Message{Role: "user", Text: texts(m)})
		case "assistant":
			one := modeltest.Message{Role: "assistant", Text: texts(m)}
			for _, p := range m.Parts {
				if p.Type == "tool_call" {
					one.Calls = append(one.Calls, modeltest.Call{ID: p.Call, Name: p.Name, Input: string(p.Input)})
				}
			}
			if one.Text != "" || len(one.Calls) > 0 { // no provider takes an empty one
				list = append(list, one)
			}
		case "tool_result":
			list = answered(list, modeltest.Result{Call: m.Parts[0].Call, Text: m.Parts[0].Text})
		}
	}
	return list
}

func texts(m spoken) string {
	var all []string
	for _, p := range m.Parts {
		if p.Type == "text" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// Answered puts a result behind the message that made its call, in the order of
// the calls.
func answered(list []modeltest.Message, r modeltest.Result) []modeltest.Message {
	made := len(list) - 1
	for list[made].Role != "assistant" {
		made--
	}
	if made+1 == len(list) || list[made+1].Role != "tool" {
		list = slices.Insert(list, made+1, modeltest.Message{Role: "tool"})
	}
	at := func(r modeltest.Result) int {
		return slices.IndexFunc(list[made].Calls, func(c modeltest.Call) bool { return c.ID == r.Call })
	}
	list[made+1].Results = append(slices.Clone(list[made+1].Results), r)
	slices.SortStableFunc(list[made+1].Results, func(a, b modeltest.Result) int { return at(a) - at(b) })
	return list
}

// begins says that a transcript begins with what was sent.
func begins(kept, sent []modeltest.Message) bool {
	if len(sent) > len(kept) {
		return false
	}
	for i, m := range sent {
		whole := i < len(sent)-1
		switch {
		case m.Role != kept[i].Role:
			return false
		case whole && strings.TrimSpace(m.Text) != strings.TrimSpace(kept[i].Text), !strings.HasPrefix(kept[i].Text, m.Text):
			return false
		case !slices.EqualFunc(m.Calls, kept[i].Calls, func(a, b modeltest.Call) bool { return a.ID == b.ID && a.Meaning() == b.Meaning() }):
			return false
		case !slices.EqualFunc(m.Results, kept[i].Results, func(a, b modeltest.Result) bool { return a.Call == b.Call && a.Text == b.Text }):
			return false
		}
	}
	return true
}

// states is a line about how runs stand and what was told, for the table.
func states(doc document) (runs, words string) {
	var list []string
	queued, delivered, withdrawn := 0, 0, 0
	counts := map[string]int{}
	for _, run := range doc.Runs {
		who := "parent"
		if run.Parent != "" {
			who = "child"
		}
		name := who + " " + run.State
		if counts[name] == 0 {
			list = append(list, name)
		}
		counts[name]++
		if n := run.Notification; n != nil {
			queued++
			if n.InRun != "" {
				delivered++
			} else {
				withdrawn++
			}
		}
	}
	for i, name := range list {
		if n := counts[name]; n > 1 {
			list[i] = fmt.Sprintf("%s ×%d", name, n)
		}
	}
	return strings.Join(list, ", "), fmt.Sprintf("%d = %d + %d", queued, delivered, withdrawn)
}
