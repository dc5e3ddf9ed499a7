//go:build !windows

package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/internal/modeltest"
	"pawl/internal/socket"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host is a session with a socket, whose agent says hello, asks, and does what it may.
type host struct {
	mu      sync.Mutex
	log     []lifecycle.Record
	written chan struct{} // closed and replaced
}

func (h *host) happens(events ...lifecycle.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, event := range events {
		h.log = append(h.log, lifecycle.Record{Seq: lifecycle.Seq(len(h.log) + 1), Time: time.Now(), Root: "root", Session: "root", Run: "p1", Event: event})
	}
	close(h.written)
	h.written = make(chan struct{})
}

// Do takes a message and an answer.
func (h *host) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	switch c := command.(type) {
	case lifecycle.Send:
		h.happens(lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Trigger: lifecycle.TriggerUser, Prompt: c.Text}}, lifecycle.Started{}, lifecycle.Text{Text: "hello"},
			lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "root", Run: "p1", Tool: "shell", Subject: "go test ./..."}})
	case lifecycle.Resolve:
		if !c.Answer.Allow {
			return lifecycle.Reply{}, lifecycle.ErrUnknown
		}
		h.happens(lifecycle.PermissionGranted{Question: c.Question}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	default:
		return lifecycle.Reply{}, lifecycle.ErrUnknown
	}
	return lifecycle.Reply{Runs: []lifecycle.Run{{Session: "root", ID: "p1", Seq: 1, State: lifecycle.StateRunning}}}, nil
}

