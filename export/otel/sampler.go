package otel

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// sampler says of which traces spans are sent: all of one, or none.
type sampler struct {
	obedient bool   // a parent's decision counts before this one
	below    uint64 // of 2⁶³: traces whose id is lower are sent
}

const always = 1 << 63

// readSampler reads OTEL_TRACES_SAMPLER and _ARG. A warning is a line about what is passed
// over.
func readSampler(name, arg string) (s sampler, warning string) {
	s = sampler{obedient: true, below: always}
	switch name {
	case "", "parentbased_always_on":
	case "always_on":
		s.obedient = false
	case "always_off":
		s = sampler{}
	case "parentbased_always_off":
		s.below = 0
	case "traceidratio", "parentbased_traceidratio":
		s.obedient = name != "traceidratio"
		ratio, err := strconv.ParseFloat(arg, 64)
		switch {
		case arg == "":
		case err != nil || math.IsNaN(ratio) || ratio < 0 || ratio > 1:
			warning = fmt.Sprintf("OTEL_TRACES_SAMPLER_ARG=%q is not a number from 0 to 1: all traces are sent", arg)
		default:
			s.below = uint64(ratio * always)
		}
	default:
		warning = fmt.Sprintf("OTEL_TRACES_SAMPLER=%q is not supported: parentbased_always_on is used", name)
	}
	return s, warning
}

// keeps decides about a trace. All who sample by its id decide alike.
func (s sampler) keeps(trace traceID, of parent) bool {
	if s.obedient && !of.none() && of.trace == trace {
		return of.sampled
	}
	return binary.BigEndian.Uint64(trace[8:])>>1 < s.below
}
