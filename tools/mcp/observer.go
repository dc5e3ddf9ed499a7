package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

// observer collects what a server sends that the SDK drops: lines that are not messages, and
// which of its tools can only be called as tasks. Its methods may be called from any goroutine.
type observer struct {
	mu    sync.Mutex
	noise int
	first string          // the first such line
	tasks map[string]bool // by the server's names for them
}

func (h *observer) skip(text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.noise++; h.noise == 1 {
		h.first = line(string(text[:min(len(text), 10*lineLength)]), lineLength)
	}
}

// skipped returns how many lines were not messages, and the first of them.
func (h *observer) skipped() (count int, first string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.noise, h.first
}

// words says the same as the end of an error message; empty if there were none.
func (h *observer) words() string {
	count, first := h.skipped()
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("; it wrote something to standard output that is not a message: %q", first)
}

// read finds, in a message or an answer, the tools that can only be called as tasks: the SDK's
// type for tools lacks that field.
func (h *observer) read(message []byte) {
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

// forget clears these tools before the list is read again.
func (h *observer) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tasks = nil
}

// needsTask reports that a tool can only be called as a task, which Pawl does not support.
func (h *observer) needsTask(tool string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tasks[tool]
}
