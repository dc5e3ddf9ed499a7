package served

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"pawl/agent/permission"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/socket"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/mcp/serve"
)

// eventsGiven is how many records one answer has.
const eventsGiven = 200

// stopLimit is how long a stop may take until all of a session has ended.
const stopLimit = 5 * time.Second

// listed is the result of list.
type listed struct {
	Sessions []view `json:"sessions"`
}

// List implements serve.Sessions.
func (s *Server) List(ctx context.Context) (any, error) {
	all := listed{Sessions: []view{}}
	for _, one := range s.all() {
		v := s.look(ctx, one)
		v.Title, v.Output, v.Message, v.Usage = one.title, "", "", nil // which output gives
		all.Sessions = append(all.Sessions, v)
	}
	return all, nil
}

// Output implements serve.Sessions.
func (s *Server) Output(ctx context.Context, in serve.Output, progress func(string)) (any, error) {
	one, err := s.find(in.Session)
	switch {
	case err != nil:
		return nil, err
	case in.WaitMS < 0 || in.WaitMS > serve.MaxWait:
		return nil, fmt.Errorf("wait_ms is %d: it must be from 0 to %d", in.WaitMS, serve.MaxWait)
	}
	v := s.await(ctx, one, time.Duration(in.WaitMS)*time.Millisecond, progress)
	if ctx.Err() != nil {
		return nil, errors.New("the call was given up; the session goes on")
	}
	if in.Since != nil {
		if err := s.events(ctx, one, lifecycle.Seq(max(0, *in.Since)), &v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// await waits until a session has ended or needs a person, and says how it stands then.
func (s *Server) await(ctx context.Context, one started, wait time.Duration, progress func(string)) view {
	v := s.look(ctx, one)
	if wait == 0 || !v.works() {
		return v
	}
	waiting, stop := context.WithTimeout(ctx, wait)
	defer stop()
	for v.works() && waiting.Err() == nil {
		s.follow(waiting, one, progress)
		v = s.look(ctx, one)
	}
	return v
}

// followPause is how long a host that has just left, or not come, is given.
const followPause = 50 * time.Millisecond

// follow returns once the session may have ended, or needs a person.
func (s *Server) follow(ctx context.Context, one started, progress func(string)) {
	host, err := hosted.Dial(ctx, one.id)
	if err != nil {
		select {
		case <-time.After(followPause):
		case <-ctx.Done():
		}
		return
	}
	defer host.Close()
	told := ""
	_ = host.Follow(ctx, func(status fleet.Status) bool { // look says what is left of it
		if status.State == fleet.Works && status.Activity != told {
			told = status.Activity
			progress(told)
		}
		return status.State == fleet.Works
	})
}

// events adds the records after a number.
func (s *Server) events(ctx context.Context, one started, since lifecycle.Seq, v *view) error {
	b, err := stored.OpenDatabase(ctx, s.world, string(one.id))
	if err != nil {
		return err
	}
	defer b.Close()
	records, err := b.Store.Records(ctx, one.id, since, eventsGiven)
	if err != nil {
		return err
	}
	if v.Last = since; len(records) > 0 {
		v.Last = records[len(records)-1].Seq
	}
	var text bytes.Buffer
	if err := b.Models.Hide().Encode(&text, records); err != nil {
		return err
	}
	v.Events = text.Bytes()
	return nil
}

// Send implements serve.Sessions.
func (s *Server) Send(ctx context.Context, in serve.Send) (any, error) {
	one, err := s.find(in.Session)
	if err != nil {
		return nil, err
	}
	if err := s.say(ctx, one, in.Message); err != nil {
		return nil, err
	}
	return view{Session: one.id, Status: string(lifecycle.StateRunning), Message: "It was told. One that works takes it in at its next step. Read what comes of it with output and wait_ms."}, nil
}

// say says something to a session's host, or has a new one go on with it, as free as before.
func (s *Server) say(ctx context.Context, one started, text string) error {
	host, err := hosted.Dial(ctx, one.id)
	if err == nil {
		_, err = host.Say(ctx, text)
		host.Close()
		if err == nil {
			return nil
		}
	}
	if !fleet.NotTaken(err) && !errors.Is(err, hosted.ErrGone) {
		return err
	}
	if err := s.minusChosen(ctx, &one); err != nil {
		return err
	}
	one.mode = permission.Stricter(one.mode, s.options.Mode)
	_, err = detach(append(s.flags(one), "--session", string(one.id)), one.folder, text)
	return err
}

// minusChosen leaves out the model and the effort that a person has chosen otherwise since: they are
// kept with the session, and a flag would outdo them.
func (s *Server) minusChosen(ctx context.Context, one *started) error {
	b, err := stored.OpenDatabase(ctx, s.world, string(one.id))
	if err != nil {
		return err
	}
	defer b.Close()
	for name, flag := range map[string]*string{store.FactModel: &one.model, store.FactEffort: &one.effort} {
		chosen, err := b.Store.SessionFact(ctx, one.id, name)
		if err != nil {
			return err
		}
		if chosen != "" {
			*flag = ""
		}
	}
	return nil
}

// Stop implements serve.Sessions.
func (s *Server) Stop(ctx context.Context, in serve.Stop) (any, error) {
	one, err := s.find(in.Session)
	if err != nil {
		return nil, err
	}
	if err := s.stop(ctx, one, in.Reason); err != nil {
		return nil, err
	}
	return s.await(ctx, one, stopLimit, func(string) {}), nil
}

// stop stops all that goes on in a session; nothing does where it has no host.
func (s *Server) stop(ctx context.Context, one started, reason string) error {
	host, err := hosted.Dial(ctx, one.id)
	switch {
	case errors.Is(err, socket.ErrNoHost):
		return nil
	case err != nil:
		return err
	}
	defer host.Close()
	if reason != "" {
		_, _ = host.Stop(ctx, one.id, reason) // if nothing runs, there is nobody to tell why
	}
	_, err = host.StopAll(ctx)
	if errors.Is(err, socket.ErrNoHost) || errors.Is(err, fleet.ErrLeaving) { // the first stop was the end of all its work
		return nil
	}
	return err
}

// End stops what still works, for a user who wants no session to outlive whoever looks at it
// (on_hangup = "stop").
func (s *Server) End() {
	ctx, stop := context.WithTimeout(context.Background(), stopLimit)
	defer stop()
	for _, one := range s.all() {
		_ = s.stop(ctx, one, "") // it may be gone
	}
}
