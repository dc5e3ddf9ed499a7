package app

import (
	"context"
	"log/slog"
	"sync"

	"pawl/agent/permission"
)

// Choices are the model and the permission mode of a session: its user may change
// them while runs work, which read them from goroutines of their own.
type choices struct {
	mu     sync.Mutex
	model  string
	chosen bool // the model, since the session was opened
	mode   permission.Mode
}

// Model is the one of the parent's coming runs.
func (c *choices) Model() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// Mode is the one of the coming calls.
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

// SetModel makes a model the one of the parent's coming runs. Any goroutine may call it.
func (c *choices) SetModel(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model, c.chosen = model, true
}

// SetMode makes a mode the one of the coming calls. Any goroutine may call it.
func (c *choices) SetMode(mode permission.Mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode = mode
}

// chose is the model that was chosen; empty where it is the one of the start.
func (c *choices) chose() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.chosen {
		return ""
	}
	return c.model
}

// keepChoice remembers a model that was chosen before anything was said.
func (h *Session) keepChoice() {
	model := h.Choices.chose()
	if model == "" {
		return
	}
	if err := h.Store.ChooseModel(context.Background(), h.Root, model); err != nil {
		slog.Error("keep the model of the session", "error", err)
	}
}
