package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/remote"
	"pawl/agent/settings"
	"pawl/internal/machines"
	"pawl/internal/natstest"
)

// machinesSeen are the findings about other machines, by their names.
func machinesSeen(t *testing.T, own settings.Remote, offline bool) map[string]Finding {
	t.Helper()
	e := Examination{settings: settings.Settings{Remote: own}, offline: offline}
	e.examineMachines(t.Context())
	seen := map[string]Finding{}
	for _, s := range e.sections {
		for _, f := range s.Findings {
			seen[f.Name] = f
		}
	}
	return seen
}

func TestDoctorSaysNothingOfMachinesWhereNoServerIsSetUp(t *testing.T) {
	require.Empty(t, machinesSeen(t, settings.Remote{}, false))
}

func TestDoctorLooksAtTheServerAndItsWorkers(t *testing.T) {
	nats := natstest.Start(t, natstest.WithTLS(), natstest.WithUsers(1))
	own := settings.Remote{NATS: nats.URL(), Creds: nats.Creds(0).File, CA: nats.CA(), Keys: settings.KeysLend}
	link, err := machines.Dial(t.Context(), machines.Options{URL: own.NATS, Creds: own.Creds, CA: own.CA})
	require.NoError(t, err)
	defer link.Close()
	seen := machinesSeen(t, own, false)
	require.Equal(t, levelOK, seen["creds"].Level)
	require.Equal(t, nats.URL()+", with TLS", seen["server"].Says)
	require.Equal(t, []string{"its streams and buckets are made when they are needed"}, seen["JetStream"].More)
	require.Contains(t, seen["workers"].Do, "pawl worker --nats "+nats.URL())

	for _, w := range []machines.WorkerInfo{
		{ID: "1", Name: "build1", Version: "0.12", Protocol: remote.Protocol, Slots: 8, Busy: 3, Load: 2.5, Labels: []string{"gpu", "linux"}},
		{ID: "2", Name: "old", Version: "0.9", Protocol: remote.Protocol - 1, Slots: 4, Load: -1},
	} {
		require.NoError(t, link.Announce(t.Context(), w))
	}
	found := machinesSeen(t, own, false)["workers"]
	require.Equal(t, levelNote, found.Level)
	require.Equal(t, "2 workers, 3 of 8 slots taken", found.Says)
	require.Equal(t, "1 speaks another version: install the same Pawl on all machines", found.Do)
	require.Equal(t, []string{
		"build1: 3 of 8 slots taken, Pawl 0.12, load 2.5, labels gpu, linux", "old: 0 of 4 slots taken, Pawl 0.9, takes no runs of this version",
	}, found.More)
	require.Equal(t, "offline", last(machinesSeen(t, own, true)["server"].Says))

	require.NoError(t, os.Chmod(own.Creds, 0o644))
	require.Contains(t, machinesSeen(t, own, true)["creds"].Do, "chmod 600 ")
	own.Creds = filepath.Join(t.TempDir(), "none")
	require.Equal(t, levelProblem, machinesSeen(t, own, true)["creds"].Level)
	nats.Stop()
	own.Creds = nats.Creds(0).File
	gone := machinesSeen(t, own, false)["server"]
	require.Equal(t, levelProblem, gone.Level)
	require.Contains(t, gone.Says, "no NATS server answers at "+nats.URL())
	require.NotContains(t, gone.Says, "pawl doctor")
}

func last(says string) string { return says[strings.LastIndex(says, " ")+1:] }

func TestDoctorSaysWhatIsMissingForKeysThatAreLent(t *testing.T) {
	nats := natstest.Start(t)
	require.Equal(t, levelOK, machinesSeen(t, settings.Remote{NATS: nats.URL()}, false)["server"].Level, "nobody is on the way")
	lending := machinesSeen(t, settings.Remote{NATS: nats.URL(), Keys: settings.KeysLend}, false)
	require.Equal(t, levelProblem, lending["server"].Level)
	require.Contains(t, lending["server"].Do, `remote.keys = "lend" works only with TLS`)
	require.Equal(t, levelNote, lending["creds"].Level, "who takes everybody is told so")

	require.False(t, nearlyFull(899, 1000))
	require.True(t, nearlyFull(900, 1000))
	require.False(t, nearlyFull(900, -1))
	require.Equal(t, "1.0 KB of 2.0 KB", fullness(1<<10, 2<<10))
}
