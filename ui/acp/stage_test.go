package acp

import (
	"context"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// fixture is a session whose log a test writes, and an editor that keeps what it is told.
type fixture struct {
	*session
	mu     sync.Mutex
	log    []lifecycle.Record
	rings  chan struct{}
	done   []lifecycle.Command
	held   chan struct{} // what is sent waits for it; nil: it does not
	reply  lifecycle.Reply
	err    error // of what is sent
	told   []sdk.SessionUpdate
	answer func(context.Context) (sdk.RequestPermissionOutcome, error)
	gone   chan struct{} // closed: the editor is
}

func (l *fixture) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	_, send := command.(lifecycle.Send)
	if send && l.held != nil {
		<-l.held
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, command)
	if send && l.err != nil {
		return lifecycle.Reply{}, l.err
	}
	return l.reply, nil
}

func (l *fixture) Watch(ctx context.Context, _ lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	for {
		l.mu.Lock()
		news := l.log[from:]
		l.mu.Unlock()
		from += lifecycle.Seq(len(news))
		fn(lifecycle.Updates{Records: news})
		select {
		case <-l.rings:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (l *fixture) SessionUpdate(_ context.Context, n sdk.SessionNotification) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(l.told, n.Update)
	return nil
}

// Done implements client.
func (l *fixture) Done() <-chan struct{} { return l.gone }

func (l *fixture) RequestPermission(ctx context.Context, _ sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	outcome, err := l.answer(ctx)
	return sdk.RequestPermissionResponse{Outcome: outcome}, err
}

// lodged opens a session with this much behind it. Use it within synctest.
func newFixture(t *testing.T, past lifecycle.Seq) *fixture {
	t.Helper()
	l := &fixture{rings: make(chan struct{}, 99)}
	opened := &Session{Route: l, Snapshot: lifecycle.Snapshot{Root: "root", Seq: past}, Folder: "/work", Close: func(lifecycle.Cause) {}}
	l.session = newSession(t.Context(), l, opened, Options{})
	return l
}

// happens writes the events of one run.
func (l *fixture) happens(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		l.log = append(l.log, lifecycle.Record{
			Seq: lifecycle.Seq(len(l.log) + 1), Time: time.Now(), Root: "root", Session: session, Run: run, Event: event,
		})
	}
	l.rings <- struct{}{}
}

// texts are the pieces of the model's text that were told.
func (l *fixture) texts() (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range l.told {
		if u.AgentMessageChunk != nil {
			all = append(all, u.AgentMessageChunk.Content.Text.Text)
		}
	}
	return all
}

// prompting sends a prompt that the route answers like this, and gives its end.
func (l *fixture) prompting(t *testing.T, reply lifecycle.Reply) <-chan ending {
	t.Helper()
	l.mu.Lock()
	l.reply = reply
	l.mu.Unlock()
	over := make(chan ending, 1)
	go func() {
		reason, err := l.prompt(t.Context(), l.place(), []sdk.ContentBlock{sdk.TextBlock("go")})
		over <- ending{reason, err}
	}()
	return over
}

// requirePromptOpen holds a prompt to being open still.
func requirePromptOpen(t *testing.T, over <-chan ending) {
	t.Helper()
	select {
	case end := <-over:
		require.Fail(t, "the prompt is over", "%+v", end)
	default:
	}
}
