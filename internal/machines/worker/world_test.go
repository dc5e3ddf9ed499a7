package worker_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/remote"
	"pawl/internal/machines"
	"pawl/internal/machines/dispatch"
	"pawl/internal/machines/worker"
	"pawl/internal/natstest"
	"pawl/lifecycle"
)

// quick are spans for tests, near the proportions of the design. Between Confirm and Lease a busy machine
// has a second in which to end a run.
var quick = machines.Times{
	Beat: 100 * time.Millisecond, Lease: 2 * time.Second, Confirm: time.Second, Server: 20 * time.Second, Host: 20 * time.Second,
	Kill: 500 * time.Millisecond, Ask: 200 * time.Millisecond, Ping: 100 * time.Millisecond, Info: 100 * time.Millisecond, Listed: time.Second,
	Publish: 500 * time.Millisecond,
}

// patient are those of a test that waits for none of these to pass, however busy the machine is.
var patient = func() machines.Times {
	t := quick
	t.Lease, t.Confirm, t.Kill, t.Ask = 30*time.Second, 20*time.Second, 30*time.Second, machines.DefaultTimes.Ask
	return t
}()

// hasty are those of a patient worker that gives back a job whose host is away as soon as a quick one.
var hasty = func() machines.Times {
	t := patient
	t.Lease = quick.Lease
	return t
}()

// once are those of a test that asks a single time.
var once = func() machines.Times {
	t := patient
	t.Ask = 30 * time.Second
	return t
}()

const protocol = 7

// world knows what all machines of a test do.
type world struct {
	t     testing.TB
	s     *natstest.Server
	creds string // of all machines; empty: none

	mu      sync.Mutex
	changed chan struct{}
	working map[lifecycle.RunID]int // processes at work
	double  []lifecycle.RunID       // runs that two were at work at
	began   map[lifecycle.RunID]int
	left    map[lifecycle.RunID]int // workplaces not removed
	said    []string                // by workers
}

func newWorld(t testing.TB, options ...natstest.Option) *world {
	t.Helper()
	return &world{
		t: t, s: natstest.Start(t, options...), changed: make(chan struct{}), working: map[lifecycle.RunID]int{},
		began: map[lifecycle.RunID]int{}, left: map[lifecycle.RunID]int{},
	}
}

func (w *world) change(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
	close(w.changed)
	w.changed = make(chan struct{})
}

// until waits for something that becomes true.
func (w *world) until(what string, is func() bool) {
	w.t.Helper()
	late := time.After(2 * time.Minute)
	for {
		w.mu.Lock()
		done, changed := is(), w.changed
		w.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-late:
			require.Fail(w.t, "not in time: "+what)
		}
	}
}

func (w *world) dial(o machines.Options) *machines.Link {
	w.t.Helper()
	o.URL, o.Creds, o.Times = cmp.Or(o.URL, w.s.URL()), cmp.Or(o.Creds, w.creds), cmp.Or(o.Times, quick)
	link, err := machines.Dial(w.t.Context(), o)
	require.NoError(w.t, err)
	w.t.Cleanup(link.Close)
	return link
}

// queued waits until so many jobs are in the stream.
func (w *world) queued(n uint64) {
	w.t.Helper()
	link := w.dial(machines.Options{Times: patient})
	for w.t.Context().Err() == nil {
		report, err := link.Report(w.t.Context())
		if err == nil && len(report.Stores) > 0 && report.Stores[0].Name == machines.JobStream && report.Stores[0].Messages == n {
			return
		}
	}
}

// place is where a scripted process works: it answers each line with "LINE of RUN", "wait" with
// nothing until it is killed, and ends with "exit", or when its input does.
type place struct {
	w      *world
	run    worker.Run
	killed chan struct{} // closed when the machine is, with all that runs on it
	dies   chan struct{} // closed when a process that was killed may end; nil: at once
}

