package base

import (
	"context"
	"maps"
	"slices"
	"time"

	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/tools/mcp"
	"pawl/tools/mcp/oauth"
	"pawl/tools/process"
)

// ServersOf returns the user's own MCP servers that are switched on, sorted by name.
func ServersOf(s settings.Settings) []mcp.Spec {
	return slices.DeleteFunc(AllServers(s), func(spec mcp.Spec) bool { return !s.MCP[spec.Name].On() })
}

// AllServers returns the user's own MCP servers, sorted by name.
func AllServers(s settings.Settings) []mcp.Spec {
	var specs []mcp.Spec
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		one := s.MCP[name]
		specs = append(specs, mcp.Spec{
			Name: name, From: "config.toml", Command: one.Command, URL: one.URL, Env: one.Env, Headers: one.Headers,
			ClientID: one.ClientID, ClientSecret: one.ClientSecret, Scopes: one.Scopes, Port: one.CallbackPort,
			Limit: time.Duration(one.Timeout), Start: time.Duration(one.StartTimeout),
		})
	}
	return specs
}

// tryLimit is how long each server may take to start where servers are only looked at, unless it
// has a limit of its own.
const tryLimit = 10 * time.Second

// TryServers starts servers, waits until each is ready or has failed, ends them, and returns how
// that went, in their order. Withheld is models.Set.Withheld.
func TryServers(ctx context.Context, w World, s settings.Settings, specs []mcp.Spec, withheld []string) []mcp.Status {
	servers := NewServers(mcp.Options{
		Folder: w.Folder, Environ: w.Environ, StartLimit: tryLimit,
		Launcher: &process.Launcher{Containment: process.Containment(s.Tools.Containment), Withheld: withheld}, Withheld: withheld,
	})
	defer servers.Close()
	servers.Start(specs...)
	servers.Settled(ctx)
	return servers.Status()
}

// NewServers returns the MCP servers of a session, none started yet. It sets the options that
// are always the same. Withheld is models.Set.Withheld.
func NewServers(o mcp.Options) *mcp.Servers {
	o.HTTP, o.Version, o.Logins = wire.Client(), VersionText(), Logins(settings.FindFolders())
	return mcp.New(o)
}

// Logins are the user's logins to MCP servers.
func Logins(folders settings.Folders) *oauth.Logins {
	return &oauth.Logins{Folder: folders.Logins(), Keys: Keys(folders)}
}
