package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// journalPort stands for the log of a run: it survives hosts, and keeps the newest request that is recorded.
type journalPort struct {
	mu      sync.Mutex
	run     lifecycle.Run
	entries []lifecycle.Entry
	events  []string
	asked   int
	request int64 // of this view
	of      *journalPort
}

func (p *journalPort) at(request int64) agent.Port { return &journalPort{of: p, request: request} }

func (p *journalPort) change(what func(log *journalPort)) error {
	log := p
	if p.of != nil {
		log = p.of
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	if p.request <= log.run.Request {
		return fmt.Errorf("request %d comes after %d", p.request, log.run.Request)
	}
	what(log)
	log.run.Request = p.request
	log.run.Seq++
	return nil
}

func (p *journalPort) Step() (taken []lifecycle.Entry, err error) {
	err = p.change(func(log *journalPort) {
		log.run.Step++
		taken = []lifecycle.Entry{said(fmt.Sprint("message ", log.run.Step))}
		log.entries = append(log.entries, taken...)
	})
	return taken, err
}

func (p *journalPort) Record(entries []lifecycle.Entry, events ...lifecycle.Event) error {
	return p.change(func(log *journalPort) {
		log.entries = append(log.entries, entries...)
		for _, e := range events {
			log.events = append(log.events, lifecycle.Name(e)+" "+string(lifecycle.EncodeEvent(e)))
		}
	})
}

func (p *journalPort) Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, _ *lifecycle.FilesChanged, _ []lifecycle.Told) error {
	return p.Record([]lifecycle.Entry{entry}, end)
}

func (p *journalPort) Ask(context.Context, lifecycle.Question) (lifecycle.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	return lifecycle.Answer{Allow: true}, nil
}

func (p *journalPort) Run() lifecycle.Run        { p.mu.Lock(); defer p.mu.Unlock(); return p.run }
func (p *journalPort) Spent() lifecycle.Usage    { return lifecycle.Usage{} }
func (p *journalPort) Scope() *lifecycle.Scope   { return nil }
func (p *journalPort) Report(lifecycle.Progress) {}

func (p *journalPort) transcript(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.entries), nil
}

func said(text string) lifecycle.Entry {
	body, _ := json.Marshal(text)
	return lifecycle.Entry{Session: "s", Run: "r", Kind: lifecycle.EntryUser, Body: body}
}

func texts(entries []lifecycle.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, string(e.Body))
	}
	return all
}

// workday is a run as a loop makes it, with all that crosses the pipe. It returns the transcript that its
// model was given.
func workday(p *Port) (given []string, err error) {
	wrong := func(more error) { err = errors.Join(err, more) }
	for i := range 3 {
		entries, failed := p.Step()
		wrong(failed)
		given = append(given, texts(entries)...)
		p.Report(lifecycle.Progress{Step: i + 1, Text: "so far"})
		key, failed := p.Key(p.Context(), "acme", "")
		wrong(failed)
		if other, failed := p.Key(p.Context(), "acme", key); failed != nil || other == key {
			wrong(fmt.Errorf("a refused key: %q %w", other, failed))
		}
		answer := said(fmt.Sprint("answer ", i))
		wrong(p.Record([]lifecycle.Entry{answer}, lifecycle.Text{Text: fmt.Sprint("answer ", i)}))
		given = append(given, texts([]lifecycle.Entry{answer})...)
		if got, failed := p.Ask(p.Context(), lifecycle.Question{}); failed != nil || !got.Allow {
			wrong(fmt.Errorf("a question: %v %w", got, failed))
		}
		var calls sync.WaitGroup
		errs := make([]error, 3)
		for j := range errs {
			id := lifecycle.CallID(fmt.Sprint(i, ".", j))
			result := said("result " + string(id))
			given = append(given, texts([]lifecycle.Entry{result})...)
			calls.Go(func() {
				p.Perform(p.Context(), "counted", agent.Invocation{Call: id})
				errs[j] = p.Answered(result, lifecycle.ToolEnded{Call: id}, nil, nil)
			})
		}
		calls.Wait()
		wrong(errors.Join(errs...))
	}
	return given, err
}

const (
	keyOne = "sk-first-0123456789abcdef"
	keyTwo = "sk-second-0123456789abcdef"
)

