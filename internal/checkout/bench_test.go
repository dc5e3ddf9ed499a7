package checkout

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// large is a checkout of 200 MB in 2000 files.
func large(b testing.TB, files, size int) string {
	top := realFolder(b)
	gittest.Run(b, top, "init", "-q", "-b", "main", ".")
	text := make([]byte, size)
	for i := range files {
		_, _ = rand.Read(text)
		folder := filepath.Join(top, fmt.Sprint(i%40))
		require.NoError(b, os.MkdirAll(folder, 0o700))
		require.NoError(b, os.WriteFile(filepath.Join(folder, fmt.Sprint(i)), text, 0o600))
	}
	gittest.Run(b, top, "add", ".")
	gittest.Run(b, top, "commit", "-q", "-m", "all")
	return top
}

// BenchmarkKnownCheckout is what a run costs whose checkout both sides know, and that changes nothing: at
// the host, and at the worker.
func BenchmarkKnownCheckout(b *testing.B) {
	for name, top := range map[string]func() string{
		"small": func() string { return checkout(b) },
		"dirty": func() string { top := checkout(b); dirty(b, top); return top },
		"200MB": func() string { return large(b, 2000, 100<<10) },
	} {
		b.Run(name, func(b *testing.B) {
			s := newScene(b, top(), "")
			run := s.run("bench")
			s.whole(run, func(*Checkout) {})
			timer(b, fineMoment)
			var host, worker, end time.Duration
			for i := range b.N {
				begun := time.Now()
				ref := s.send(run)
				host += time.Since(begun)
				begun = time.Now()
				c := s.receive(ref, fmt.Sprint("bench", i))
				worker += time.Since(begun)
				begun = time.Now()
				result := s.result(c, "bench")
				end += time.Since(begun)
				require.True(b, result.Nothing())
				begun = time.Now()
				s.back(run, result)
				host += time.Since(begun)
				require.NoError(b, c.Close(true))
			}
			b.ReportMetric(float64(host.Microseconds())/1000/float64(b.N), "host-ms/op")
			b.ReportMetric(float64(worker.Microseconds())/1000/float64(b.N), "worker-ms/op")
			b.ReportMetric(float64(end.Microseconds())/1000/float64(b.N), "result-ms/op")
		})
	}
}

// timer waits until files that were written before are told from those that are written from now on.
func timer(b testing.TB, d time.Duration) {
	ctx, cancel := context.WithTimeout(b.Context(), d)
	defer cancel()
	<-ctx.Done()
}

// BenchmarkLargeCheckout is what a change of 1 MB in a checkout of 200 MB sends there and back.
func BenchmarkLargeCheckout(b *testing.B) {
	top := large(b, 2000, 100<<10)
	s := newScene(b, top, "")
	s.whole(s.run("first"), func(*Checkout) {})
	change := func(folder string) {
		text := make([]byte, 1<<20)
		_, _ = rand.Read(text)
		require.NoError(b, os.WriteFile(filepath.Join(folder, "changed"), text, 0o600))
	}
	b.ResetTimer()
	for i := range b.N {
		s.checkouts.put, s.results.put = 0, 0
		change(top)
		run := s.run(fmt.Sprint("change", i))
		s.whole(run, func(c *Checkout) { change(c.Place.Folder) })
		b.ReportMetric(float64(s.checkouts.put)/1e6, "MB-sent")
		b.ReportMetric(float64(s.results.put)/1e6, "MB-back")
		require.Less(b, s.checkouts.put, int64(1500<<10))
		require.Less(b, s.results.put, int64(1500<<10))
	}
}
