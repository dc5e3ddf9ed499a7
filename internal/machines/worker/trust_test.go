package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
	"pawl/internal/machines/worker"
	"pawl/internal/natstest"
	"pawl/lifecycle"
)

// administrator is somebody who reads all that passes a server and may send what they like, but has
// not the seed of those who work there: that is user 0's.
type administrator struct {
	t  *testing.T
	nc *nats.Conn
}

func watched(t *testing.T) (*world, machines.Options, administrator) {
	t.Helper()
	w := newWorld(t, natstest.WithUsers(2))
	login, err := nats.NkeyOptionFromSeed(w.s.Creds(1).File)
	require.NoError(t, err)
	nc, err := nats.Connect(w.s.URL(), login, nats.NoEcho())
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return w, machines.Options{Creds: w.s.Creds(0).File, Times: patient}, administrator{t, nc}
}

// on calls for each message.
func (a administrator) on(subject string, do func(m *nats.Msg)) (stop func()) {
	a.t.Helper()
	sub, err := a.nc.Subscribe(subject, do)
	require.NoError(a.t, err)
	require.NoError(a.t, a.nc.Flush())
	return func() { _ = sub.Unsubscribe() }
}

// passing are messages as they pass.
func (a administrator) passing(subject string) <-chan *nats.Msg {
	a.t.Helper()
	all := make(chan *nats.Msg, 1024)
	a.on(subject, func(m *nats.Msg) {
		select {
		case all <- m:
		default:
		}
	})
	return all
}

// sends sends something and returns the answer.
func (a administrator) sends(subject string, header nats.Header, body any) string {
	a.t.Helper()
	text, plain := body.([]byte)
	if !plain {
		var err error
		text, err = json.Marshal(body)
		require.NoError(a.t, err)
	}
	for {
		reply, err := a.nc.RequestMsg(&nats.Msg{Subject: subject, Header: header, Data: text}, 10*time.Second)
		if errors.Is(err, nats.ErrNoResponders) { // it is about to listen
			continue
		}
		require.NoError(a.t, err)
		return string(reply.Data)
	}
}

func key(t *testing.T) []byte {
	t.Helper()
	half, err := machines.NewHalf()
	require.NoError(t, err)
	return half.Public()
}

func TestAClaimByWhoHasNotTheSeedGetsNoGrant(t *testing.T) {
	w, own, admin := watched(t)
	h := w.host(own)
	order := h.order(lifecycle.NewRunID(), 1, false)
	added, waiting := make(chan struct{}), make(chan string, 100)
	order.Waiting = func(line string) { waiting <- line }
	placed := make(chan machines.Claim, 1)
	go func() {
		close(added)
		p, err := h.d.Place(t.Context(), order)
		if err == nil {
			placed <- p.Claim()
			p.End()
		}
	}()
	<-added
	subject := machines.ToHost(h.root, machines.KindClaim)
	claim := machines.Claim{Attempt: machines.Attempt{Run: order.Run, Number: 1}, Worker: "x", Name: "FORGED", TLS: true, Key: key(t)}
	var answer string
	for answer == "" || strings.Contains(answer, `"later"`) { // it is about to be known
		answer = admin.sends(subject, nil, claim)
	}
	require.JSONEq(t, `{"verdict":"refused","reason":"its session does not accept a worker without credentials: give it some with --creds"}`, answer)

	other := w.dial(machines.Options{Creds: w.s.Creds(1).File, Times: once})
	require.NoError(t, other.Accept([]string{w.s.Creds(0).Key}))
	var reply machines.ClaimReply
	known, err := other.Sign(subject, claim)
	require.NoError(t, err)
	require.NoError(t, known.Ask(t.Context(), &reply))
	require.Equal(t, machines.Refused, reply.Verdict)
	require.Empty(t, reply.Grant)
	for line := range waiting {
		require.NotContains(t, line, "FORGED")
		if strings.HasSuffix(line, "refused a worker with the key "+w.s.Creds(1).Key+": add that to the file that workers in [remote] names") {
			break
		}
	}

	claims := admin.passing(subject)
	w.worker(worker.Options{Name: "true"}, own)
	require.Equal(t, "true", (<-placed).Name)
	again := h.order(lifecycle.NewRunID(), 1, false)
	next, _ := begin(t, h, again)
	defer next.End()
	var m *nats.Msg
	var genuine machines.Claim
	for genuine.Run != again.Run { // the one before may have been asked twice
		m = <-claims
		require.NoError(t, json.Unmarshal(m.Data, &genuine))
	}
	genuine.Key = key(t)
	require.Contains(t, admin.sends(subject, m.Header, genuine), `"refused"`, "a key that was exchanged on the way")
}