// play has a workday done under as many hosts as the cuts make of it.
func play(t *testing.T, cut func(passed int) (half, now bool)) (log *journalPort, c *carrier, hosts int) {
	t.Helper()
	log = &journalPort{run: lifecycle.Run{ID: "r", Session: "s"}}
	var given []string
	var wrong error
	c = startProcess(func(in io.Reader, out io.Writer) int {
		var config string
		p, err := Attach(in, out, &config)
		if err != nil {
			wrong = err
			return 1
		}
		if given, wrong = workday(p); wrong == nil && config != "a charge" {
			wrong = errors.New("the configuration is " + config)
		}
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	c.cut = cut
	var calls sync.Mutex
	performed := map[lifecycle.CallID]int{}
	counted := agent.Tool{Spec: agent.ToolSpec{Name: "counted"}, Run: func(_ context.Context, call agent.Invocation) agent.Result {
		calls.Lock()
		defer calls.Unlock()
		performed[call.Call]++
		return agent.Result{Text: "counted"}
	}}
	var out lifecycle.Outcome
	for left := true; left; hosts++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		out = Host{
			Start: c.start(func() { cancel(lifecycle.ErrLeft) }, hosts > 0), Resume: hosts > 0,
			Number:  func(_ agent.Port, request int64) agent.Port { return log.at(request) },
			Entries: log.transcript, Config: "a charge", Tools: []agent.Tool{counted},
			Key: func(_ context.Context, _, refused string) (string, error) {
				if refused == keyOne {
					return keyTwo, nil
				}
				return keyOne, nil
			},
		}.Work(ctx, log)
		left = errors.Is(out.Err, lifecycle.ErrLeft)
		cancel(nil)
	}
	require.NoError(t, wrong)
	require.NoError(t, out.Err)
	require.Equal(t, "done", out.Text)
	require.ElementsMatch(t, texts(log.entries), given, "nothing is lost, and nothing comes twice")
	require.Len(t, log.events, 12)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(log.events))), 12)
	for call, times := range performed {
		require.Equal(t, 1, times, "call %s", call)
	}
	return log, c, hosts
}

// A host may end before any message, while it writes one, or once it has recorded something and
// not said so.
func TestAHostThatEndsAtAnyMessageIsFollowedByOneThatGoesOn(t *testing.T) {
	_, whole, hosts := play(t, nil)
	require.Equal(t, 1, hosts)
	all := whole.passed
	require.Greater(t, all, 50)
	for _, half := range []bool{false, true} {
		for at := 1; at <= all; at++ {
			_, _, hosts := play(t, func(passed int) (bool, bool) { return half, passed == at })
			require.Equal(t, 2, hosts, "cut at message %d", at)
		}
	}
}

// A host may end right after its hello, which the process reads only then, behind it what the next
// host says: it answers both, and the next one hears both.
func TestAHostHearsAlsoWhatAProcessAnsweredTheOneBefore(t *testing.T) {
	log := &journalPort{run: lifecycle.Run{ID: "r", Session: "s"}}
	out := Host{
		Resume: true, Config: "a charge", Entries: log.transcript,
		Number: func(_ agent.Port, request int64) agent.Port { return log.at(request) },
		Start: func(ctx context.Context, in, out *os.File) (Exit, error) {
			behind := io.MultiReader(strings.NewReader(fmt.Sprintf(`{"hello":{"protocol":%d,"charge":"a charge"}}`+"\n", Protocol)), in)
			var config string
			port, err := Attach(behind, out, &config)
			require.NoError(t, err)
			require.NoError(t, port.Record(nil, lifecycle.Nudged{}))
			return Exit{Code: port.End(lifecycle.Outcome{Text: "done"})}, nil
		},
	}.Work(t.Context(), log)
	require.NoError(t, out.Err)
	require.Equal(t, "done", out.Text)
	require.Equal(t, []string{"nudged {}"}, log.events)
}

func TestAHostThatGoesOnSaysSoBeforeItAnswersAnything(t *testing.T) {
	from, to := io.Pipe()
	s := sender{to: to}
	s.sendFirst(toWorker{Resume: true}, true)
	go func() { _ = s.send(toWorker{Reply: &reply{ID: 1}}) }() // the test reads it
	lines := bufio.NewScanner(from)
	for _, want := range []string{"", "resume", "reply"} {
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), want)
	}
}

func TestHostsThatKeepEndingLoseNothing(t *testing.T) {
	for every := 16; every < 40; every++ { // fewer messages are less than what is sent again
		_, _, hosts := play(t, func(passed int) (bool, bool) { return passed%2 == 0, passed%every == 0 })
		require.Greater(t, hosts, 1)
	}
}