func (p place) Start(ctx context.Context, in, out *os.File) (remote.Exit, error) {
	p.w.change(func() {
		p.w.began[p.run.Run]++
		p.w.working[p.run.Run]++
		if p.w.working[p.run.Run] > 1 {
			p.w.double = append(p.w.double, p.run.Run)
		}
	})
	defer p.w.change(func() { p.w.working[p.run.Run]-- })
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadString('\n')
			line = strings.TrimSuffix(line, "\n")
			if err != nil || line == "exit" {
				fmt.Fprintf(out, "end of %s\n", p.run.Run)
				return
			}
			if line != "wait" {
				fmt.Fprintf(out, "%s of %s\n", line, p.run.Run)
			}
		}
	}()
	select {
	case <-done:
		return remote.Exit{}, nil
	case <-p.killed:
	case <-ctx.Done():
		if p.dies != nil {
			<-p.dies
		}
	}
	_ = in.SetReadDeadline(time.Now())
	_ = out.SetWriteDeadline(time.Now())
	<-done
	return remote.Exit{Code: 137}, nil
}

func (p place) Finish(context.Context) (json.RawMessage, error) {
	return json.Marshal("left by " + p.run.Run)
}

func (p place) Remove() { p.w.change(func() { p.w.left[p.run.Run]-- }) }

// machine is one with a worker.
type machine struct {
	link  *machines.Link
	stop  func() // as by SIGTERM
	kill  func() // as by SIGKILL, with all that runs there
	ended chan error
}

func (w *world) worker(o worker.Options, l machines.Options) *machine {
	w.t.Helper()
	killed := make(chan struct{})
	m := &machine{link: w.dial(l), ended: make(chan error, 1)}
	o.Link, o.Machine, o.Version = m.link, "box", "1.0"
	if o.Protocol == 0 {
		o.Protocol = protocol
	}
	if o.Slots == 0 {
		o.Slots = 100
	}
	if o.Name == "" {
		o.Name = "box"
	}
	if o.Prepare == nil {
		o.Prepare = func(_ context.Context, run worker.Run) (worker.Workplace, error) {
			w.change(func() { w.left[run.Run]++ })
			return place{w: w, run: run, killed: killed}, nil
		}
	}
	o.Say = func(line string) { w.change(func() { w.said = append(w.said, line) }) }
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	go func() { m.ended <- worker.Serve(ctx, o) }()
	m.stop = cancel
	m.kill = sync.OnceFunc(func() {
		m.link.Close()
		close(killed)
		cancel()
	})
	w.t.Cleanup(func() {
		m.kill()
		<-m.ended
	})
	return m
}

// host drives runs, and remembers across its restarts what a database would.
type host struct {
	w    *world
	root lifecycle.SessionID
	link *machines.Link
	d    *dispatch.Dispatcher

	mu     sync.Mutex
	placed map[lifecycle.RunID]machines.Claim
	ends   map[lifecycle.RunID][]string
	acts   sync.WaitGroup
}

func (w *world) host(l machines.Options) *host {
	w.t.Helper()
	h := &host{w: w, root: lifecycle.NewSessionID(), placed: map[lifecycle.RunID]machines.Claim{}, ends: map[lifecycle.RunID][]string{}}
	h.open(l)
	w.t.Cleanup(func() { h.d.Close(); h.acts.Wait() })
	return h
}

func (h *host) open(l machines.Options) {
	h.w.t.Helper()
	h.link = h.w.dial(l)
	var err error
	h.d, err = dispatch.New(h.link, h.root, dispatch.Options{Protocol: protocol, Over: h.over})
	require.NoError(h.w.t, err)
}

// leave is the end of the host's process, which leaves its runs.
func (h *host) leave() {
	h.d.Close()
	h.acts.Wait()
	h.link.Close()
}

func (h *host) over(run lifecycle.RunID, attempt int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ends[run]) > 0 || h.placed[run].Number > attempt
}

func (h *host) order(run lifecycle.RunID, attempt int, idempotent bool, labels ...string) dispatch.Order {
	return dispatch.Order{
		Run: run, Attempt: attempt, Idempotent: idempotent, Labels: labels,
		Grant: func(_ context.Context, claim machines.Claim) (json.RawMessage, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.placed[run] = claim
			return json.RawMessage(`"granted"`), nil
		},
	}
}

