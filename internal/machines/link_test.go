package machines

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/natstest"
)

// quick are spans for tests, in the proportions of the design.
var quick = Times{
	Beat: 100 * time.Millisecond, Lease: time.Second, Confirm: 700 * time.Millisecond, Server: 5 * time.Second, Host: 5 * time.Second,
	Kill: time.Second, Ask: 300 * time.Millisecond, Ping: 100 * time.Millisecond, Info: 100 * time.Millisecond, Listed: 2 * time.Second,
	Publish: time.Second,
}

// patient are those of a test that asks nobody in vain.
var patient = func() Times {
	t := DefaultTimes
	t.Ask = 30 * time.Second
	return t
}()

func dial(t testing.TB, o Options) *Link {
	t.Helper()
	if o.Times == (Times{}) {
		o.Times = quick
	}
	l, err := Dial(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func TestWithoutAServerOneLineSaysWhereAndWhatToDo(t *testing.T) {
	_, err := Dial(t.Context(), Options{URL: "nats://somebody:secret@127.0.0.1:1"})
	require.ErrorContains(t, err, "no NATS server answers at nats://127.0.0.1:1")
	require.ErrorContains(t, err, `"pawl doctor" tests it`)
	require.NotContains(t, err.Error(), "secret")
	require.NotContains(t, err.Error(), "\n")
}

func TestWithoutJetStreamOneLineSaysSo(t *testing.T) {
	s := natstest.Start(t, natstest.WithoutJetStream())
	_, err := Dial(t.Context(), Options{URL: s.URL()})
	require.ErrorContains(t, err, "has no JetStream")
}

func TestWrongCredentialsAreOneLine(t *testing.T) {
	s := natstest.Start(t, natstest.WithUsers(1))
	_, err := Dial(t.Context(), Options{URL: s.URL()})
	require.ErrorContains(t, err, "wants credentials: set creds in [remote]")

	stranger := natstest.NewCreds(t, filepath.Join(t.TempDir(), "stranger.nk"))
	_, err = Dial(t.Context(), Options{URL: s.URL(), Creds: stranger.File})
	require.ErrorContains(t, err, "refuses the credentials in "+stranger.File)

	_, err = Dial(t.Context(), Options{URL: s.URL(), Creds: "/nowhere.creds"})
	require.ErrorContains(t, err, "/nowhere.creds: no such file")

	junk := filepath.Join(t.TempDir(), "junk")
	require.NoError(t, os.WriteFile(junk, []byte("hello"), 0o600))
	_, err = Dial(t.Context(), Options{URL: s.URL(), Creds: junk})
	require.ErrorContains(t, err, "neither a .creds file nor the seed")
}

func TestTheRightCredentialsConnect(t *testing.T) {
	s := natstest.Start(t, natstest.WithUsers(1))
	l := dial(t, Options{URL: s.URL(), Creds: s.Creds(0).File})
	require.True(t, l.Connected())
	require.False(t, l.TLS())
	require.False(t, l.TakesUnsigned())
}

func TestAnEncryptedConnectionIsKnownAsOne(t *testing.T) {
	s := natstest.Start(t, natstest.WithTLS())
	_, err := Dial(t.Context(), Options{URL: s.URL()})
	require.ErrorContains(t, err, "is not trusted (x509: certificate signed by unknown authority)")
	require.True(t, dial(t, Options{URL: s.URL(), CA: s.CA()}).TLS())
}

// TestAServerThatWantsEncryptionGetsItWithoutBeingAskedFor plays itself in a process of its own,
// because a process reads the system's authorities once.
func TestAServerThatWantsEncryptionGetsItWithoutBeingAskedFor(t *testing.T) {
	if url := os.Getenv("PAWL_TEST_URL"); url != "" {
		require.True(t, dial(t, Options{URL: url}).TLS())
		return
	}
	s := natstest.Start(t, natstest.WithTLS())
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") //nolint:gosec // this test
	again.Env = append(os.Environ(), "SSL_CERT_FILE="+s.CA(), "PAWL_TEST_URL="+strings.Replace(s.URL(), "tls://", "nats://", 1))
	said, err := again.CombinedOutput()
	require.NoError(t, err, string(said))
	require.Contains(t, string(said), "--- PASS: "+t.Name())
}

func TestAConnectionComesBackAndEachLossIsCounted(t *testing.T) {
	s := natstest.Start(t)
	told := make(chan string, 16)
	l := dial(t, Options{URL: s.URL(), Warn: func(line string) { told <- line }})
	before := l.Epoch()
	s.Stop()
	require.Contains(t, <-told, "is lost")
	_, err := l.Ask(t.Context(), "pawl.host.none.beat", nil)
	require.Error(t, err, "nothing is kept to be sent later")
	s.Restart()
	require.NoError(t, l.WaitConnected(t.Context()))
	require.Contains(t, <-told, "is there again")
	require.Greater(t, l.Epoch(), before)
}

func TestACutConnectionIsNoticedBySilence(t *testing.T) {
	s := natstest.Start(t)
	wire := s.Through(t)
	l := dial(t, Options{URL: wire.URL()})
	changed := l.Changed()
	wire.Cut()
	<-changed
	require.False(t, l.Connected())
	wire.Heal()
	require.NoError(t, l.WaitConnected(t.Context()))
}

func TestWorkersAreListedUntilTheyLeave(t *testing.T) {
	s := natstest.Start(t)
	l := dial(t, Options{URL: s.URL(), Times: patient})
	all, err := l.Workers(t.Context())
	require.NoError(t, err)
	require.Empty(t, all)
	require.NoError(t, l.Announce(t.Context(), WorkerInfo{ID: "w2", Name: "beta", Slots: 4, Labels: []string{"gpu"}}))
	require.NoError(t, l.Announce(t.Context(), WorkerInfo{ID: "w1", Name: "alpha", Slots: 2, Busy: 1}))
	all, err = l.Workers(t.Context())
	require.NoError(t, err)
	require.Equal(t, []WorkerInfo{{ID: "w1", Name: "alpha", Slots: 2, Busy: 1}, {ID: "w2", Name: "beta", Slots: 4, Labels: []string{"gpu"}}}, all)
	require.NoError(t, l.Leave(t.Context(), "w1"))
	all, err = l.Workers(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
}

func TestAnObjectIsReadAsItWasStored(t *testing.T) {
	s := natstest.Start(t)
	o, err := dial(t, Options{URL: s.URL(), Times: patient}).Objects(t.Context(), Checkouts)
	require.NoError(t, err)
	names, err := o.List(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, names)
	_, err = o.Get(t.Context(), "a/none")
	require.ErrorIs(t, err, os.ErrNotExist)

	content := make([]byte, 3<<20+17)
	_, err = rand.Read(content)
	require.NoError(t, err)
	for name, want := range map[string][]byte{"a/large": content, "a/empty": {}, "b/small": []byte("x")} {
		require.NoError(t, o.Put(t.Context(), name, bytes.NewReader(content)))
		require.NoError(t, o.Put(t.Context(), name, bytes.NewReader(want)), "in place of what was there")
		r, err := o.Get(t.Context(), name)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
		require.NoError(t, r.Close())
	}
	names, err = o.List(t.Context(), "a/")
	require.NoError(t, err)
	require.Equal(t, []string{"a/empty", "a/large"}, names)
	require.NoError(t, o.Delete(t.Context(), "a/large"))
	require.NoError(t, o.Delete(t.Context(), "a/large"))
	there, err := o.Has(t.Context(), "a/large")
	require.NoError(t, err)
	require.False(t, there)
	there, err = o.Has(t.Context(), "a/empty")
	require.NoError(t, err)
	require.True(t, there)
}

func TestAFullBucketIsOneLineAndLeavesNoHalfObject(t *testing.T) {
	s := natstest.Start(t, natstest.WithStore(1<<20))
	o, err := dial(t, Options{URL: s.URL(), Times: patient}).Objects(t.Context(), Checkouts)
	require.NoError(t, err)
	err = o.Put(t.Context(), "large", io.LimitReader(rand.Reader, 4<<20))
	require.ErrorContains(t, err, "the bucket pawl_checkouts of the NATS server at")
	require.ErrorContains(t, err, "is full")
	require.NotContains(t, err.Error(), "\n")
	there, err := o.Has(t.Context(), "large")
	require.NoError(t, err)
	require.False(t, there)
	require.NoError(t, o.Put(t.Context(), "small", strings.NewReader("x")), "what was stored of it is removed")
}

func TestReadingAnObjectGoesOnAfterACutAndEndsWithItsContext(t *testing.T) {
	s := natstest.Start(t)
	wire := s.Through(t)
	content := make([]byte, 16<<20)
	_, err := rand.Read(content)
	require.NoError(t, err)
	near, err := dial(t, Options{URL: s.URL(), Times: patient}).Objects(t.Context(), Checkouts)
	require.NoError(t, err)
	require.NoError(t, near.Put(t.Context(), "large", bytes.NewReader(content)))
	o, err := dial(t, Options{URL: wire.URL(), Times: patient}).Objects(t.Context(), Checkouts)
	require.NoError(t, err)

	r, err := o.Get(t.Context(), "large")
	require.NoError(t, err)
	got := make([]byte, len(content))
	_, err = io.ReadFull(r, got[:1000])
	require.NoError(t, err)
	wire.Break()
	wire.Heal()
	_, err = io.ReadFull(r, got[1000:])
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, got))
	_, err = r.Read(got)
	require.ErrorIs(t, err, io.EOF)

	ctx, cancel := context.WithCancelCause(t.Context())
	r, err = o.Get(ctx, "large")
	require.NoError(t, err)
	_, err = io.ReadFull(r, got[:1000])
	require.NoError(t, err)
	wire.Cut()
	why := errors.New("enough")
	cancel(why)
	_, err = io.Copy(io.Discard, r)
	require.ErrorIs(t, err, why)
	wire.Heal()
}