func (h *host) Watch(ctx context.Context, _ lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	for {
		h.mu.Lock()
		written, u := h.written, lifecycle.Updates{Records: h.log[from:]}
		h.mu.Unlock()
		fn(u)
		from += lifecycle.Seq(len(u.Records))
		select {
		case <-written:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (h *host) snapshot() (lifecycle.Snapshot, error) { return h.ledger().Snapshot(), nil }

func (h *host) ledger() *lifecycle.Ledger {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := lifecycle.NewLedger(lifecycle.Snapshot{Root: "root"})
	for _, rec := range h.log {
		if err := l.Apply(rec); err != nil {
			panic(err)
		}
	}
	return l
}

// hosted has a session listen in a folder until the test ends.
func hosted(t *testing.T, folder socket.Folder, session string, serve func(ctx context.Context, conn *socket.Conn)) {
	t.Helper()
	l, err := folder.Listen(session, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept(ctx)
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				context.AfterFunc(ctx, func() { _ = conn.Close() })
				serve(ctx, conn)
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		all.Wait()
		require.NoError(t, l.Close())
	})
}

func (h *host) serve(ctx context.Context, conn *socket.Conn) {
	_ = headless.Serve(ctx, headless.Client{
		Route: h, Root: "root", Snapshot: h.snapshot, In: conn, Out: conn, Gone: conn.AwaitGone,
		Opening: func(next lifecycle.Seq) any { return map[string]any{"seq": next} },
		Line:    func(rec lifecycle.Record) ([]byte, error) { return json.Marshal(rec) },
		Status: func(_ context.Context, _ bool, send func(any)) error {
			send(Of(h.ledger(), Facts{Title: "refunds", PID: os.Getpid(), Now: time.Now()}))
			return nil
		},
	})
}

func newHost() *host { return &host{written: make(chan struct{})} }

// unheard counts the hosts that had no time to say how they stand.
func unheard(troubles []Trouble) (count int) {
	late := regexp.MustCompile("does not answer|takes no connection|i/o timeout")
	for _, trouble := range troubles {
		if late.MatchString(trouble.Error) {
			count++
		}
	}
	return count
}

func TestEveryHostSaysHowItsSessionStands(t *testing.T) {
	folder := socket.In(t.TempDir())
	hosts, troubles, err := Hosts(t.Context(), folder)
	require.NoError(t, err)
	require.Empty(t, hosts)
	require.Empty(t, troubles)

	h := newHost()
	hosted(t, folder, "root", h.serve)
	hosted(t, folder, "other", h.serve) // says the status of another session
	hosted(t, folder, "refuses", func(_ context.Context, conn *socket.Conn) {
		_ = conn.WriteLine([]byte(`{"type":"refused","error":"not you"}`))
	})
	hosted(t, folder, "silent", func(ctx context.Context, _ *socket.Conn) { <-ctx.Done() })
	hosted(t, folder, "old", func(_ context.Context, conn *socket.Conn) {
		_ = conn.WriteLine([]byte(`{"type":"reply","line":1,"ok":false,"error":"unknown type \"status\""}`))
	})
	hosted(t, folder, "ending", func(context.Context, *socket.Conn) {})
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: folder.Socket("stale"), Net: "unix"})
	require.NoError(t, err)
	stale.SetUnlinkOnClose(false)
	require.NoError(t, stale.Close())

	began := time.Now()
	hosts, troubles, err = Hosts(t.Context(), folder)
	require.NoError(t, err)
	require.Less(t, time.Since(began), modeltest.Patience, "side by side")
	stands := func() bool {
		_, err := os.Lstat(folder.Socket("stale"))
		return err == nil
	}
	for late := time.Now().Add(modeltest.Patience); (unheard(troubles) > 1 || stands()) && time.Now().Before(late); {
		hosts, troubles, err = Hosts(t.Context(), folder) // on a slow machine one more took longer than a host may
		require.NoError(t, err)
	}
	require.Len(t, hosts, 1)
	require.Equal(t, "refunds", hosts[0].Title)
	require.Equal(t, os.Getpid(), hosts[0].PID)
	said := map[string]string{}
	for _, trouble := range troubles {
		said[trouble.Session] = trouble.Error
	}
	require.Len(t, said, 4)
	require.Contains(t, said["other"], "does not say how it stands")
	require.Equal(t, "not you", said["refuses"])
	require.Contains(t, said["silent"], "does not answer")
	require.Contains(t, said["old"], `unknown type "status"`)
	require.NoFileExists(t, folder.Socket("stale"))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = Hosts(ctx, folder)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAnOrderHasItsReply(t *testing.T) {
	folder := socket.In(t.TempDir())
	hosted(t, folder, "root", newHost().serve)
	hosted(t, folder, "ending", func(context.Context, *socket.Conn) {})
	conn, err := folder.Dial(t.Context(), "root")
	require.NoError(t, err)
	defer conn.Close()
	reply, err := Ask(t.Context(), conn, map[string]string{"type": "message", "text": "go", "id": "a"})
	require.NoError(t, err)
	require.Equal(t, Reply{Type: "reply", ID: "a", Line: 1, OK: true, Runs: []Reached{{"root", "p1", lifecycle.StateRunning}}}, reply)
	_, err = Ask(t.Context(), conn, map[string]string{"type": "continue"})
	require.ErrorContains(t, err, lifecycle.ErrUnknown.Error())
	_, err = Ask(t.Context(), conn, map[string]string{"type": "answer", "question": "q", "answer": "once"})
	require.NoError(t, err, "after a no the connection is as good as before")

	gone, err := folder.Dial(t.Context(), "ending")
	require.NoError(t, err)
	defer gone.Close()
	_, err = Ask(t.Context(), gone, map[string]string{"type": "stop"})
	require.ErrorIs(t, err, socket.ErrNoHost)
}

// The example of docs/socket.md is played as it stands there.
func TestTheExampleInPythonHoldsAConversation(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	text, err := os.ReadFile("../../docs/socket.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)\n```python\n(.*?)```").FindSubmatch(text)
	require.NotNil(t, block)
	folder, h := socket.In(t.TempDir()), newHost()
	hosted(t, folder, "root", h.serve)
	path := filepath.Join(t.TempDir(), "example.py")
	require.NoError(t, os.WriteFile(path, block[1], 0o600))
	out, err := exec.CommandContext(t.Context(), python, path, folder.Socket("root"), "run the tests").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "root hello\n", string(out))
	require.Equal(t, lifecycle.StateCompleted, h.ledger().Latest("root").State)
}

