package wiretest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// others are bytes that have a meaning in a stream, and some that have none.
const others = ":\n\"}{ ,x\x00\r\\0"

// Garble changes each byte of the stream or inserts one before it, alternately; with
// PAWL_SOAK it does both, with many bytes.
func (b Bench) Garble(t *testing.T) {
	t.Parallel()
	want := withoutCounts(b.recorded(t))
	soak, changes := soaktest.Wanted(), 0
	for at := range len(b.Stream) {
		for i, by := range b.replacements(at, soak) {
			if soak || (at+i)%3 > 0 {
				b.garbled(t, want, b.Stream[:at]+string([]byte{by})+b.Stream[at+1:], at, by)
				changes++
			}
			if soak || (at+i)%3 == 0 {
				b.garbled(t, want, b.Stream[:at]+string([]byte{by})+b.Stream[at:], at, by)
				changes++
			}
		}
	}
	soaktest.Tried(t, changes, "streams with a byte changed or inserted")
}

func (b Bench) replacements(at int, soak bool) []byte {
	was := b.Stream[at]
	all := []byte(others)
	for bit := range 8 {
		all = append(all, was^1<<bit)
	}
	if soak {
		return all
	}
	return all[at%len(all):][:1]
}

func (b Bench) garbled(t *testing.T, want any, stream string, at int, by byte) {
	t.Helper()
	answer, err := b.ask(t.Context(), t, b.playing(stream))
	if err != nil || b.sameForm(b.Stream, stream) {
		return
	}
	require.Equal(t, want, withoutCounts(answer), "byte %d by %q: …%q…", at, by, stream[max(0, at-30):min(len(stream), at+30)])
}
