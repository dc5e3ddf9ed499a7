package app

import (
	"context"
	"log/slog"
	"sync"

	"pawl/agent/permission"
)

// choices are the model and the permission mode of a session. The user may change them while
// runs are working. All methods may be called from any goroutine.
type choices struct {
	mu     sync.Mutex
	model  string
	chosen bool // the model was chosen since the session was opened
	mode   permission.Mode
}

// Model is the model of the parent's next runs.
func (c *choices) Model() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// Mode is the permission mode of the next calls.
func (c *choices) Mode() permission.Mode {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mode
}

func (c *choices) begin(model string, mode permission.Mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model, c.mode = model, mode
}

// SetModel sets the model of the parent's next runs.
func (c *choices) SetModel(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model, c.chosen = model, true
}

// SetMode sets the permission mode of the next calls.
func (c *choices) SetMode(mode permission.Mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode = mode
}

// chose is the model that was chosen; empty if it is still the initial one.
func (c *choices) chose() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.chosen {
		return ""
	}
	return c.model
}

// keepChoice stores a model that was chosen before the first message.
func (h *Session) keepChoice() {
	model := h.Choices.chose()
	if model == "" {
		return
	}
	if err := h.Store.ChooseModel(context.Background(), h.Root, model); err != nil {
		slog.Error("keep the model of the session", "error", err)
	}
}
