package natstest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
)

// Server is a NATS server with JetStream on loopback.
type Server struct {
	t       testing.TB
	options *server.Options
	running *server.Server
	files   string // a folder for keys and certificates
	scheme  string
	ca      string
	creds   []Creds
}

// Creds are a user's, in a file of the kind that Pawl and NATS read.
type Creds struct {
	File string
	Key  string // the public one
}

// Option changes a server before it is started.
type Option func(*Server)

// Start starts a server, which ends with the test.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	s := &Server{t: t, files: t.TempDir(), scheme: "nats", options: &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		SyncInterval: time.Minute,
	}}
	for _, option := range options {
		option(s)
	}
	s.Restart()
	s.options.Port = s.running.Addr().(*net.TCPAddr).Port
	t.Cleanup(s.Stop)
	return s
}

// WithoutJetStream leaves JetStream out.
func WithoutJetStream() Option {
	return func(s *Server) { s.options.JetStream = false }
}

// WithStore limits what JetStream stores in files, in bytes.
func WithStore(bytes int64) Option {
	return func(s *Server) { s.options.JetStreamMaxStore = bytes }
}

// WithUsers lets so many users in, and nobody else: Creds has their files.
func WithUsers(n int) Option {
	return func(s *Server) {
		for i := range n {
			creds := NewCreds(s.t, filepath.Join(s.files, fmt.Sprintf("user-%d.nk", i+1)))
			s.creds = append(s.creds, creds)
			s.options.Nkeys = append(s.options.Nkeys, &server.NkeyUser{Nkey: creds.Key})
		}
	}
}

// NewCreds makes a user and writes its seed to a file. No server knows it yet.
func NewCreds(t testing.TB, file string) Creds {
	t.Helper()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	seed, err := pair.Seed()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(seed, '\n'), 0o600))
	public, err := pair.PublicKey()
	require.NoError(t, err)
	return Creds{file, public}
}

// Creds are those of the n-th user, from 0.
func (s *Server) Creds(n int) Creds { return s.creds[n] }

// URL is the server's address, the same for all its life.
func (s *Server) URL() string { return s.scheme + "://" + s.Address() }

// Address is its host and port.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.options.Port) }

// CA is the file with the certificate of a server that was started WithTLS.
func (s *Server) CA() string { return s.ca }

// Stop ends the server; all connections break. What it has stored stays.
func (s *Server) Stop() {
	if s.running != nil {
		s.running.Shutdown()
		s.running.WaitForShutdown()
		s.running = nil
	}
}

// Restart starts it again, with the same store and the same address.
func (s *Server) Restart() {
	s.t.Helper()
	s.Stop()
	running, err := server.NewServer(s.options.Clone())
	require.NoError(s.t, err)
	s.running = running
	go running.Start()
	require.True(s.t, running.ReadyForConnections(10*time.Second), "the server does not start")
}

// Connections is how many there are.
func (s *Server) Connections() int { return s.running.NumClients() }
