package agent

import (
	"bytes"
	"slices"

	"pawl/lifecycle"
)

// offer moves hidden tools to the end of those that the model is told of: what stands before them in
// a request stays the same, for caches. No call of the run is at work.
func (t *activeRun) offer(names []string) {
	for _, name := range names {
		i := slices.IndexFunc(t.kit.Hidden, func(tool Tool) bool { return tool.Spec.Name == name })
		if i < 0 {
			continue // offered already, or its server is gone
		}
		t.kit.Tools = append(slices.Clip(t.kit.Tools), t.kit.Hidden[i])
		t.kit.Hidden = slices.Delete(slices.Clone(t.kit.Hidden), i, i+1)
	}
}

// offersIn lists the tools that a session has been offered, in their order, also before a summary.
func offersIn(entries []lifecycle.Entry) (names []string) {
	for _, entry := range entries {
		if entry.Kind != lifecycle.EntryToolResult || !bytes.Contains(entry.Body, []byte(`"offers":`)) {
			continue
		}
		if m, err := DecodeEntry(entry); err == nil { // an error is reported with the transcript
			names = append(names, m.Parts[0].Result.Offers...)
		}
	}
	return names
}

// ToolTokens is about how many tokens a tool takes in each request.
func ToolTokens(spec ToolSpec) int64 {
	return tokens(len(spec.Name) + len(spec.Description) + len(spec.Schema))
}
