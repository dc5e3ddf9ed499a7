//go:build !windows

package machines

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/natstest"
	"pawl/lifecycle"
)

func TestAFrameIsReadAsItWasWritten(t *testing.T) {
	for _, f := range []Frame{
		{Attempt: Attempt{lifecycle.NewRunID(), 1}, Conn: 1<<64 - 1, Number: 1 << 60, Data: []byte("a\nb\n")},
		{Attempt: Attempt{lifecycle.NewRunID(), 12}, Conn: 1, More: true, Data: []byte{0, '\n', 255}},
		{Attempt: Attempt{lifecycle.NewRunID(), 3}, Conn: 7, Number: 3, End: true, Data: []byte{}},
	} {
		got, err := ParseFrame(slices.Concat(f.head(), f.Data))
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
}

func FuzzAFrameFromAnybodyIsReadOrRefused(f *testing.F) {
	f.Add([]byte("run 1 zz 0 -\ndata"))
	f.Add([]byte("run 1 zz 0"))
	f.Fuzz(func(t *testing.T, body []byte) {
		frame, err := ParseFrame(body)
		if err != nil {
			return
		}
		again, err := ParseFrame(slices.Concat(frame.head(), frame.Data))
		require.NoError(t, err)
		require.Equal(t, frame.Attempt, again.Attempt)
		require.True(t, bytes.Equal(frame.Data, again.Data))
	})
}

// lines is where a Receiver writes.
type lines struct {
	mu      sync.Mutex
	all     bytes.Buffer
	changed chan struct{}
	closed  bool
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.signal()
	return l.all.Write(b)
}

func (l *lines) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.signal()
	l.closed = true
	return nil
}

func (l *lines) signal() { close(l.changed); l.changed = make(chan struct{}) }

func (l *lines) until(is func(text string, closed bool) bool) string {
	for {
		l.mu.Lock()
		text, closed, changed := l.all.String(), l.closed, l.changed
		l.mu.Unlock()
		if is(text, closed) {
			return text
		}
		<-changed
	}
}

// joined is a Sender and a Receiver at two ends of a server.
func joined(t testing.TB, from, to *Link) (*Sender, *Receiver, *lines) {
	t.Helper()
	got := &lines{changed: make(chan struct{})}
	r := NewReceiver(got, KindUp)
	root := lifecycle.NewSessionID()
	stop, err := to.Serve(ToHost(root, "*"), func(asked *Request) {
		f, err := ParseFrame(asked.Data)
		if err == nil {
			r.Take(f, asked)
		}
	})
	require.NoError(t, err)
	t.Cleanup(stop)
	return from.NewSender(ToHost(root, KindUp)), r, got
}

// connected are the two ends of a connection of some run.
func connected(t testing.TB, number uint64) (one, other Conn) {
	t.Helper()
	return connectedFor(t, Attempt{"run", 1}, number)
}

func connectedFor(t testing.TB, attempt Attempt, number uint64) (one, other Conn) {
	t.Helper()
	here, err := NewHalf()
	require.NoError(t, err)
	there, err := NewHalf()
	require.NoError(t, err)
	one, err = here.Join(there.Public(), attempt, number)
	require.NoError(t, err)
	other, err = there.Join(here.Public(), attempt, number)
	require.NoError(t, err)
	return one, other
}

func TestLinesArriveOnceInOrderWhateverIsLost(t *testing.T) {
	s := natstest.Start(t)
	wire := s.Through(t)
	from, to := dial(t, Options{URL: wire.URL()}), dial(t, Options{URL: s.URL()})
	up, r, got := joined(t, from, to)
	ofUp, ofDown := connected(t, 7)
	up.Connect(ofUp)
	r.Connect(ofDown)
	out, in := io.Pipe()
	go func() { _ = up.Read(out) }()
	sent := make(chan error, 1)
	go func() { sent <- up.Send(t.Context()) }()
	var want strings.Builder
	for i := range 12 {
		line := strings.Repeat(string(rune('a'+i)), 1<<(i+8)) + "\n" // the last are longer than a frame
		want.WriteString(line)
		_, err := io.WriteString(in, line)
		require.NoError(t, err)
		switch i % 3 {
		case 0:
			wire.Break()
			wire.Heal()
		case 1:
			wire.Cut()
			wire.Heal()
		}
	}
	_, err := io.WriteString(in, "cut off")
	require.NoError(t, err)
	in.Close()
	require.NoError(t, <-sent)
	require.Equal(t, want.String()+"cut off", got.until(func(_ string, closed bool) bool { return closed }))
}