func TestAGrantOfSomebodyElseStartsNothing(t *testing.T) {
	w, own, admin := watched(t)
	grants := admin.passing("_INBOX.>")
	h := w.host(own)
	w.worker(worker.Options{}, own)
	p, one := begin(t, h, h.order(lifecycle.NewRunID(), 1, false))
	one.say(t, "exit")
	<-one.exit
	p.End()
	h.leave()
	var replayed *nats.Msg
	for replayed == nil {
		if m := <-grants; bytes.Contains(m.Data, []byte(`"granted","conn":`)) {
			replayed = m
		}
	}

	forged, err := json.Marshal(machines.ClaimReply{Verdict: machines.Granted, Conn: 1, Key: key(t), Grant: json.RawMessage("{}")})
	require.NoError(t, err)
	answers := []*nats.Msg{{Data: forged}, {Data: forged, Header: replayed.Header}, {Data: replayed.Data, Header: replayed.Header}}
	all := make(chan struct{})
	n := 0
	stop := admin.on(machines.ToHost(h.root, machines.KindClaim), func(m *nats.Msg) {
		if n < len(answers) {
			_ = m.RespondMsg(answers[n]) // the test waits for all
		} else if n == len(answers) {
			close(all)
		}
		n++
	})
	job := machines.Job{Attempt: machines.Attempt{Run: lifecycle.NewRunID(), Number: 1}, Root: h.root, Protocol: protocol}
	_, err = w.dial(machines.Options{Creds: own.Creds, Times: once}).Enqueue(t.Context(), job)
	require.NoError(t, err)
	<-all
	stop()
	require.Zero(t, w.began[job.Run])
	w.until("it says so", func() bool {
		return strings.Contains(strings.Join(w.said, "\n"), fmt.Sprintf("an answer about run %s that is not of session %s is not obeyed", job.Run, h.root))
	})

	h.open(own)
	h.drive(job.Run, false, 3)
	w.until("its own session has it", func() bool { return len(h.endsOf(job.Run)) == 1 })
	require.Equal(t, []string{`"left by ` + string(job.Run) + `"`}, h.endsOf(job.Run))
}

// numbered is the first of the frames with this number, which may pass several times.
func numbered(t *testing.T, passing <-chan *nats.Msg, number int64) (*nats.Msg, machines.Frame) {
	t.Helper()
	for {
		m := <-passing
		f, err := machines.ParseFrame(m.Data)
		require.NoError(t, err)
		if f.Number == number {
			return m, f
		}
	}
}

func TestAnInjectedFrameIsNotCarriedOut(t *testing.T) {
	w, own, admin := watched(t)
	downs, ups := admin.passing("pawl.worker.*.down"), admin.passing("pawl.host.*.up")
	w.worker(worker.Options{}, own)
	h := w.host(own)
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	defer p.End()
	for i := range 3 {
		one.say(t, fmt.Sprint(i))
		require.Equal(t, fmt.Sprintf("%d of %s", i, run), one.line(t))
		for _, passing := range []<-chan *nats.Msg{downs, ups} {
			m, f := numbered(t, passing, int64(i))
			head := fmt.Sprintf("%s 1 %s %d -\n", run, strings.Fields(string(m.Data))[2], f.Number+1)
			for _, data := range []string{"injected\n", string(f.Data)} {
				require.Equal(t, "later", admin.sends(m.Subject, nil, []byte(head+data)))
			}
			require.Equal(t, "ok", admin.sends(m.Subject, nil, m.Data), "known, and not done again")
		}
	}
	one.say(t, "exit")
	require.Equal(t, "end of "+string(run), one.line(t))
}

func TestAForgedEndIsNotTheEnd(t *testing.T) {
	w, own, admin := watched(t)
	ups := admin.passing("pawl.host.*.up")
	w.worker(worker.Options{}, own)
	h := w.host(own)
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "hello")
	one.line(t)
	head, _, _ := bytes.Cut((<-ups).Data, []byte("\n"))
	for kind, said := range map[machines.Kind]any{
		machines.KindGone: machines.Gone{Said: "FORGED"}, machines.KindResult: machines.Result{Data: json.RawMessage(`"FORGED"`)},
	} {
		text, err := json.Marshal(said)
		require.NoError(t, err)
		require.JSONEq(t, `{"verdict":"later"}`, admin.sends(machines.ToHost(h.root, kind), nil, append(append(bytes.Clone(head), '\n'), text...)))
	}
	one.say(t, "exit")
	require.Equal(t, "end of "+string(run), one.line(t))
	require.Zero(t, <-one.exit)
	result, err := p.Result(t.Context())
	require.NoError(t, err)
	require.JSONEq(t, `"left by `+string(run)+`"`, string(result))
	p.End()
}

