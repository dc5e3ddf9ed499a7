package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/lifecycle"
	"pawl/store"
)

// The benchmarks of the whole program: the real binary on a pseudo-terminal,
// against a model on loopback. They print figures and assert none; the emulator
// and the model run on the same processors, so the figures are upper bounds.

// benchModel speaks Chat Completions, with a pace. Its parent asks for children
// subagents in the background, if any, and else answers at once like they do.
type benchModel struct {
	children int
	pieces   []string      // of an answer
	every    time.Duration // between two pieces; 0: none
}

func (m benchModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct{ Role string }
		Tools    []struct{ Function struct{ Name string } }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	parent := slices.ContainsFunc(asked.Tools, func(t struct{ Function struct{ Name string } }) bool { return t.Function.Name == "agent" })
	w.Header().Set("Content-Type", "text/event-stream")
	switch last := asked.Messages[len(asked.Messages)-1].Role; {
	case parent && m.children > 0 && last == "user" && len(asked.Messages) == 2:
		m.delegate(w)
	case parent && m.children > 0:
		m.say(w, r, []string{"They run."})
	default:
		m.say(w, r, m.pieces)
	}
}

func chunk(w http.ResponseWriter, delta any, finish any) {
	b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
	fmt.Fprintf(w, "data: %s\n\n", b)
}

func (m benchModel) delegate(w http.ResponseWriter) {
	var calls []any
	for i := range m.children {
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function", "function": map[string]any{
			"name": "agent", "arguments": fmt.Sprintf(`{"description":"busy number %d","prompt":"talk","run_in_background":true}`, i),
		}})
	}
	chunk(w, map[string]any{"tool_calls": calls}, nil)
	chunk(w, map[string]any{}, "tool_calls")
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func (m benchModel) say(w http.ResponseWriter, r *http.Request, pieces []string) {
	begun := time.Now()
	for i, piece := range pieces {
		chunk(w, map[string]any{"content": piece}, nil)
		if m.every == 0 {
			continue
		}
		w.(http.Flusher).Flush()
		select {
		case <-time.After(time.Until(begun.Add(time.Duration(i+1) * m.every))):
		case <-r.Context().Done():
			return
		}
	}
	chunk(w, map[string]any{}, "stop")
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// bench starts Pawl against a model.
func bench(b *testing.B, m benchModel, home string, args ...string) *terminal {
	b.Helper()
	server := httptest.NewServer(m)
	b.Cleanup(server.Close)
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "PAWL_HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8",
		"OPENAI_API_KEY=" + rightKey, "OPENAI_BASE_URL=" + server.URL + "/v1",
	}
	return startSized(b, 120, 40, benchFolder(b), env, append([]string{"--model", "openai-chat/bench"}, args...)...)
}

func benchFolder(b testing.TB) string {
	folder := filepath.Join(os.TempDir(), "pawl-bench")
	require.NoError(b, os.MkdirAll(folder, 0o700))
	b.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// leave ends it and gives what it used: processor seconds and peak memory in MB.
// The peak is the kernel's for the program itself: that of the process counts what
// it was forked from.
func (x *terminal) leave() (cpu time.Duration, peak float64) {
	peak = peakMemory(x.pawl())
	x.type_(keyCtrlC)
	x.see("again")
	x.type_(keyCtrlC)
	select {
	case <-x.exited:
	case <-time.After(2 * time.Second):
		x.type_(keyEnter) // it asks: the first choice is to stop
		x.wait()
	}
	return x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime(), peak
}

func peakMemory(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0 // not Linux, or gone
	}
	var kilobytes float64
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Sscan(rest, &kilobytes)
		}
	}
	return kilobytes / 1024
}

const ready = "Ask Pawl"

// fill writes a session of this many turns, of two messages each.
func fill(b *testing.B, home string, turns int, answer string) {
	b.Helper()
	db, err := store.Open(b.Context(), filepath.Join(home, "data", "pawl.db"), store.Options{})
	require.NoError(b, err)
	work := func(_ context.Context, port *lifecycle.Port) lifecycle.Outcome {
		if _, err := port.Step(); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		err := port.Record(nil, lifecycle.Text{Text: answer}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 100, OutputTokens: 20}})
		return lifecycle.Outcome{Text: answer, Err: err}
	}
	s := lifecycle.New(lifecycle.Options{Journal: db, Work: work, Limits: lifecycle.DefaultLimits()})
	root := lifecycle.NewSessionID()
	_, err = s.Open(b.Context(), root, lifecycle.Spec{Type: "general", Model: "openai-chat/bench", Folder: benchFolder(b)})
	require.NoError(b, err)
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go func() {
		_ = s.Watch(ctx, root, 0, func(u lifecycle.Updates) {
			for _, rec := range u.Records {
				if _, ok := rec.Event.(lifecycle.Ended); ok {
					ended <- struct{}{}
				}
			}
		})
	}()
	for i := range turns {
		_, err := s.Do(b.Context(), lifecycle.Send{Session: root, Text: fmt.Sprintf("question %d", i)})
		require.NoError(b, err)
		<-ended
	}
	require.NoError(b, s.Close(context.Background(), lifecycle.CauseQuit))
	require.NoError(b, db.Close())
}

// tokens are pieces of Markdown with code, about four bytes each. No two paragraphs are
// the same, as in an answer.
func tokens(n int) []string {
	var text strings.Builder
	for i := 0; text.Len() < 4*n; i++ {
		fmt.Fprintf(&text, "Some *prose* of part %d that runs on for a while, as answers do, with `name%d` in it.\n\n", i, i*i)
		fmt.Fprintf(&text, "```go\nfunc add%d(a, b int) int {\n\treturn a + %d*b\n}\n```\n\n- a point about %d\n- another, about %d\n\n", i, i%97, i*3, i*7%1009)
	}
	whole := text.String()
	pieces := make([]string, n)
	for i := range pieces {
		pieces[i] = whole[4*i : 4*i+4]
	}
	return pieces
}

// What the guard adds to a start: the same command line, refused at once, with a
// guard of its own and with this benchmark in the guard's place.
func BenchmarkGuardStart(b *testing.B) {
	path, err := binary()
	require.NoError(b, err)
	once := func(line *os.File) time.Duration {
		cmd := exec.Command(path, "--output-format", "none")
		cmd.Env = []string{"HOME=" + b.TempDir(), "PAWL_HOME=" + b.TempDir()}
		if line != nil {
			cmd.Env, cmd.ExtraFiles = append(cmd.Env, "PAWL_GUARD=3"), []*os.File{line}
		}
		begun := time.Now()
		_ = cmd.Run() // it is refused
		took := time.Since(begun)
		require.Equal(b, exitUsage, cmd.ProcessState.ExitCode())
		return took
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	require.NoError(b, err)
	line := os.NewFile(uintptr(pair[1]), "line")
	defer line.Close()
	var guarded, alone []time.Duration
	for b.Loop() {
		guarded, alone = append(guarded, once(nil)), append(alone, once(line))
	}
	slices.Sort(guarded)
	slices.Sort(alone)
	half := len(alone) / 2
	b.ReportMetric(float64(alone[half].Microseconds())/1000, "ms/alone")
	b.ReportMetric(float64((guarded[half]-alone[half]).Microseconds())/1000, "ms/guard")
}
