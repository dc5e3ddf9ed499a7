package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pawl/internal/regular"
	"pawl/internal/system"
)

// readyIn is how long a server may take to be there. It reads what its streams hold.
const readyIn = time.Minute

// started is what pawl worker --serve reads of its server, on one line.
type started struct {
	URL   string `json:"url"`   // by which this machine reaches it
	Creds string `json:"creds"` // the file of the credentials
	Says  string `json:"says"`  // what a person is told
}

// serve runs the server until ctx ends; as a child until its input does.
func serve(ctx context.Context, o options, in io.Reader, out, errs io.Writer) error {
	if err := os.MkdirAll(o.folder, 0o700); err != nil {
		return err
	}
	release, err := hold(o.folder)
	if err != nil {
		return err
	}
	defer release()
	who, err := identify(o)
	if err != nil {
		return err
	}
	log := &logger{out: errs, fatal: make(chan error, 1)}
	s, err := start(o, who, log)
	if err != nil {
		return err
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if err := tell(o, who, s, out); err != nil {
		return err
	}
	if o.child {
		var left context.CancelFunc
		ctx, left = context.WithCancel(ctx)
		go func() {
			_, _ = io.Copy(io.Discard, in) // it ends with whoever has started this
			left()
		}()
	}
	select {
	case err = <-log.fatal:
		return err
	case <-ctx.Done():
		return nil
	}
}

// hold keeps a second server out of a folder.
func hold(folder string) (release func(), err error) {
	lock, err := regular.OpenWith(os.OpenFile, filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := system.LockFile(lock, system.LockNow); err != nil {
		_ = lock.Close() // the error that counts is there
		return nil, fmt.Errorf("another pawl-server has the folder %s: end that one first", folder)
	}
	return func() { _ = lock.Close() }, nil
}

func start(o options, who identity, log *logger) (*server.Server, error) {
	host, port, err := free(o)
	if err != nil {
		return nil, err
	}
	name, _ := os.Hostname() // without one it gets a name of its own
	const seconds = 5        // to shake hands: a slow line, a busy machine
	options := &server.Options{
		Host: host, Port: port, ServerName: name, NoSigs: true, AuthTimeout: seconds, TLSTimeout: seconds,
		JetStream: true, StoreDir: filepath.Join(o.folder, "jetstream"), Nkeys: []*server.NkeyUser{{Nkey: who.user}},
	}
	options.Cluster.NoAdvertise = true // its addresses inside a container or behind a router reach nobody
	if who.certificate != nil {
		options.TLS = true
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*who.certificate}, MinVersion: tls.VersionTLS13}
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	s.SetLogger(log, false, false)
	go s.Start()
	if s.ReadyForConnections(readyIn) && s.JetStreamEnabled() {
		return s, nil
	}
	s.Shutdown()
	s.WaitForShutdown()
	select {
	case err = <-log.fatal:
		return nil, err
	default:
		return nil, fmt.Errorf("the server was not ready after %s", readyIn)
	}
}

// free returns where the server can listen: its own words about a taken port are for its operator.
func free(o options) (host string, port int, err error) {
	var listener net.Listener
	for _, host = range listening(o.host) {
		listener, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(o.port))) //nolint:noctx // nothing is waited for
		if err == nil {
			break
		}
	}
	if err != nil {
		if wrong, is := errors.AsType[*net.OpError](err); is {
			err = wrong.Err
		}
		return "", 0, fmt.Errorf("cannot listen at %s: %w", net.JoinHostPort(o.host, strconv.Itoa(o.port)), err)
	}
	port = listener.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it is what was asked for
	return host, port, listener.Close()
}

// listening are the addresses for a host: all of a machine, where it has IPv6 and where it has not.
func listening(host string) []string {
	if host == "" {
		return []string{"::", "0.0.0.0"}
	}
	return []string{host}
}

// tell says where the server is, to a person or to the program that has started it.
func tell(o options, who identity, s *server.Server, out io.Writer) error {
	port := s.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // the server listens for TCP
	text := screen(o, who, port, hostNames())
	if !o.child {
		_, err := io.WriteString(out, text)
		return err
	}
	return json.NewEncoder(out).Encode(started{URL: address(o, cmp.Or(o.host, "127.0.0.1"), port), Creds: who.creds, Says: text})
}

func address(o options, host string, port int) string {
	scheme := "tls"
	if o.plain {
		scheme = "nats"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(port))
}
