package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// longestName is the longest name of a tool: some providers refuse longer ones, and all but
// letters, digits, _ and -.
const longestName = 64

// toolName is a tool's name for models. It depends only on the two names, so it is the same in
// every session, and no two tools share one. A name that had to be changed, or that another pair
// could produce, ends in a digest of the two.
func toolName(server, tool string) string {
	name := "mcp__" + server + "__" + strings.Map(fit, tool)
	clear := !strings.Contains(server, "__") && !strings.HasSuffix(server, "_")
	if clear && tool != "" && len(name) <= longestName && strings.HasSuffix(name, "__"+tool) {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	end := "_" + hex.EncodeToString(sum[:5])
	return name[:min(len(name), longestName-len(end))] + end
}

func fit(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
		return r
	}
	return '_'
}
