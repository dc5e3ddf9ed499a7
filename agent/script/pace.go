package script

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Pace is how fast a scripted model answers: the time that one word takes. All
// its other waits are a number of words long.
type Pace time.Duration

// The two paces that need no number.
const (
	// Default can be read along: a short step takes two to three seconds.
	Default = Pace(45 * time.Millisecond)
	// Immediate never waits. It is for tests.
	Immediate Pace = 0
)

const (
	slowest     = Pace(time.Minute) // what ParsePace takes
	thoughtFrom = 30                // words that would fit before the first one, at least
	thoughtMore = 20                // and at most so many more
	callWords   = 10                // words that writing a call takes
	answerWords = 120               // a longer answer takes no longer than this many
)

// ParsePace reads a pace: how many times as fast as Default ("4x", "0.5x"), the
// time of one word ("20ms"), or "0" for Immediate. The error says so.
func ParsePace(text string) (Pace, error) {
	wrong := fmt.Errorf(`pace %q: must be a factor ("4x" is four times as fast), the time of one word ("20ms"), or 0 for no waiting`, text)
	if factor, ok := strings.CutSuffix(text, "x"); ok {
		times, err := strconv.ParseFloat(factor, 64)
		if err != nil || !(times > 0) || math.IsInf(times, 1) || float64(Default)/times > float64(slowest) {
			return 0, wrong
		}
		return Pace(float64(Default) / times), nil
	}
	word, err := time.ParseDuration(text)
	if err != nil || word < 0 || Pace(word) > slowest {
		return 0, wrong
	}
	return Pace(word), nil
}

// words is how long so many words take.
func (p Pace) words(n int) time.Duration { return time.Duration(p) * time.Duration(n) }

// word is how long each word of an answer takes, so that a long one stays bearable.
func (p Pace) word(of int) time.Duration {
	if of <= answerWords {
		return time.Duration(p)
	}
	return p.words(answerWords) / time.Duration(of)
}

// latency is the wait before the first word. It differs from request to request,
// so that subagents do not move in step, and is the same for the same request.
func (p Pace) latency(seed uint64) time.Duration {
	return p.words(thoughtFrom + int(seed%(thoughtMore+1)))
}
