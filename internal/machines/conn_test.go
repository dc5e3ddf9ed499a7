package machines

import (
	"bytes"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"pawl/internal/natstest"
)

func TestWhatIsSealedIsOpenedByTheOtherEndAsItIsAndByNobodyElse(t *testing.T) {
	one, other := connected(t, 7)
	sealed := func(f Frame) Frame {
		got, err := ParseFrame(one.Seal(KindUp, f))
		require.NoError(t, err)
		return got
	}
	f := Frame{Attempt: one.Attempt, Conn: 7, Number: 3, Data: []byte("CANARY")}
	got := sealed(f)
	require.NotContains(t, string(got.Data), "CANARY")
	require.True(t, bytes.Equal(got.Data, sealed(f).Data), "sent again it is the same")
	data, err := other.Open(KindUp, got)
	require.NoError(t, err)
	require.Equal(t, "CANARY", string(data))

	_, err = other.Open(KindDown, got)
	require.ErrorIs(t, err, errStrange, "of the other direction")
	for what, change := range map[string]func(f *Frame){
		"number": func(f *Frame) { f.Number++ }, "attempt": func(f *Frame) { f.Attempt.Number++ }, "connection": func(f *Frame) { f.Conn++ },
		"more": func(f *Frame) { f.More = true }, "end": func(f *Frame) { f.End = true }, "data": func(f *Frame) { f.Data[0]++ },
		"length": func(f *Frame) { f.Data = f.Data[:3] },
	} {
		changed := sealed(f)
		change(&changed)
		_, err := other.Open(KindUp, changed)
		require.ErrorIs(t, err, errStrange, what)
	}
	stranger, _ := connected(t, 7)
	for _, c := range []Conn{stranger, {}} {
		_, err = c.Open(KindUp, got)
		require.ErrorIs(t, err, errStrange)
	}
	half, err := NewHalf()
	require.NoError(t, err)
	for _, key := range [][]byte{nil, []byte("short"), make([]byte, 32)} {
		_, err = half.Join(key, one.Attempt, 7)
		require.ErrorContains(t, err, "the key of the other end is not valid")
	}
}

func TestAnAnswerIsTakenOnlyIfItIsSignedForTheRequest(t *testing.T) {
	s := natstest.Start(t, natstest.WithUsers(3))
	host, worker := dial(t, Options{URL: s.URL(), Creds: s.Creds(0).File}), dial(t, Options{URL: s.URL(), Creds: s.Creds(0).File, Times: patient})
	stranger, friend := dial(t, Options{URL: s.URL(), Creds: s.Creds(1).File}), dial(t, Options{URL: s.URL(), Creds: s.Creds(2).File})
	require.NoError(t, worker.Accept([]string{s.Creds(2).Key}))
	grant := ClaimReply{Verdict: Granted, Conn: 1, Key: []byte("key")}
	var kept *Request // an earlier one
	const subject = "pawl.host.x.claim"
	for _, c := range []struct {
		what   string
		by     *Link
		answer func(r *Request)
		wants  *TrustError // nil: it is taken
	}{
		{"its own user", host, func(r *Request) { kept = r; r.ReplySigned(grant) }, nil},
		{"an accepted user", friend, func(r *Request) { r.ReplySigned(grant) }, nil},
		{"a stranger", stranger, func(r *Request) { r.ReplySigned(grant) }, &TrustError{Key: s.Creds(1).Key}},
		{"nobody", stranger, func(r *Request) { r.ReplyJSON(grant) }, &TrustError{Unsigned: true}},
		{"the answer to another request", host, func(r *Request) {
			kept.m.Reply = r.m.Reply
			kept.ReplySigned(grant)
		}, &TrustError{}},
		{"a key that was exchanged", host, func(r *Request) {
			header := host.sign(replied(subject, r.Data, []byte(`{"key":"AAAA"}`)))
			_ = host.nc.PublishMsg(&nats.Msg{Subject: r.m.Reply, Header: header, Data: []byte(`{"key":"BBBB"}`)})
		}, &TrustError{}},
	} {
		stop, err := c.by.Serve("pawl.host.x.*", c.answer)
		require.NoError(t, err)
		require.NoError(t, c.by.nc.Flush())
		var reply ClaimReply
		claim, err := worker.Sign(subject, Claim{Worker: c.what})
		require.NoError(t, err)
		err = claim.Ask(t.Context(), &reply)
		stop()
		if c.wants == nil {
			require.NoError(t, err, c.what)
			require.Equal(t, grant, reply)
			continue
		}
		var got *TrustError
		require.True(t, errors.As(err, &got), c.what)
		require.Equal(t, c.wants, got, c.what)
		require.Empty(t, reply, c.what)
	}
}
