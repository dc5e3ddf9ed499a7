package mcp

import (
	"context"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// link is a connection to a server below the SDK: the transport, and how to end it by force.
type link struct {
	transport sdk.Transport
	// cut ends it at once: all reads and writes return, and a program is told to end and then
	// killed. It does not wait and may be called again.
	cut func()
	// gone is closed when nothing of it is left, within 2 s of cut.
	gone <-chan struct{}
	// words returns how the program ended and its last output, one line each; empty if not
	// known. Call it when gone is closed.
	words func() (ended, said string)
	// said returns the newest line of its standard error.
	said func() string
	// observer holds what it sends that the SDK drops.
	observer *observer
}

// reach connects to a server whose variables are expanded. The connection ends with life.
func (o Options) reach(life context.Context, s Spec) (link, error) {
	if len(s.Command) == 0 {
		return o.overHTTP(life, s), nil
	}
	return o.overPipes(life, s)
}

func environ(of map[string]string) []string {
	var list []string
	for name, value := range of {
		list = append(list, fmt.Sprintf("%s=%s", name, value))
	}
	slices.Sort(list)
	return list
}