func TestARefusalOfSomebodyElseIsNotPassedOn(t *testing.T) {
	w, own, admin := watched(t)
	h := w.host(own)
	order := h.order(lifecycle.NewRunID(), 1, false)
	placed := make(chan error, 1)
	go func() {
		_, err := h.d.Place(t.Context(), order)
		placed <- err
	}()
	refusal := machines.Refusal{Attempt: machines.Attempt{Run: order.Run, Number: 1}, Worker: "FORGED", Reason: "FORGED"}
	for strings.Contains(admin.sends(machines.ToHost(h.root, machines.KindRefuse), nil, refusal), `"later"`) {
		continue // it is about to be known
	}
	err := <-placed
	require.ErrorContains(t, err, "refused by a worker without credentials")
	require.ErrorContains(t, err, w.s.Creds(0).Key)
	require.NotContains(t, err.Error(), "FORGED")
}

func TestWhatSomebodyWritesIntoTheListOfWorkersIsNotPassedOn(t *testing.T) {
	w, own, _ := watched(t)
	other := w.dial(machines.Options{Creds: w.s.Creds(1).File, Times: once})
	info := machines.WorkerInfo{ID: "x", Name: "FORGED", Version: "FORGED: do as I say", Protocol: protocol + 1, Slots: 1}
	require.NoError(t, other.Announce(t.Context(), info))
	h := w.host(own)
	order := h.order(lifecycle.NewRunID(), 1, false)
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("stopped")
	order.Waiting = func(line string) {
		if line == "waits for a worker; 1 worker speaks another version (unknown)" || strings.Contains(line, "FORGED") {
			stop(errors.Join(why, errors.New(line)))
		}
	}
	go func() {
		for ctx.Err() == nil {
			_ = other.Announce(ctx, info) // it grows old
		}
	}()
	_, err := h.d.Place(ctx, order)
	require.ErrorIs(t, err, why)
	require.NotContains(t, err.Error(), "FORGED")
}

func TestNothingThatARunSaysCanBeReadOnItsWay(t *testing.T) {
	w, own, admin := watched(t)
	all := admin.passing(">")
	w.worker(worker.Options{}, own)
	h := w.host(own)
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "CANARY")
	require.Equal(t, "CANARY of "+string(run), one.line(t))
	one.say(t, "exit")
	<-one.exit
	_, err := p.Result(t.Context())
	require.NoError(t, err)
	p.End()
	w.removed(run)
	unseen := map[machines.Kind]bool{machines.KindClaim: true, machines.KindUp: true, machines.KindDown: true, machines.KindGone: true, machines.KindResult: true}
	late := time.After(30 * time.Second)
	for len(unseen) > 0 || len(all) > 0 { // an administrator may be told later than those who talk
		var m *nats.Msg
		select {
		case m = <-all:
		case <-late:
			require.Empty(t, unseen)
			return
		}
		require.NotContains(t, string(m.Data), "CANARY", m.Subject)
		require.NotContains(t, string(m.Data), "left by", m.Subject)
		delete(unseen, machines.Kind(m.Subject[strings.LastIndex(m.Subject, ".")+1:]))
	}
}

// The answers of others reach the host beside the worker's own, earlier or later.
func TestAHostThatComesBackJoinsItsWorkerAndNobodyElse(t *testing.T) {
	w, own, admin := watched(t)
	w.worker(worker.Options{}, own)
	h := w.host(own)
	run := lifecycle.NewRunID()
	_, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "before")
	require.Equal(t, "before of "+string(run), one.line(t))
	for i, forged := range []machines.OrderReply{{}, {Known: true, Key: key(t)}, {Error: "FORGED"}} {
		h.leave()
		stop := admin.on("pawl.worker.*.resume", func(m *nats.Msg) {
			body, err := json.Marshal(forged)
			if err == nil {
				_ = m.Respond(body) // else the test ends without it
			}
		})
		h.open(own)
		p, err := h.d.Resume(t.Context(), h.order(run, 1, false), h.placement(run).Worker)
		require.NoError(t, err)
		require.True(t, p.Resumed())
		stop()
		one := h.pipe(context.WithoutCancel(t.Context()), p)
		t.Cleanup(one.done)
		one.say(t, fmt.Sprint(i))
		for line := ""; line != fmt.Sprintf("%d of %s", i, run); line = one.line(t) {
			require.NotContains(t, line, "FORGED")
		}
	}
}
