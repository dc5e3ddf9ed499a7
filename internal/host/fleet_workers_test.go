package host

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/remote"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/machines"
	"pawl/internal/natstest"
	view "pawl/ui/fleet"
)

// shownUntil follows one session beside the workers of a server, until a picture is as it should be.
func shownUntil(t *testing.T, nats string, enough func(view.Picture) bool) {
	t.Helper()
	l := workerList{&base.Base{Settings: settings.Settings{Remote: settings.Remote{NATS: nats}}}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := l.beside(ctx, func(ctx context.Context, show func(view.Picture)) error {
		show(view.Picture{Sessions: []view.Session{{ID: "one"}}, Trouble: []string{"of a host"}})
		<-ctx.Done()
		return context.Cause(ctx)
	}, func(p view.Picture) {
		require.Len(t, p.Sessions, 1)
		require.Equal(t, "of a host", p.Trouble[0])
		if enough(p) {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheFleetShowsTheWorkersBesideItsSessions(t *testing.T) {
	nats := natstest.Start(t)
	link, err := machines.Dial(t.Context(), machines.Options{URL: nats.URL()})
	require.NoError(t, err)
	defer link.Close()
	require.NoError(t, link.Announce(t.Context(), machines.WorkerInfo{ID: "1", Name: "build1", Version: "0.12", Protocol: remote.Protocol, Slots: 8, Busy: 3, Load: 1}))
	shownUntil(t, nats.URL(), func(p view.Picture) bool {
		if len(p.Workers) == 0 {
			return false
		}
		require.Equal(t, []view.Worker{{Name: "build1", Version: "0.12", Fits: true, Slots: 8, Busy: 3, Load: 1}}, p.Workers)
		require.Len(t, p.Trouble, 1)
		return true
	})
	nats.Stop()
	shownUntil(t, nats.URL(), func(p view.Picture) bool {
		if len(p.Trouble) == 1 {
			return false
		}
		require.Contains(t, p.Trouble[1], "workers: no NATS server answers at "+nats.URL())
		return true
	})
}

func TestAFleetWithoutAServerHasNoWorkers(t *testing.T) {
	shownUntil(t, "", func(p view.Picture) bool { return len(p.Workers) == 0 })
}
