package otel

import (
	"encoding/hex"
	"strings"
)

// parent is the span that Pawl itself was started in, such as a job's in CI: what the
// variables TRACEPARENT and TRACESTATE say by W3C Trace Context. The zero value is none.
type parent struct {
	at
	sampled bool
	state   string
}

// longestState is how much of a tracestate everybody must pass on, in bytes.
const longestState = 512

// readParent reads the two. ok is false of one that means nothing; what is not set is fine.
func readParent(traceparent, tracestate string) (p parent, ok bool) {
	if traceparent == "" {
		return p, true
	}
	parts := strings.Split(strings.TrimSpace(traceparent), "-")
	if len(parts) < 4 || parts[0] == "ff" || parts[0] == "00" && len(parts) != 4 {
		return p, false
	}
	var version, flags [1]byte
	for i, into := range [][]byte{version[:], p.trace[:], p.span[:], flags[:]} {
		if len(parts[i]) != 2*len(into) || strings.ToLower(parts[i]) != parts[i] {
			return parent{}, false
		}
		if _, err := hex.Decode(into, []byte(parts[i])); err != nil {
			return parent{}, false
		}
	}
	if p.trace == (traceID{}) || p.span == (spanID{}) {
		return parent{}, false
	}
	p.sampled = flags[0]&1 == 1
	if len(tracestate) <= longestState {
		p.state = strings.TrimSpace(tracestate)
	}
	return p, true
}

func (p parent) none() bool { return p.span == spanID{} }
