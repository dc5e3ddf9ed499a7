package filestore

import (
	"bytes"
	"fmt"
	"path/filepath"
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
