package filestore

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkKeepWhole keeps a new file of 100 KB.
func BenchmarkKeepWhole(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), "session"))
	defer s.Close()
	text := []byte(lines(2000))[:100_000]
	b.SetBytes(int64(len(text)))
	for i := 0; b.Loop(); i++ {
		copy(text, fmt.Sprintf("%010d", i))
		if _, err := s.Keep(text, ""); err != nil {
			s.Close()
			b.StopTimer()
			_ = Remove(s.Folder())
			b.StartTimer()
		}
	}
}

// BenchmarkKeepEdit keeps a file of 100 KB after one line of it was changed.
func BenchmarkKeepEdit(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), "session"))
	defer s.Close()
	text := []byte(lines(2000))[:100_000]
	like := ""
	b.SetBytes(int64(len(text)))
	for i := 0; b.Loop(); i++ {
		text = bytes.Clone(text)
		copy(text[50_000:], fmt.Sprintf("%010d", i))
		hash, err := s.Keep(text, like)
		if err != nil {
			b.Fatal(err)
		}
		like = hash
	}
}

// BenchmarkSizeOfEdits keeps a file of 100 KB after each of 1,000 edits, and says how many times what they
// wrote that takes, without the file itself.
func BenchmarkSizeOfEdits(b *testing.B) {
	for _, one := range []struct{ bytes, places int }{{10, 1}, {20, 1}, {40, 1}, {100, 1}, {10, 5}, {100, 5}} {
		b.Run(fmt.Sprintf("%d bytes in %d places", one.bytes, one.places), func(b *testing.B) {
			for b.Loop() {
				s := New(filepath.Join(b.TempDir(), "session"))
				text := []byte(lines(2000))[:100_000]
				like, err := s.Keep(text, "")
				if err != nil {
					b.Fatal(err)
				}
				first := s.end
				for i := range 1000 {
					text = bytes.Clone(text)
					for place := range one.places {
						edit := strings.Repeat(Hash(fmt.Append(nil, i, place)), 2)[:one.bytes] // which cannot be compressed much
						copy(text[(i*7919+place*19_997)%(len(text)-one.bytes):], edit)
					}
					if like, err = s.Keep(text, like); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.end-first)/float64(1000*one.bytes*one.places), "times")
				s.Close()
			}
		})
	}
}

// BenchmarkReadLongChain reads a file of 100 KB whose last edit stands at the end of a long chain.
func BenchmarkReadLongChain(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), "session"))
	defer s.Close()
	text := []byte(lines(2000))[:100_000]
	like := ""
	for i := range maxDepth {
		text = bytes.Clone(text)
		copy(text[(i*7919)%90_000:], fmt.Sprintf("%010d", i))
		hash, err := s.Keep(text, like)
		if err != nil {
			b.Fatal(err)
		}
		like = hash
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.recent = nil
		if _, err := s.Read(like); err != nil {
			b.Fatal(err)
		}
	}
}
