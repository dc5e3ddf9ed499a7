package keys

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// Ring is how a key ring is called where a place is told.
const Ring = "the system's key ring"

// service is the name that Pawl's keys have in a key ring.
const service = "pawl"

// errNoRing says that this machine, or this login, has no key ring.
var errNoRing = errors.New("there is no key ring here (it belongs to a desktop session)")

// ring is the system's key ring, each call with a limit of time: one that waits for a password
// on a screen that nobody sees never answers.
type ring struct {
	read, change time.Duration
	available    func() bool

	mu   sync.Mutex
	gone error // why it is not asked any more
}

func systemRing() *ring {
	return &ring{read: readLimit, change: changeLimit, available: available}
}

func (r *ring) get(name string) (string, error) {
	return r.within(r.read, func() (string, error) { return keyring.Get(service, name) })
}

func (r *ring) set(name, key string) error {
	_, err := r.within(r.change, func() (string, error) { return "", keyring.Set(service, name, key) })
	return err
}

func (r *ring) remove(name string) error {
	_, err := r.within(r.change, func() (string, error) { return "", keyring.Delete(service, name) })
	return err
}

// within asks the key ring and waits no longer than limit; what it says later is dropped.
func (r *ring) within(limit time.Duration, ask func() (string, error)) (string, error) {
	if err := r.usable(); err != nil {
		return "", err
	}
	type answer struct {
		key string
		err error
	}
	said := make(chan answer, 1)
	go func() {
		key, err := ask()
		said <- answer{key, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-said:
		if errors.Is(a.err, keyring.ErrNotFound) {
			return "", ErrNone
		}
		if a.err != nil {
			return "", fmt.Errorf("%s failed: %w", Ring, a.err)
		}
		return a.key, nil
	case <-timer.C:
		err := fmt.Errorf("%s did not answer within %s; unlock it, or look for a question for its password", Ring, limit)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.gone = err
		return "", err
	}
}

func (r *ring) usable() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone == nil && !r.available() {
		r.gone = errNoRing
	}
	return r.gone
}
