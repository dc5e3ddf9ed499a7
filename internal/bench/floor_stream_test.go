package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// What cannot be undercut, beside the rows of the table: each does the least that any program on this
// machine has to do for the same. `go test -run '^$' -bench '^BenchmarkFloor' ./internal/bench`.

// BenchmarkFloorFlush writes a page to a file and flushes it, as each commit does at least once.
func BenchmarkFloorFlush(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	require.NoError(b, err)
	page := make([]byte, 4096)
	var times []float64
	for b.Loop() {
		begun := time.Now()
		_, err := file.Write(page)
		require.NoError(b, err)
		require.NoError(b, file.Sync())
		times = append(times, milliseconds(time.Since(begun)))
	}
	require.NoError(b, file.Close())
	b.ReportMetric(percentile(times, 0.5), "ms/p50")
	b.ReportMetric(percentile(times, 0.99), "ms/p99")
}

// BenchmarkFloorDecoding decodes the events of 20,000 tokens with encoding/json into the one field
// that a token is in: no check of names, nothing kept, no network, no screen.
func BenchmarkFloorDecoding(b *testing.B) {
	fields := map[string]func() any{
		"anthropic": func() any { return new(struct{ Delta struct{ Text string } }) },
		"openai":    func() any { return new(struct{ Delta json.RawMessage }) },
		"openai-chat": func() any {
			return new(struct {
				Choices []struct{ Delta struct{ Content string } }
			})
		},
		"gemini": func() any {
			return new(struct {
				Candidates []struct {
					Content struct{ Parts []struct{ Text string } }
				}
			})
		},
	}
	for _, p := range modeltest.Protocols() {
		stream := modeltest.Spell(p, modeltest.Reply{Text: tokens(20000)}).Bytes
		b.Run(p.Name, func(b *testing.B) {
			spent := processorTime(os.Getpid())
			for b.Loop() {
				for line := range bytes.Lines(stream) {
					if data, is := bytes.CutPrefix(line, []byte("data: ")); is && data[0] == '{' {
						require.NoError(b, json.Unmarshal(data, fields[p.Name]()))
					}
				}
			}
			b.ReportMetric((processorTime(os.Getpid())-spent).Seconds()/float64(b.N), "cpu-s")
		})
	}
}

// floorRecords is how long the session is whose export is read.
const floorRecords = 100_000

// BenchmarkFloorExport decodes and encodes each line of an export once with encoding/json, without
// looking into what it records: no database, no mask.
func BenchmarkFloorExport(b *testing.B) {
	home := b.TempDir()
	root, file := writeRecords(b, home, floorRecords), filepath.Join(home, "floor.json")
	exportPeak(b, home, "export", root, "--format", "json", "--force", "-o", file)
	type line struct {
		Seq                      int64
		Time                     time.Time
		Root, Session, Run, Kind string
		Event                    string
		Data                     json.RawMessage
	}
	spent := processorTime(os.Getpid())
	for b.Loop() {
		in, err := os.Open(file)
		require.NoError(b, err)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var one line
			if text := bytes.TrimRight(lines.Bytes(), ","); json.Unmarshal(text, &one) == nil {
				_, err := json.Marshal(one)
				require.NoError(b, err)
			}
		}
		require.NoError(b, in.Close())
	}
	b.ReportMetric((processorTime(os.Getpid())-spent).Seconds()/float64(b.N)*millionRecords/floorRecords, "cpu-s/million")
}
