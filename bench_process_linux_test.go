package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// benchIsolation is a model whose parent asks for one subagent, which says one word.
type benchIsolation struct {
	benchModel
	isolation lifecycle.Isolation
	asked     func() // the subagent asks its model
}

func (m benchIsolation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	if parent && asked.Messages[len(asked.Messages)-1].Role == "user" {
		call := isolated("one word", "say it", false)
		if m.isolation == "" {
			call = delegate("one word", "say it")
		}
		chunk(w, map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_0", "type": "function", "function": map[string]any{
			"name": call.name, "arguments": call.input,
		}}}}, nil)
		chunk(w, map[string]any{}, "tool_calls")
		return
	}
	if !parent {
		m.asked()
	}
	m.say(w, r, []string{"yes"})
}

// What a process of its own adds to one subagent with a one-word answer: the time of
// the whole call of pawl, and the memory of Pawl and of the process while it works.
func BenchmarkIsolatedRun(b *testing.B) {
	path, err := binary()
	require.NoError(b, err)
	for _, isolation := range []lifecycle.Isolation{"", lifecycle.IsolationProcess} {
		b.Run("isolation="+orDefault(string(isolation), "none"), func(b *testing.B) {
			s := &stage{home: b.TempDir()}
			folder := benchFolder(b)
			var own, pawls float64
			server := httptest.NewServer(benchIsolation{isolation: isolation, asked: func() {
				for _, pid := range s.processes(func(command string) bool {
					return strings.HasSuffix(command, "\x00"+workerName+"\x00") && !strings.HasPrefix(command, "pawl-launch")
				}) {
					own = max(own, peakMemory(pid))
				}
				for _, pid := range s.processes(func(command string) bool { return strings.HasPrefix(command, path) }) {
					pawls = max(pawls, peakMemory(pid))
				}
			}})
			b.Cleanup(server.Close)
			var walls []time.Duration
			for b.Loop() {
				cmd := exec.Command(path, "-p", "--model", "openai-chat/bench", "delegate it")
				cmd.Dir = folder
				cmd.Env = []string{"HOME=" + s.home, "PAWL_HOME=" + s.home, "OPENAI_API_KEY=" + rightKey, "OPENAI_BASE_URL=" + server.URL + "/v1"}
				begun := time.Now()
				out, err := cmd.Output()
				walls = append(walls, time.Since(begun))
				require.NoError(b, err)
				require.Equal(b, "yes\n", string(out))
			}
			slices.Sort(walls)
			b.ReportMetric(float64(walls[len(walls)/2].Microseconds())/1000, "ms/p50")
			b.ReportMetric(pawls, "MB/pawl")
			b.ReportMetric(own, "MB/own-process")
		})
	}
}
