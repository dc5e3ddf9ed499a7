package anthropic

import (
	"cmp"

	"pawl/agent"
)

// Limits of an answer if nobody has set one, in tokens. The newest models allow twice the
// first, but an answer that long is a run gone astray. A compatible server's own models
// get the second, the lowest limit in use, because some refuse more.
const (
	maxKnown   = 64_000
	maxUnknown = 8192
)

// limit is the most tokens that an answer may have: what was asked for, or what the model
// can give, since the API requires a number. An unknown Claude can give at least as much
// as older ones.
func limit(model string, asked int) int64 {
	if asked > 0 {
		return int64(asked)
	}
	name := bareName(model)
	output := agent.InfoOf(Name + "/" + name).Output
	if output == 0 && !isClaude(name) {
		output = maxUnknown
	}
	return int64(min(cmp.Or(output, maxKnown), maxKnown))
}
