package wire

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPulseBeatsWhileBytesComeAndNotForEver(t *testing.T) {
	now, beats := time.Now(), 0
	p := NewPulse(func() time.Time { return now }, func() { beats++ })
	body := p.Body(io.NopCloser(strings.NewReader(strings.Repeat("p", 1000))))
	read := func(after time.Duration) int {
		now = now.Add(after)
		before := beats
		_, err := body.Read(make([]byte, 1))
		require.NoError(t, err)
		return beats - before
	}
	require.Equal(t, 0, read(time.Second), "text comes fast enough by itself")
	require.Equal(t, 1, read(4*time.Second))
	require.Equal(t, 0, read(time.Second))
	require.Equal(t, 1, read(15*time.Second))
	require.Equal(t, 1, read(9*time.Minute), "bytes alone are life for a while")
	require.Equal(t, 0, read(time.Minute), "and not for ever")
	p.Step()
	require.Equal(t, 1, read(10*time.Second))
	_, _ = io.Copy(io.Discard, body)
	now = now.Add(time.Minute)
	before := beats
	_, err := body.Read(make([]byte, 1))
	require.Equal(t, io.EOF, err)
	require.Equal(t, before, beats, "an end is no byte")
}
