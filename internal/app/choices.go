package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"pawl/agent/permission"
	"pawl/lifecycle"
	"pawl/store"
)

// choices are the model and the permission mode of a session. The user may change them while
// runs are working. All methods may be called from any goroutine.
type choices struct {
	mu     sync.Mutex
	model  string
	chosen bool   // the model was chosen since the session was opened
	effort string // empty: the model decides
	set    bool   // the effort was chosen since the session was opened
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

func (c *choices) begin(model, effort string, mode permission.Mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model, c.effort, c.mode = model, plainEffort(effort), mode
}

// NoEffort is the word for leaving the effort to the model, where empty means something else.
const NoEffort = "default"

// CheckEffort refuses what is neither a level of effort nor NoEffort.
func CheckEffort(level string) error {
	if level == NoEffort {
		return nil
	}
	return lifecycle.CheckEffort(level)
}

func plainEffort(level string) string {
	if level == NoEffort {
		return ""
	}
	return level
}

// Effort is what the model is asked for in the parent's next runs; empty: it decides.
func (c *choices) Effort() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.effort
}

// SetEffort sets the effort of the parent's next runs.
func (c *choices) SetEffort(level string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.effort, c.set = plainEffort(level), true
}

// setEffort is the effort that was chosen, as it is stored; empty if it is still the initial one.
func (c *choices) setEffort() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.set {
		return ""
	}
	return cmp.Or(c.effort, NoEffort)
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

// keepChoice stores a model and an effort that were chosen before the first message.
func (h *Session) keepChoice() {
	if level := h.Choices.setEffort(); level != "" {
		if err := h.KeepEffort(context.Background(), level); err != nil {
			slog.Error("keep the effort of the session", "error", err)
		}
	}
	model := h.Choices.chose()
	if model == "" {
		return
	}
	if err := h.Store.ChooseModel(context.Background(), h.Root, model); err != nil {
		slog.Error("keep the model of the session", "error", err)
	}
}

// KeepEffort stores the effort that was chosen for the session, if it has begun: one that has
// not is stored when it is closed.
func (h *Session) KeepEffort(ctx context.Context, level string) error {
	if _, err := h.Store.Session(ctx, string(h.Root)); err != nil {
		if errors.Is(err, store.ErrUnknown) {
			return nil
		}
		return err
	}
	return h.Store.SetSessionFact(ctx, h.Root, store.FactEffort, level)
}
