package mask

import (
	"slices"
	"sync"
)

// Learned are secrets that become known while masks are in use: a key that a program printed, a
// token that was renewed. Its methods may be called from any goroutine. Nil has learned nothing.
type Learned struct {
	mu      sync.RWMutex
	secrets []string // as they were added
	texts   []string // what a mask looks for, longest first; replaced, never changed
}

// Add makes every mask that was made with l hide these values too, from now on.
func (l *Learned) Add(secrets ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(l.secrets, secret) {
			l.secrets = append(l.secrets, secret)
		}
	}
	l.texts = literalsOf(l.secrets)
}

// Secrets returns what was added so far.
func (l *Learned) Secrets() []string {
	if l == nil {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.secrets)
}

func (l *Learned) literals() []string {
	if l == nil {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.texts
}

// With returns a mask that also hides what l learns, whenever it does.
func (m Mask) With(l *Learned) Mask {
	m.learned = l
	return m
}
