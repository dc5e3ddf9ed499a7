package mcp

import (
	"context"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// way is how a server is reached: what the SDK speaks over, and what ends it by
// force.
type way struct {
	transport sdk.Transport
	// cut ends it at once: whatever reads or writes on it returns, a program is
	// asked to end and then killed. It does not wait, and may be called again.
	cut func()
	// gone is closed when nothing of it is left, 2 s after cut at the latest.
	gone <-chan struct{}
	// words says how it ended and what its last words were, each in one line;
	// empty where nothing is known. Ask when gone is closed.
	words func() (ended, said string)
	// said is the newest line of its standard error.
	said func() string
	// heard is what it sends beside what the SDK hands on.
	heard *hearing
}

// reach makes the way to a server, whose specification has its variables put in.
// It ends with life.
func (o Options) reach(life context.Context, s Spec) (way, error) {
	if len(s.Command) == 0 {
		return overHTTP(life, o.HTTP, s), nil
	}
	return o.overPipes(life, s)
}

// environ is an environment's entries in a fixed order.
func environ(of map[string]string) []string {
	var list []string
	for name, value := range of {
		list = append(list, fmt.Sprintf("%s=%s", name, value))
	}
	slices.Sort(list)
	return list
}
