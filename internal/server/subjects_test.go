package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
	"pawl/internal/natstest"
)

// Whoever administers a server gives users what docs/machines.md names, and no more.
func TestAUserNeedsTheSubjectsOfThePageAlone(t *testing.T) {
	page, err := os.ReadFile("../../docs/machines.md")
	require.NoError(t, err)
	named := regexp.MustCompile(`(?m)^pawl\.> .*$`).FindString(string(page))
	subjects := &server.SubjectPermission{Allow: strings.Fields(named)}
	require.Len(t, subjects.Allow, 7)
	user := natstest.NewCreds(t, filepath.Join(t.TempDir(), "user.nk"))
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		Nkeys: []*server.NkeyUser{{Nkey: user.Key, Permissions: &server.Permissions{Publish: subjects, Subscribe: subjects}}},
	})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	defer s.WaitForShutdown()
	defer s.Shutdown()

	warned := make(chan string, 10)
	link, err := machines.Dial(t.Context(), machines.Options{
		URL: "nats://" + s.Addr().(*net.TCPAddr).String(), Creds: user.File, Warn: func(line string) { warned <- line },
	})
	require.NoError(t, err)
	defer link.Close()
	require.NoError(t, link.Announce(t.Context(), machines.WorkerInfo{ID: "1", Name: "one"}))
	workers, err := link.Workers(t.Context())
	require.NoError(t, err)
	require.Len(t, workers, 1)
	for _, name := range []string{machines.Checkouts, machines.Results} {
		bucket, err := link.Objects(t.Context(), name)
		require.NoError(t, err)
		require.NoError(t, bucket.Put(t.Context(), "a/b", strings.NewReader("content")))
		from, err := bucket.Get(t.Context(), "a/b")
		require.NoError(t, err)
		require.NoError(t, from.Close())
		require.NoError(t, bucket.Delete(t.Context(), "a/b"))
	}
	job := machines.Job{Attempt: machines.Attempt{Run: "run", Number: 1}, Root: "root", Protocol: 1}
	_, err = link.Enqueue(t.Context(), job)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	d, err := link.Queues(1, nil)[0].Next(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Confirm(ctx))
	d.Ack()
	require.NoError(t, link.Withdraw(t.Context(), job))
	stop, err := link.Serve(machines.ToHost("root", "*"), func(r *machines.Request) { r.Reply([]byte("yes")) })
	require.NoError(t, err)
	defer stop()
	answer, err := link.Ask(ctx, machines.ToHost("root", machines.KindBeat), nil)
	require.NoError(t, err)
	require.Equal(t, "yes", string(answer))
	_, err = link.Report(ctx)
	require.NoError(t, err)
	require.Empty(t, warned)
}
