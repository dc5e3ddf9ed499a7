//go:build linux

package machines

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The recipe is played as docs/recipes.md says it, but that the other machine is this one, and its port
// any that is free.
func TestRecipeTwoMachines(t *testing.T) {
	t.Parallel()
	_, err := harness.Build("pawl-server", "./internal/server") // beside it
	require.NoError(t, err)
	s := set(t, away(true), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
	})
	s.Env = slices.DeleteFunc(s.Env, func(v string) bool { return strings.HasPrefix(v, "PAWL_REMOTE_NATS=") })
	s.With("PAWL_MODEL=" + s.Model)
	r := harness.ReadRecipe(t, "Two machines")
	serve, there := strings.CutPrefix(r.Steps[0].Command, "pawl worker ")
	require.True(t, there)
	m := s.worker(t, strings.Fields(strings.Replace(serve, ":4222", ":0", 1))...)
	for _, want := range r.Steps[0].See {
		require.Contains(t, m.says(), want)
	}
	fetch := regexp.MustCompile(`mkdir -p ~/.config/pawl; scp .*`).FindString(m.says())
	require.NotEmpty(t, fetch, m.says())
	config := filepath.Join(harness.Variable(s.Env, "HOME"), ".config")
	require.NoError(t, os.MkdirAll(config, 0o700))
	s.Configured(t, strings.Replace(r.Blocks["toml"], "build.example:4222", "127.0.0.1:"+regexp.MustCompile(`tls://\S+:(\d+)`).FindStringSubmatch(m.says())[1], 1))
	require.NoError(t, os.Symlink(filepath.Join(s.Home, "config"), filepath.Join(config, "pawl")))
	out, err := s.Shell(t, `scp() { cp "${1#*:}" "$2"; }; `+fetch).CombinedOutput()
	require.NoError(t, err, string(out))

	x, _ := s.Play(t, nil, r.Steps[1:], strings.NewReplacer())
	x.See("builder", "on "+machineName(t), "I have dug halfway")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.StopCard()
	require.Eventually(t, func() bool { return len(m.places()) == 0 }, modeltest.Patience, 20*time.Millisecond)
	require.Equal(t, 0, quit(x))
	m.end(t)
	require.Eventually(t, func() bool { return len(m.processes()) == 0 }, modeltest.Patience, 20*time.Millisecond)
}