func TestWhatAHostHasRecordedIsNotAskedOfThePortAgain(t *testing.T) {
	log := &journalPort{run: lifecycle.Run{ID: "r", Session: "s", Request: 2}, entries: []lifecycle.Entry{said("a"), said("b")}}
	c := &workerConn{ctx: t.Context(), port: log, host: Host{
		Number: func(_ agent.Port, request int64) agent.Port { return log.at(request) }, Entries: log.transcript,
	}}
	entries, err := c.change(fromWorker{ID: 2, Act: actStep, Have: 1})
	require.NoError(t, err)
	require.Equal(t, []string{`"b"`}, texts(entries))
	_, err = c.change(fromWorker{ID: 1, Act: actRecord, Events: wrapped([]lifecycle.Event{lifecycle.Nudged{}})})
	require.NoError(t, err)
	require.Empty(t, log.events)
	_, err = c.change(fromWorker{ID: 2, Act: actStep, Have: 3})
	require.ErrorContains(t, err, "3 entries of the transcript, of 2")
	_, err = c.change(fromWorker{ID: 3, Act: actRecord, Entries: []lifecycle.Entry{said("c")}})
	require.ErrorContains(t, err, "without an event")
	_, err = c.change(fromWorker{ID: 3, Act: actRecord, Events: wrapped([]lifecycle.Event{lifecycle.Nudged{}})})
	require.NoError(t, err)
	require.Equal(t, []string{"nudged {}"}, log.events)
	require.Equal(t, int64(3), log.run.Request)
}

func TestAfterAChangeThatCouldNotBeRecordedNoneIs(t *testing.T) {
	log := &journalPort{run: lifecycle.Run{ID: "r", Session: "s"}}
	full := errors.New("the disk is full")
	c := &workerConn{ctx: t.Context(), port: log, host: Host{Number: func(_ agent.Port, request int64) agent.Port {
		if request == 1 {
			return failingPort{log, full}
		}
		return log.at(request)
	}}}
	record := fromWorker{Act: actRecord, Events: wrapped([]lifecycle.Event{lifecycle.Nudged{}})}
	for record.ID = 1; record.ID < 3; record.ID++ {
		_, err := c.change(record)
		require.ErrorIs(t, err, full)
	}
	require.Zero(t, log.run.Request, "the next host records both")
}

type failingPort struct {
	agent.Port
	err error
}

func (p failingPort) Record([]lifecycle.Entry, ...lifecycle.Event) error { return p.err }

func TestALostWorkerInterruptsItsRunAndKeepsItsText(t *testing.T) {
	log := &port{run: lifecycle.Run{ID: "r", Session: "s"}}
	work := attached(t, func(p *Port) int {
		_, err := p.Step()
		require.NoError(t, err)
		p.Report(lifecycle.Progress{Step: 1, Text: "halfway"})
		require.NoError(t, p.Record(nil, lifecycle.Nudged{}))
		return 0
	})
	out, p := visited(t, t.Context(), lostAfter(work))
	var stopped *lifecycle.Stopped
	require.ErrorAs(t, out.Err, &stopped)
	require.Equal(t, lifecycle.CauseWorkerLost, stopped.Cause)
	require.Equal(t, `text {"text":"halfway"} 0`, p.told[len(p.told)-1])
	require.Empty(t, log.told)
}

// Each of them has broken off while it went on with the run.
func TestAWorkerSkipsWhatHostsThatBrokeOffHaveLeft(t *testing.T) {
	left := "{\"reply\"" + strings.Repeat("\n", 3) + "{\"resume\":true,\"hel\n"
	m, err := newReceiver(strings.NewReader(left+"\n{\"resume\":true}\n"), 0).fromHost()
	require.NoError(t, err)
	require.True(t, m.Resume)
	for _, after := range []string{"", "{}\n", "\n\n"} {
		_, err = newReceiver(strings.NewReader(left+after), 0).fromHost()
		require.ErrorContains(t, err, "an invalid message", "no host goes on")
	}
}

func TestAHostThatGoesOnBeginsInOneWrite(t *testing.T) {
	in, out := io.Pipe()
	s := sender{to: out}
	s.sendFirst(toWorker{Resume: true}, true)
	piece := make([]byte, 1<<10)
	n, err := in.Read(piece)
	require.NoError(t, err)
	require.Regexp(t, `^\n\{.*\}\n$`, string(piece[:n]))
}
