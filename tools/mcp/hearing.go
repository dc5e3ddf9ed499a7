package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

// hearing keeps what a server sends that the SDK does not hand on: lines that are no
// messages, and which of its tools want to be called as tasks. Its methods may be
// called from any goroutine.
type hearing struct {
	mu    sync.Mutex
	noise int
	first string          // of the noise, on one line
	tasks map[string]bool // by the server's names
}

// pass counts a line that is no message.
func (h *hearing) pass(text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.noise++; h.noise == 1 {
		h.first = line(string(text[:min(len(text), 10*lineLength)]), lineLength)
	}
}

// passed is how many lines were no messages, and the first of them.
func (h *hearing) passed() (count int, first string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.noise, h.first
}

// words say the same, as the end of a reason; empty where there was no noise.
func (h *hearing) words() string {
	count, first := h.passed()
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("; it wrote something to standard output that is not a message: %q", first)
}

// read looks at a message, or at a whole answer, for tools that can be called as
// tasks alone: the SDK's type of a tool has no place for that.
func (h *hearing) read(message []byte) {
	if !bytes.Contains(message, []byte(`"taskSupport"`)) {
		return
	}
	var list struct {
		Result struct {
			Tools []struct {
				Name      string `json:"name"`
				Execution struct {
					TaskSupport string `json:"taskSupport"`
				} `json:"execution"`
			} `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(message, &list) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, tool := range list.Result.Tools {
		if h.tasks == nil {
			h.tasks = map[string]bool{}
		}
		h.tasks[tool.Name] = tool.Execution.TaskSupport == "required"
	}
}

// forget makes room for a list that is read anew.
func (h *hearing) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tasks = nil
}

// needsTask says that a tool can be called as a task alone, which Pawl does not do.
func (h *hearing) needsTask(tool string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tasks[tool]
}
