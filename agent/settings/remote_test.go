package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAServerOfOtherMachinesIsAnAddressWithoutAPassword(t *testing.T) {
	for address, want := range map[string]string{
		"nats://build.example:4222": "", "tls://10.0.0.5": "", "nats://a:4222,nats://b:4222": "", "wss://hub.example/": "",
		"build.example:4222":        `remote.nats "build.example:4222": must be the address of a NATS server`,
		"https://build.example":     "must be the address of a NATS server",
		"nats://":                   "must be the address of a NATS server",
		"nats://a,":                 "must be the address of a NATS server",
		"nats://me:CANARY@build:42": "must hold no name and no password",
	} {
		_, err := Load(file(t, "[remote]\nnats = \""+address+"\""), nil)
		if want == "" {
			require.NoError(t, err, address)
			continue
		}
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, ":2: ", "the line")
		require.NotContains(t, err.Error(), "CANARY")
	}
}

func TestWhatElseIsWrongWithRemoteIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"[remote]\ncreds = \"a.creds\"": `remote.creds "a.creds": must be the full path`,
		"[remote]\nca = \"ca.pem\"":     `remote.ca "ca.pem": must be the full path`,
		"[remote]\nworkers = \"keys\"":  `remote.workers "keys": must be the full path`,
		"[remote]\nkeys = \"lent\"":     `remote.keys "lent": must be worker or lend; did you mean "lend"?`,
		"[remote]\nnat = \"nats://x\"":  `unknown setting "remote.nat"; did you mean "remote.nats"?`,
		"[limits]\nmax_remote = 0":      "limits.max_remote 0: must be a number from 1 to 1000",
		"[limits]\nmax_remote = 1001":   "limits.max_remote 1001",
	} {
		_, err := Load(file(t, text), nil)
		require.ErrorContains(t, err, want)
	}
}

// Whoever names the server is sent checkouts.
func TestNoProjectNamesAServerOfOtherMachines(t *testing.T) {
	p := projectSaying(t, "[remote]\nnats = \"nats://elsewhere:4222\"\nkeys = \"lend\"")
	require.Equal(t, defaults(), p.ApplyTo(defaults()))
	used, unused := p.Preview(defaults())
	require.Empty(t, used)
	require.Equal(t, []string{".pawl/config.toml:3: remote.keys cannot be set by a project", ".pawl/config.toml:2: remote.nats cannot be set by a project"}, linesOf(unused))
}

func TestCredentialsAreLookedForInTheConfigFolder(t *testing.T) {
	folders := Folders{Config: t.TempDir(), Data: t.TempDir()}
	require.Empty(t, Remote{}.CredsFile(folders))
	require.NoError(t, os.Mkdir(folders.Server(), 0o700))
	own := filepath.Join(folders.Server(), "remote.creds")
	require.NoError(t, os.WriteFile(own, nil, 0o600))
	require.Equal(t, own, Remote{}.CredsFile(folders), "those of the server that was started here")
	require.NoError(t, os.WriteFile(folders.RemoteCreds(), nil, 0o600))
	require.Equal(t, filepath.Join(folders.Config, "remote.creds"), Remote{}.CredsFile(folders))
	require.Equal(t, "/k/x.creds", Remote{Creds: "/k/x.creds"}.CredsFile(folders))
}

func TestAnExportSaysThatRunsMayBeRemoteAndNotWhere(t *testing.T) {
	s, err := Load(file(t, "remote = { nats = \"nats://CANARY:4222\", creds = \"/CANARY\" }"), nil)
	require.NoError(t, err)
	said := s.InForce()
	require.Equal(t, []any{"worker", 100}, []any{said["remote.keys"], said["limits.max_remote"]})
	require.NotContains(t, said, "remote.nats")
	require.NotContains(t, said, "remote.creds")
}
