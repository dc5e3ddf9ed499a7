package acp

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// session is an open session with the prompts that wait for its parent.
type session struct {
	*Session
	client client
	kinds  map[string]Kind
	hide   mask.Mask
	ctx    context.Context // done when the session is closed
	cancel context.CancelFunc

	following sync.Mutex
	unfollow  func() // stops the publisher and waits for it; nil: there is none

	mu        sync.Mutex
	seen      lifecycle.Seq // the last record that was sent
	turns     []*turn
	parents   parents
	noticed   map[string]bool // notices that were sent
	announced []byte          // the commands that were sent
}

func newSession(ctx context.Context, to client, opened *Session, o Options) *session {
	ctx, cancel := context.WithCancel(ctx)
	return &session{
		Session: opened, client: to, kinds: o.Kinds, hide: o.Hide, ctx: ctx, cancel: cancel,
		seen: opened.Snapshot.Seq, parents: newParents(), noticed: map[string]bool{},
	}
}

func (s *session) id() sdk.SessionId { return sdk.SessionId(s.Snapshot.Root) }

// send sends an update. A failure is handled where it is written.
func (s *session) send(update sdk.SessionUpdate) {
	_ = s.client.SessionUpdate(s.ctx, sdk.SessionNotification{SessionId: s.id(), Update: update})
}

// follow sends what happens from now on and, with echo, what happened before; it replaces an
// earlier follower. The returned channel is closed when the past has been sent.
func (s *session) follow(echo bool) <-chan struct{} {
	s.following.Lock()
	defer s.following.Unlock()
	if s.unfollow != nil {
		s.unfollow()
	}
	s.mu.Lock()
	t := newPublisher(s, s.seen, echo)
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(s.ctx)
	t.questions.ctx = ctx
	done := make(chan struct{})
	s.unfollow = func() {
		cancel()
		<-done
	}
	go func() {
		defer close(done)
		if err := s.Route.Watch(ctx, s.Snapshot.Root, 0, t.take); ctx.Err() == nil {
			slog.Error("follow the session", "session", s.Snapshot.Root, "error", err)
			s.finishAll("", broken(errCutOff))
			s.cancel()
		}
	}()
	return t.told
}

// errGone is the error of a request whose session was closed meanwhile.
var errGone = errors.New("the session was closed")

// wait waits until the past has been sent.
func (s *session) wait(ctx context.Context, told <-chan struct{}) error {
	select {
	case <-told:
		return nil
	case <-s.ctx.Done():
		return broken(errGone)
	case <-ctx.Done():
		return broken(context.Cause(ctx))
	}
}

// close ends the session's runs with this cause and releases it.
func (s *session) close(cause lifecycle.Cause) {
	s.Close(cause)
	if cause == lifecycle.CauseQuit {
		s.finishAll(sdk.StopReasonCancelled, nil)
	} else {
		s.finishAll("", broken(errCutOff))
	}
	s.cancel()
}
