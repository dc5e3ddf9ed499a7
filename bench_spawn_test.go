package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// spawnHost is a model whose parent delegates at once, and whose subagents begin to
// speak and then wait. It says when things happen on its side of the wire.
type spawnHost struct {
	children   int
	background bool
	release    chan struct{} // closed, the subagents end
	delegated  chan time.Time
	arrived    chan time.Time // a subagent's request
	left       chan time.Time // a subagent's connection is closed from the other side
	ended      chan time.Time // a subagent's last byte
	returned   chan time.Time // a request of the parent after its first
}

func newSpawnHost(children int, background bool) *spawnHost {
	times := func() chan time.Time { return make(chan time.Time, 4*children+4) }
	return &spawnHost{
		children: children, background: background, release: make(chan struct{}),
		delegated: times(), arrived: times(), left: times(), ended: times(), returned: times(),
	}
}

func (m *spawnHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	came := time.Now()
	var asked struct {
		Messages []struct{ Role string }
		Tools    []struct{ Function struct{ Name string } }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	parent := slices.ContainsFunc(asked.Tools, func(t struct{ Function struct{ Name string } }) bool { return t.Function.Name == "agent" })
	switch {
	case !parent:
		m.arrived <- came
		m.child(w, r)
	case len(asked.Messages) == 2: // the instructions and the prompt
		m.delegated <- m.delegate(w)
	default:
		m.returned <- came
		spawnSays(w, "All is told.", "stop")
	}
}

// delegate gives the moment before its last bytes went out.
func (m *spawnHost) delegate(w http.ResponseWriter) time.Time {
	for i := range m.children {
		chunk(w, map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function", "function": map[string]any{
			"name":      "agent",
			"arguments": fmt.Sprintf(`{"description":"wait number %d","prompt":"say one word","run_in_background":%t}`, i, m.background),
		}}}}, nil)
	}
	return spawnSays(w, "", "tool_calls")
}

func (m *spawnHost) child(w http.ResponseWriter, r *http.Request) {
	chunk(w, map[string]any{"content": "It begins"}, nil)
	w.(http.Flusher).Flush()
	select {
	case <-m.release:
		m.ended <- spawnSays(w, " and ends.", "stop")
	case <-r.Context().Done():
		m.left <- time.Now()
	}
}

// spawnSays ends an answer, and gives the moment before its last bytes went out.
func spawnSays(w http.ResponseWriter, text, why string) time.Time {
	chunk(w, map[string]any{"content": text}, nil)
	w.(http.Flusher).Flush()
	last := time.Now()
	chunk(w, map[string]any{}, why)
	fmt.Fprint(w, "data: [DONE]\n\n")
	w.(http.Flusher).Flush()
	return last
}

// spawnStage is Pawl in front of a spawnHost, idle, in a new session.
func spawnStage(b *testing.B, m *spawnHost) *terminal {
	b.Helper()
	server := httptest.NewServer(m)
	b.Cleanup(server.Close)
	home := b.TempDir()
	x := startSized(b, 120, 40, benchFolder(b), []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PAWL_HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8",
		"OPENAI_API_KEY=" + rightKey, "OPENAI_BASE_URL=" + server.URL + "/v1",
	}, "--model", "openai-chat/bench")
	x.see(ready)
	return x
}

// spawnMoment is the next of these times, within patience.
func spawnMoment(b *testing.B, from <-chan time.Time) time.Time {
	b.Helper()
	select {
	case at := <-from:
		return at
	case <-time.After(patience):
		require.FailNow(b, "it did not happen")
		return time.Time{}
	}
}

func spawnMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measureSpawn is one answer with this many agent calls: the time from its last byte
// until the last child's request came, and what memory Pawl has grown by for each
// child whose stream is open.
func measureSpawn(b *testing.B, children int) (ms, mbPerChild float64) {
	b.Helper()
	m := newSpawnHost(children, false)
	x := spawnStage(b, m)
	before := settledMemory(x.pawl())
	x.type_("go", keyEnter)
	begun := spawnMoment(b, m.delegated)
	var last time.Time
	for range children {
		last = spawnMoment(b, m.arrived)
	}
	x.see(fmt.Sprintf("wait number %d", children-1))
	after := settledMemory(x.pawl())
	close(m.release)
	spawnMoment(b, m.returned)
	x.see("All is told.")
	x.rest()
	x.leave()
	return spawnMilliseconds(last.Sub(begun)), (after - before) / float64(children)
}

// measureStop is the time from Esc, as it is typed, until the server sees that the
// connection of a foreground subagent is closed.
func measureStop(b *testing.B) (ms float64) {
	b.Helper()
	m := newSpawnHost(1, false)
	x := spawnStage(b, m)
	x.type_("go", keyEnter)
	spawnMoment(b, m.arrived)
	x.see("wait number 0", "It begins")
	pressed := time.Now()
	x.type_(keyEsc)
	closed := spawnMoment(b, m.left)
	x.see("All is told.")
	x.rest()
	x.leave()
	return spawnMilliseconds(closed.Sub(pressed))
}

// measureWake is the time from the last byte of a background subagent until the
// request of the idle parent that its end has woken.
func measureWake(b *testing.B) (ms float64) {
	b.Helper()
	m := newSpawnHost(1, true)
	x := spawnStage(b, m)
	x.type_("go", keyEnter)
	spawnMoment(b, m.arrived)
	spawnMoment(b, m.returned) // it was told that the subagent runs
	x.see("All is told.")
	x.rest()
	close(m.release)
	ended, woken := spawnMoment(b, m.ended), spawnMoment(b, m.returned)
	x.waitFor("the second answer", func(screen string) bool { return strings.Count(screen, "All is told.") == 2 })
	x.rest()
	x.leave()
	return spawnMilliseconds(woken.Sub(ended))
}

// measureReturn is the same for a subagent that the parent's call waits for.
func measureReturn(b *testing.B) (ms float64) {
	b.Helper()
	m := newSpawnHost(1, false)
	x := spawnStage(b, m)
	x.type_("go", keyEnter)
	spawnMoment(b, m.arrived)
	x.see("wait number 0", "It begins")
	close(m.release)
	ended, told := spawnMoment(b, m.ended), spawnMoment(b, m.returned)
	x.see("All is told.")
	x.rest()
	x.leave()
	return spawnMilliseconds(told.Sub(ended))
}

// settledMemory is what a process has for itself, in MB, once it no longer changes.
func settledMemory(pid int) float64 {
	var last float64
	for since := time.Now(); time.Since(since) < 5*time.Second; {
		<-time.After(300 * time.Millisecond)
		now := ownMemory(pid)
		if now == last {
			break
		}
		last = now
	}
	return last
}

// ownMemory is the resident memory that a process shares with nobody, in MB: its
// pages of the program itself belong to all that run it.
func ownMemory(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0 // not Linux, or gone
	}
	var sum, kilobytes float64
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		if name == "Private_Dirty" || name == "Private_Clean" {
			fmt.Sscan(rest, &kilobytes)
			sum += kilobytes
		}
	}
	return sum / 1024
}
