package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
	"pawl/internal/system"
)

// startedServer is a server that a test has started as pawl worker --serve does.
type startedServer struct {
	started
	stop func() int // ends its input, and returns its exit code
	errs *bytes.Buffer
}

func startServer(t *testing.T, args ...string) startedServer {
	t.Helper()
	in, leave := io.Pipe()
	out, says := io.Pipe()
	s, code := startedServer{errs: &bytes.Buffer{}}, make(chan int, 1)
	go func() {
		code <- run(t.Context(), append([]string{"--child"}, args...), in, says, s.errs)
		_ = says.Close()
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err, s.errs)
	require.NoError(t, json.Unmarshal(line, &s.started))
	s.stop = func() int { _ = leave.Close(); return <-code }
	return s
}

func (s startedServer) dial(t *testing.T, creds string) (*machines.Link, error) {
	t.Helper()
	return machines.Dial(t.Context(), machines.Options{URL: s.URL, Creds: creds, Name: "test"})
}

func TestATeamBeginsWithAKeyAndACertificateThatNobodyElseHas(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "server")
	s := startServer(t, "--listen", "127.0.0.1:0", "--store", folder)
	require.Equal(t, filepath.Join(folder, "remote.creds"), s.Creds)
	link, err := s.dial(t, s.Creds)
	require.NoError(t, err)
	require.True(t, link.TLS())
	_, err = link.Workers(t.Context())
	require.NoError(t, err, "it has JetStream")
	link.Close()

	_, err = s.dial(t, "")
	require.ErrorContains(t, err, "is not trusted")
	seed, err := newSeed()
	require.NoError(t, err)
	own, err := os.ReadFile(s.Creds)
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "other.creds")
	require.NoError(t, os.WriteFile(other, append(seed, own[bytes.Index(own, []byte("-----BEGIN CERT")):]...), 0o600))
	_, err = s.dial(t, other)
	require.ErrorContains(t, err, "refuses the credentials in "+other)
	for _, name := range []string{seedFile, certificateFile, credsFile} {
		info, err := os.Stat(filepath.Join(folder, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.Equal(t, 0, s.stop())
}

func TestAServerThatIsStartedAgainIsTheSame(t *testing.T) {
	folder := t.TempDir()
	first := startServer(t, "--listen", "127.0.0.1:0", "--store", folder)
	creds, err := os.ReadFile(first.Creds)
	require.NoError(t, err)
	link, err := first.dial(t, first.Creds)
	require.NoError(t, err)
	bucket, err := link.Objects(t.Context(), machines.Checkouts)
	require.NoError(t, err)
	require.NoError(t, bucket.Put(t.Context(), "kept", strings.NewReader("all of it")))
	link.Close()
	require.Equal(t, 0, first.stop())

	again := startServer(t, "--listen", "127.0.0.1:0", "--store", folder)
	same, err := os.ReadFile(again.Creds)
	require.NoError(t, err)
	require.Equal(t, string(creds), string(same))
	link, err = again.dial(t, again.Creds)
	require.NoError(t, err)
	defer link.Close()
	bucket, err = link.Objects(t.Context(), machines.Checkouts)
	require.NoError(t, err)
	there, err := bucket.Has(t.Context(), "kept")
	require.NoError(t, err)
	require.True(t, there)
	require.Equal(t, 0, again.stop())
}

func TestWithoutTLSItIsForThisMachineAlone(t *testing.T) {
	s := startServer(t, "--listen", "127.0.0.1:0", "--store", t.TempDir(), "--no-tls")
	link, err := s.dial(t, s.Creds)
	require.NoError(t, err)
	require.False(t, link.TLS())
	require.Contains(t, s.Says, "Only this machine reaches it")
	link.Close()
	require.Equal(t, 0, s.stop())
}

func TestWhatKeepsAServerFromStartingIsOneLine(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing is waited for
	require.NoError(t, err)
	defer taken.Close()
	folder, broken := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(broken, seedFile), []byte("nothing"), 0o600))
	held := startServer(t, "--listen", "127.0.0.1:0", "--store", folder)
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"--lisen :4222":                          {system.ExitUsage, "unknown flag: --lisen"},
		"--listen 4222":                          {system.ExitUsage, `--listen "4222": must be HOST:PORT or :PORT, such as :4222`},
		"--listen :99999":                        {system.ExitUsage, "must be HOST:PORT"},
		"now":                                    {system.ExitUsage, `unexpected argument "now"`},
		"--no-tls":                               {system.ExitUsage, "--no-tls with :4222: without TLS, anyone on the network path"},
		"--cert x":                               {system.ExitUsage, "--cert and --key belong together"},
		"--cert x --key y":                       {system.ExitError, "the certificate x with the key y cannot be used"},
		"--listen " + taken.Addr().String():      {system.ExitError, "cannot listen at " + taken.Addr().String() + ": "},
		"--listen 127.0.0.1:0 --store " + folder: {system.ExitError, "another pawl-server has the folder " + folder},
		"--listen 127.0.0.1:0 --store " + broken: {system.ExitError, "user.seed holds no user's seed"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, want.code, run(t.Context(), strings.Fields(line), strings.NewReader(""), &out, &errs), line)
		require.Empty(t, out.String(), line)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
		require.Contains(t, errs.String(), want.says)
		require.True(t, strings.HasPrefix(errs.String(), "pawl-server: "), line)
	}
	require.Equal(t, 0, held.stop())
	var out bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"--help"}, nil, &out, nil))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, len(line), 92, line)
	}
}

func TestAScreenSaysWhatToDoOnTheOtherMachines(t *testing.T) {
	text := screen(options{port: 4222, folder: "/srv/pawl"}, identity{creds: "/srv/pawl/remote.creds"}, 4222, []string{"build.example", "10.0.0.5"})
	require.Contains(t, text, "scp build.example:/srv/pawl/remote.creds ~/.config/pawl/")
	require.Contains(t, text, "pawl worker --nats tls://build.example:4222\n")
	require.Contains(t, text, "write an address that reaches this machine: 10.0.0.5.")
	require.Contains(t, text, "[remote]\n  nats = \"tls://build.example:4222\"\n")
	require.LessOrEqual(t, strings.Count(text, "\n"), 20)
}
