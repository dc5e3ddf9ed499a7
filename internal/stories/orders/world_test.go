//go:build linux

package orders

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/machinelab"
	"pawl/internal/modeltest"
)

// world is a server, a home with a session, and workers, each on a machine or on what stands for one.
type world struct {
	t        testing.TB
	pawl     string // the program
	natsd    string // the server's
	model    *model
	asked    *modeltest.Server
	server   *node
	listens  string // the server's address
	home     *node
	workers  []*node
	checkout string
	slots    int // of each worker
}

// slotsEach is how many runs a worker takes.
const slotsEach = 12

// newWorld makes what both kinds have in common.
func newWorld(t testing.TB, build func() (string, error)) *world {
	t.Helper()
	w := &world{t: t, model: newModel(), checkout: gittest.Checkout(t), slots: slotsEach}
	var err error
	w.pawl, err = build()
	require.NoError(t, err)
	w.natsd, err = harness.Build("pawl-server", "./internal/server", "-race=false")
	require.NoError(t, err)
	w.asked = modeltest.Listen(t, w.model.reply)
	return w
}

// inALab makes the world of machines: a server in the middle, a home and three workers. The clocks
// of the last one are ahead: that of the day by minutes, the monotonic one by days.
func inALab(t testing.TB, build func() (string, error)) *world {
	t.Helper()
	lab := machinelab.New(t)
	w := newWorld(t, build)
	w.listens = lab.Middle().Front() + ":4222"
	w.server = machine(lab.Middle(), "")
	listener, err := lab.Middle().Listen(lab.Middle().Back() + ":0")
	require.NoError(t, err)
	model := w.asked.Also(t, listener)
	join := func(m *machinelab.Machine) *node {
		n := machine(m, "tls://"+w.listens)
		w.settle(n, model)
		return n
	}
	w.settle(w.server, model)
	w.home = join(lab.Machine(t, "home"))
	w.workers = []*node{join(lab.Machine(t, "worker1")), join(lab.Machine(t, "worker2")), join(lab.Machine(t, "worker3", machinelab.Up(75*time.Hour)))}
	ahead, err := aheadOfTime()
	require.NoError(t, err)
	w.workers[2].pawl, w.workers[2].env = ahead, append(w.workers[2].env, clockAhead+"=420")
	return w
}

// onLoopback makes the same of processes of this machine.
func onLoopback(t testing.TB, build func() (string, error), workers int) *world {
	t.Helper()
	w := newWorld(t, build)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w.listens = listener.Addr().String()
	require.NoError(t, listener.Close())
	w.server = local("server", nil)
	w.settle(w.server, w.asked.URL)
	w.home = local("home", newWire(t, w.listens))
	w.settle(w.home, w.asked.URL)
	for i := range workers {
		n := local("worker"+strconv.Itoa(i+1), newWire(t, w.listens))
		own, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		w.settle(n, w.asked.Also(t, own)) // who asks is told by whom it asks
		w.workers = append(w.workers, n)
	}
	return w
}

// settle gives a node its folders and variables.
func (w *world) settle(n *node, model string) {
	n.home = w.t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.t.TempDir(), "PAWL_HOME=" + n.home, "TMPDIR=" + w.t.TempDir(),
		"TERM=xterm-256color", "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=20",
	}
	n.env = append(env, modeltest.EnvironTo(model)...)
	if n.nats != "" {
		n.env = append(n.env, "PAWL_REMOTE_NATS="+n.nats, "PAWL_REMOTE_CREDS="+w.creds())
	}
	w.t.Cleanup(func() {
		n.end(syscall.SIGKILL)
		n.off()
		harness.RequireNoRaces(w.t, n.says(), n.env)
		if w.t.Failed() {
			w.t.Logf("%s said:\n%s", n.name, n.says())
		}
	})
}

// serve starts the server.
func (w *world) serve() {
	w.t.Helper()
	w.server.start(w.t, w.natsd, "--listen", w.listens, "--store", w.server.home)
}

// creds is the file of the credentials that the server has made.
func (w *world) creds() string { return filepath.Join(w.server.home, "remote.creds") }

// work starts the daemon of a worker.
func (w *world) work(n *node) {
	w.t.Helper()
	n.start(w.t, cmp.Or(n.pawl, w.pawl), "worker", "--nats", n.nats, "--creds", w.creds(), "--slots", strconv.Itoa(w.slots))
}

// open starts the server and the workers.
func (w *world) open() {
	w.t.Helper()
	w.configure()
	w.serve()
	require.True(w.t, within(modeltest.Patience, func() bool { return strings.Contains(w.server.says(), "listens at") }), "the server does not start")
	for _, n := range w.workers {
		w.work(n)
	}
	for _, n := range w.workers {
		require.True(w.t, within(modeltest.Patience, func() bool { return strings.Contains(n.says(), "works for") }), "%s does not start", n.name)
	}
}

// configure writes the settings of home.
func (w *world) configure() {
	w.t.Helper()
	config := filepath.Join(w.home.home, "config")
	require.NoError(w.t, os.MkdirAll(filepath.Join(config, "agents"), 0o700))
	settings := "[permissions]\nallow = [\"shell(" + sleeping + ")\", \"edit(**)\"]\n"
	require.NoError(w.t, os.WriteFile(filepath.Join(config, "config.toml"), []byte(settings), 0o600))
	digger := "---\nname: digger\ndescription: digs, and may begin anew\nidempotent: true\n---\nYou dig.\n"
	require.NoError(w.t, os.WriteFile(filepath.Join(config, "agents", "digger.md"), []byte(digger), 0o600))
}

// try runs the program at home, which may fail.
func (w *world) try(args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.t.Context()), 2*modeltest.Patience)
	defer cancel()
	cmd := w.home.command(ctx, w.checkout, w.home.env, w.pawl, args...)
	cmd.WaitDelay = time.Second
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(w.t, ctx.Err(), "pawl %q does not end; it said:\n%s%s", args, out, errs.String())
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(w.t, err)
	}
	harness.RequireNoRaces(w.t, errs.String(), w.home.env)
	return string(out), errs.String(), cmd.ProcessState.ExitCode()
}

// run is try where it must not fail.
func (w *world) run(args ...string) string {
	w.t.Helper()
	out, errs, code := w.try(args...)
	require.Zero(w.t, code, "pawl %q: %s%s", args, out, errs)
	return out
}

// within says whether something becomes true in time.
func within(limit time.Duration, cond func() bool) bool {
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for end := time.Now().Add(limit); ; <-ticks.C {
		if cond() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// clock is a span of time that a play means: how long a cable is out is what it is about.
func clock(span time.Duration) <-chan time.Time { return time.After(span) }

// heldLong is long enough to see that nothing comes.
const heldLong = 100 * time.Millisecond