func (h *host) placement(run lifecycle.RunID) machines.Claim {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.placed[run]
}

func (h *host) end(run lifecycle.RunID, how string) {
	h.mu.Lock()
	h.ends[run] = append(h.ends[run], how)
	h.mu.Unlock()
	h.w.change(func() {})
}

func (h *host) endsOf(run lifecycle.RunID) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.ends[run]...)
}

// pipe is this host's end of a process.
type pipe struct {
	to   *os.File
	from *bufio.Reader
	exit chan remote.Exit
	err  error // once exit was received
	done func()
}

func (h *host) pipe(ctx context.Context, p *dispatch.Placement) *pipe {
	in, to, err := os.Pipe()
	require.NoError(h.w.t, err)
	from, out, err := os.Pipe()
	require.NoError(h.w.t, err)
	one := &pipe{to: to, from: bufio.NewReader(from), exit: make(chan remote.Exit, 1), done: func() { to.Close(); from.Close() }}
	h.acts.Go(func() {
		exit, err := p.Pipe(ctx, in, out)
		one.err = err
		in.Close()
		out.Close()
		one.exit <- exit
	})
	return one
}

func (p *pipe) say(t testing.TB, line string) {
	t.Helper()
	_, err := io.WriteString(p.to, line+"\n")
	require.NoError(t, err)
}

func (p *pipe) line(t testing.TB) string {
	t.Helper()
	line, err := p.from.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSuffix(line, "\n")
}

// drive drives a run to its end in the background: it says the lines and then exit, and counts the
// answers. An idempotent run whose worker is lost is placed again, at most twice.
func (h *host) drive(run lifecycle.RunID, idempotent bool, lines int) {
	h.acts.Go(func() {
		for attempt := max(1, h.placement(run).Number); ; attempt++ {
			how, err := h.attempt(run, attempt, idempotent, lines)
			if errors.Is(err, lifecycle.ErrLeft) {
				return
			}
			if how == "lost" && idempotent && attempt < 3 {
				continue
			}
			h.end(run, how)
			return
		}
	})
}

func (h *host) attempt(run lifecycle.RunID, attempt int, idempotent bool, lines int) (string, error) {
	order := h.order(run, attempt, idempotent)
	var p *dispatch.Placement
	var err error
	if placed := h.placement(run); placed.Number == attempt {
		p, err = h.d.Resume(context.Background(), order, placed.Worker)
	} else {
		p, err = h.d.Place(context.Background(), order)
	}
	switch {
	case errors.Is(err, machines.ErrLost):
		return "lost", nil
	case err != nil:
		return err.Error(), err
	}
	one := h.pipe(context.Background(), p)
	defer one.done()
	got := make(chan int, 1)
	go func() {
		n := 0
		for {
			line, err := one.from.ReadString('\n')
			if strings.HasSuffix(line, " of "+string(run)+"\n") {
				n++
			}
			if err != nil {
				got <- n
				return
			}
		}
	}()
	if !p.Resumed() {
		for i := range lines {
			fmt.Fprintf(one.to, "%d\n", i)
		}
	}
	fmt.Fprintln(one.to, "exit")
	exit := <-one.exit
	if errors.Is(one.err, lifecycle.ErrLeft) {
		return "", one.err
	}
	defer p.End()
	n := <-got
	switch {
	case one.err != nil:
		return one.err.Error(), nil
	case exit.Lost:
		return "lost", nil
	case !p.Resumed() && n != lines+1:
		return fmt.Sprintf("%d lines of %d", n, lines+1), nil
	}
	result, err := p.Result(context.Background())
	if errors.Is(err, lifecycle.ErrLeft) {
		return "", err
	}
	switch {
	case errors.Is(err, machines.ErrLost):
		return "lost", nil
	case err != nil:
		return err.Error(), nil
	}
	return string(result), nil
}
