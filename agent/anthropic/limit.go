package anthropic

import (
	"cmp"

	"pawl/agent"
)

// Bounds of an answer that nobody has set, in tokens. The newest models can give
// twice the first, but an answer that long is a run that went astray. A compatible
// server's own models get the second, the least that those in use take: some refuse
// more.
const (
	maxKnown   = 64_000
	maxUnknown = 8192
)

// limit is how many tokens an answer may have: what was asked for, or what the
// model can give, since the API requires a figure. A Claude that is not known yet
// gives at least as much as its elders.
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
