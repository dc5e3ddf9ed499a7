//go:build linux

package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert" // it goes on where others wait
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/machines"
	"pawl/lifecycle"
)

// These measure what docs/machines.md counts with: what a server spends on each thing, in a process
// of its own, on loopback with TLS. go test -run '^$' -bench Server -benchtime 1x ./internal/server

// measured is a pawl-server whose process is looked at.
type measured struct {
	startedServer
	b     *testing.B
	pid   int
	store string
}

func measure(b *testing.B) *measured {
	b.Helper()
	path, err := harness.Build("pawl-server", "pawl/internal/server", "-race=false", "-ldflags=-s -w")
	require.NoError(b, err)
	m := &measured{b: b, store: b.TempDir()}
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), path, "--child", "--listen", "127.0.0.1:0", "--store", m.store)
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close() // which ends it
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(line, &m.started))
	m.pid = cmd.Process.Pid
	return m
}

func (m *measured) link() *machines.Link {
	m.b.Helper()
	link, err := m.dialFor("cost")
	require.NoError(m.b, err)
	m.b.Cleanup(link.Close)
	return link
}

func (m *measured) dialFor(name string) (*machines.Link, error) {
	return machines.Dial(m.b.Context(), machines.Options{URL: m.URL, Creds: m.Creds, Name: name})
}

// spent is the processor time of the server.
func (m *measured) spent() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.pid))
	require.NoError(m.b, err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / 100
}

// memory is what the server holds, in bytes.
func (m *measured) memory() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", m.pid))
	require.NoError(m.b, err)
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// disk is what lies in its folder, in bytes.
func (m *measured) disk() (size int) {
	require.NoError(m.b, filepath.WalkDir(m.store, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				size += int(info.Size())
			}
		}
		return nil // files come and go
	}))
	return size
}

// each reports what n things have cost the server, done side by side.
func (m *measured) each(n, beside int, do func(i int)) {
	m.b.Helper()
	cpu, memory, disk, began := m.spent(), m.memory(), m.disk(), time.Now()
	var group sync.WaitGroup
	next := make(chan int)
	for range beside {
		group.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	m.b.ReportMetric(float64(time.Since(began).Microseconds())/float64(n), "µs/op")
	m.b.ReportMetric(float64((m.spent()-cpu).Microseconds())/float64(n), "server-µs/op")
	m.b.ReportMetric(float64(m.memory()-memory)/float64(n), "memory-B/op")
	m.b.ReportMetric(float64(m.disk()-disk)/float64(n), "disk-B/op")
	m.b.ReportMetric(0, "ns/op")
}

func BenchmarkServerRequest(b *testing.B) {
	for name, beside := range map[string]int{"alone": 1, "beside": 32} {
		b.Run(name, func(b *testing.B) {
			m := measure(b)
			worker, host := m.link(), m.link()
			stop, err := host.Serve(machines.ToHost("root", "*"), func(r *machines.Request) { r.Reply([]byte("{}")) })
			require.NoError(b, err)
			defer stop()
			body := make([]byte, 300) // a beat, or a record
			m.each(20_000, beside, func(int) {
				_, err := worker.Ask(b.Context(), machines.ToHost("root", machines.KindBeat), body)
				require.NoError(b, err)
			})
		})
	}
}

func BenchmarkServerConnection(b *testing.B) {
	m := measure(b)
	m.each(1000, 8, func(i int) {
		link, err := m.dialFor(fmt.Sprintf("worker %d", i))
		if assert.NoError(b, err) {
			b.Cleanup(link.Close)
		}
	})
}

// A job that waits, and one that is taken and done.
func BenchmarkServerJob(b *testing.B) {
	m := measure(b)
	host, worker := m.link(), m.link()
	job := func(i int) machines.Job {
		return machines.Job{Attempt: machines.Attempt{Run: lifecycle.RunID(fmt.Sprintf("01a2b3c4-%020d", i)), Number: 1}, Root: "01a2b3c4-0000-0000-0000-000000000000", Protocol: 1}
	}
	const jobs = 10_000
	b.Run("queued", func(b *testing.B) {
		m.b = b
		m.each(jobs, 32, func(i int) {
			_, err := host.Enqueue(b.Context(), job(i))
			assert.NoError(b, err)
		})
	})
	b.Run("taken", func(b *testing.B) {
		m.b = b
		queue := worker.Queues(1, nil)[0]
		m.each(jobs, 1, func(int) {
			d, err := queue.Next(b.Context())
			if !assert.NoError(b, err) {
				return
			}
			assert.NoError(b, d.Confirm(b.Context()))
			d.Ack()
		})
	})
}

// A queue that nobody had asked for work yet: a worker with five labels asks 32 of them.
func BenchmarkServerQueue(b *testing.B) {
	m := measure(b)
	worker := m.link()
	const queues = 500
	m.each(queues, queues, func(i int) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		time.AfterFunc(3*time.Second, cancel)
		_, err := worker.Queues(1, []string{fmt.Sprintf("label%d", i)})[0].Next(ctx)
		assert.ErrorIs(b, err, context.Canceled)
	})
}

func BenchmarkServerWorkers(b *testing.B) {
	m := measure(b)
	worker := m.link()
	m.each(10_000, 32, func(i int) {
		info := machines.WorkerInfo{ID: fmt.Sprintf("id-%04d", i%1000), Name: "build.example", Machine: "build.example", Version: "0.12", Slots: 8, Labels: []string{"gpu", "linux"}}
		assert.NoError(b, worker.Announce(b.Context(), info))
	})
}

func BenchmarkServerObject(b *testing.B) {
	for _, size := range []int{0, 20 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			m := measure(b)
			bucket, err := m.link().Objects(b.Context(), machines.Checkouts)
			require.NoError(b, err)
			content := make([]byte, size)
			_, err = rand.Read(content)
			require.NoError(b, err)
			n := 3000
			if size > 1<<19 {
				n = 200
			}
			m.each(n, 8, func(i int) {
				assert.NoError(b, bucket.Put(b.Context(), fmt.Sprintf("0123456789abcdef/%06d", i), strings.NewReader(string(content))))
			})
		})
	}
}