func TestANewConnectionSendsTheCurrentLineFromItsBeginning(t *testing.T) {
	s := natstest.Start(t)
	from, to := dial(t, Options{URL: s.URL()}), dial(t, Options{URL: s.URL()})
	up, r, got := joined(t, from, to)
	one, _ := connected(t, 1)
	_, two := connected(t, 2)
	up.Connect(one)
	r.Connect(two)
	out, in := io.Pipe()
	go func() { _ = up.Read(out) }()
	go func() { _ = up.Send(t.Context()) }()
	long := strings.Repeat("x", 2*MaxFrame) + "\n"
	go func() { _, _ = io.WriteString(in, long) }()
	three, ofThree := connected(t, 3)
	r.Connect(one)
	r.Connect(ofThree) // whatever part of it has arrived
	up.Connect(three)
	require.Equal(t, long, got.until(func(text string, _ bool) bool { return strings.HasSuffix(text, "\n") }))
}

func TestAfterTheEndANewConnectionGetsTheLastLineAgain(t *testing.T) {
	s := natstest.Start(t)
	from, to := dial(t, Options{URL: s.URL()}), dial(t, Options{URL: s.URL()})
	up, r, got := joined(t, from, to)
	one, ofOne := connected(t, 1)
	two, ofTwo := connected(t, 2)
	up.Connect(one)
	r.Connect(ofOne)
	require.NoError(t, up.Read(strings.NewReader("one\ntwo\n")))
	require.NoError(t, up.Send(t.Context()))
	r.Connect(ofTwo)
	up.Connect(two)
	require.NoError(t, up.Send(t.Context()))
	require.Equal(t, "one\ntwo\ntwo\n", got.until(func(_ string, closed bool) bool { return closed }))
}

func TestALineWithoutAnEndIsNotKept(t *testing.T) {
	l := dial(t, Options{URL: natstest.Start(t).URL()})
	up := l.NewSender("pawl.host.none.up")
	require.ErrorContains(t, up.Read(io.LimitReader(zeros{}, maxLine+1<<20)), "a line of more than 65 MB")
}

type zeros struct{}

func (zeros) Read(into []byte) (int, error) { return len(into), nil }

// BenchmarkALine is a line of 500 bytes through a server, of one of 100 runs of which each waits
// for its own: the two ends, the server, and all that they cost the processor.
func BenchmarkALine(b *testing.B) {
	s := natstest.Start(b)
	from, to := dial(b, Options{URL: s.URL()}), dial(b, Options{URL: s.URL()})
	const runs = 100
	line := []byte(strings.Repeat("x", 499) + "\n")
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	ins := make([]*io.PipeWriter, runs)
	gots := make([]chan struct{}, runs)
	root := lifecycle.NewSessionID()
	receivers := map[lifecycle.RunID]*Receiver{}
	for i := range runs {
		run := lifecycle.NewRunID()
		gots[i] = make(chan struct{}, 1)
		ofUp, ofDown := connectedFor(b, Attempt{run, 1}, 1)
		receivers[run] = NewReceiver(counter(gots[i]), KindUp)
		receivers[run].Connect(ofDown)
		up := from.NewSender(ToHost(root, KindUp))
		up.Connect(ofUp)
		out, in := io.Pipe()
		ins[i] = in
		go func() { _ = up.Read(out) }()
		go func() { _ = up.Send(b.Context()) }()
	}
	stop, err := to.Serve(ToHost(root, "*"), func(asked *Request) {
		if f, err := ParseFrame(asked.Data); err == nil {
			receivers[f.Run].Take(f, asked)
		}
	})
	require.NoError(b, err)
	defer stop()
	before := processorTime()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range runs {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				_, _ = ins[i].Write(line)
				<-gots[i]
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/line")
}

type counter chan struct{}

func (c counter) Write(b []byte) (int, error) { c <- struct{}{}; return len(b), nil }
func (c counter) Close() error                { return nil }