func TestHostsThatAreThereAtFirstAreShownTogether(t *testing.T) {
	folder := socket.In(t.TempDir())
	for _, session := range []string{"a", "b", "c"} {
		hosted(t, folder, session, func(ctx context.Context, conn *socket.Conn) {
			_ = conn.WriteLine([]byte(`{"type":"status","session":"` + session + `"}`))
			<-ctx.Done()
		})
	}
	hosted(t, folder, "old", func(ctx context.Context, conn *socket.Conn) {
		_ = conn.WriteLine([]byte(`{"type":"reply","line":1,"ok":false,"error":"unknown type \"status\""}`))
		<-ctx.Done()
	})
	hosted(t, folder, "silent", func(ctx context.Context, _ *socket.Conn) { <-ctx.Done() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := Follow(ctx, folder, func(statuses []Status, troubles []Trouble) {
		if ctx.Err() != nil {
			return
		}
		require.Equal(t, 5, len(statuses)+len(troubles))
		if unheard(troubles) > 1 {
			return // on a slow machine one more took longer than a host may: what it says is shown then
		}
		require.Len(t, statuses, 3)
		require.Contains(t, troubles[0].Error, "unknown type")
		require.Contains(t, troubles[1].Error, "does not answer")
		cancel()
	})
	require.ErrorIs(t, err, context.Canceled)

	ctx, cancel = context.WithCancel(t.Context())
	err = Follow(ctx, socket.In(t.TempDir()), func(statuses []Status, troubles []Trouble) {
		require.Empty(t, statuses, "where there is none, that is shown at once")
		require.Empty(t, troubles)
		cancel()
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestASessionIsFollowedAgainOnceTheHostThatRefusedIsGone(t *testing.T) {
	folder := socket.In(t.TempDir())
	refusing, err := folder.Listen("root", func(int) error { return errors.New("not you") })
	require.NoError(t, err)
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		_, _ = refusing.Accept(t.Context()) // until it is closed: it refuses all
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var refused, gone bool
	err = Follow(ctx, folder, func(statuses []Status, troubles []Trouble) {
		switch {
		case len(troubles) == 1 && !refused && unheard(troubles) == 0: // nor before it has refused
			require.Equal(t, "not you", troubles[0].Error)
			refused = true
			require.NoError(t, refusing.Close())
		case refused && !gone && len(troubles) == 0:
			gone = true
			hosted(t, folder, "root", newHost().serve)
		case len(statuses) == 1:
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	<-accepting
}

func TestAHostThatCannotBeReachedIsTriedOnceAndShown(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what stands for such a host is a socket of another kind, which Linux lists as one")
	}
	folder := socket.In(t.TempDir())
	hosted(t, folder, "root", newHost().serve)
	packets, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: folder.Socket("odd"), Net: "unixgram"})
	require.NoError(t, err)
	defer packets.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = Follow(ctx, folder, func(statuses []Status, troubles []Trouble) {
		if len(statuses) == 1 {
			require.Len(t, troubles, 1)
			require.Equal(t, "odd", troubles[0].Session)
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}

// What a host has read it may have done. What it has not, another one may be asked for.
func TestAnOrderThatItsHostHasNotReadIsNotTaken(t *testing.T) {
	folder := socket.In(t.TempDir())
	for name, reads := range map[string]bool{"read": true, "unread": false} {
		l, err := folder.Listen(name, func(int) error { return nil })
		require.NoError(t, err)
		sent, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			conn, err := l.Accept(t.Context())
			if err == nil && reads {
				_, _, err = conn.ReadLine()
			} else {
				<-sent
			}
			if err == nil {
				_ = conn.Close()
			}
		}()
		conn, err := folder.Dial(t.Context(), name)
		require.NoError(t, err)
		if !reads {
			require.NoError(t, conn.WriteLine([]byte(`{"type":"status"}`)))
			close(sent)
		}
		_, err = Ask(t.Context(), conn, map[string]string{"type": "stop"})
		<-done
		require.ErrorIs(t, err, socket.ErrNoHost, name)
		if reads || runtime.GOOS == "linux" { // other kernels do not tell: then it counts as read
			require.Equal(t, !reads, NotTaken(err), name)
		}
		require.NoError(t, conn.Close())
		require.NoError(t, l.Close())
	}
}
