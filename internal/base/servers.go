package base

import (
	"maps"
	"slices"
	"time"

	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/internal/models"
	"pawl/tools/mcp"
)

// ServersOf returns the user's own MCP servers, sorted by name.
func ServersOf(s settings.Settings) []mcp.Spec {
	var specs []mcp.Spec
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if one := s.MCP[name]; one.On() {
			specs = append(specs, mcp.Spec{
				Name: name, From: "config.toml", Command: one.Command, URL: one.URL,
				Env: one.Env, Headers: one.Headers, Limit: time.Duration(one.Timeout), Start: time.Duration(one.StartTimeout),
			})
		}
	}
	return specs
}

// NewServers returns the MCP servers of a session, none started yet. It sets the options that
// are always the same.
func NewServers(o mcp.Options) *mcp.Servers {
	o.HTTP, o.Withheld, o.Version = wire.Client(), models.Variables(), VersionText()
	return mcp.New(o)
}
