package bench

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// far is a call of the agent tool for a subagent on another machine.
func far(background bool) func(description, prompt string) modeltest.Call {
	return func(description, prompt string) modeltest.Call {
		return modeltest.Use("agent", modeltest.Object{"description": description, "prompt": prompt, "isolation": "remote", "run_in_background": background})
	}
}

// farAway is a server and a worker of the installed programs on loopback, and how many bytes home has
// sent to the server.
type farAway struct {
	nats  string // as home reaches it
	creds string
	sent  *atomic.Int64
}

// awayWith starts both, with so many slots, for a model.
func awayWith(b *testing.B, model *benchServer, slots int) farAway {
	b.Helper()
	program, err := harness.Installed()
	require.NoError(b, err)
	server, err := harness.Build("pawl-server", "./internal/server", "-race=false", "-ldflags=-s -w")
	require.NoError(b, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	address := listener.Addr().String()
	require.NoError(b, listener.Close())
	folder := b.TempDir()
	beside(b, folder, os.Environ(), server, "--listen", address, "--store", folder)
	away := farAway{sent: new(atomic.Int64), creds: filepath.Join(folder, "remote.creds")}
	require.Eventually(b, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, modeltest.Patience, 5*time.Millisecond)
	home := b.TempDir()
	beside(b, home, model.environ(home), program, "worker", "--nats", "tls://"+address, "--creds", away.creds, "--slots", strconv.Itoa(slots))
	away.nats = "tls://" + counted(b, address, away.sent)
	return away
}

// beside runs a program until the benchmark ends.
func beside(b *testing.B, folder string, env []string, path string, args ...string) {
	b.Helper()
	cmd := exec.Command(path, args...)
	said := new(bytes.Buffer)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, env, said, said
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()                          // and how is of no interest
		if b.Failed() {
			b.Log(said)
		}
	})
}

// counted is a way to an address on which what goes there is counted.
func counted(b *testing.B, to string, sent *atomic.Int64) (address string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	b.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return // the benchmark is over
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			go pump(far, near, sent)
			go pump(near, far, new(atomic.Int64))
		}
	}()
	return listener.Addr().String()
}

// pump copies one direction until either side ends, and ends both.
func pump(to, from net.Conn, counter *atomic.Int64) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		counter.Add(int64(n))
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// openFrom opens the program in a checkout, with the server set up.
func (a farAway) openFrom(b *testing.B, model *benchServer, checkout, home string) *tube {
	b.Helper()
	return openTube(b, checkout, append(model.environ(home), "PAWL_REMOTE_NATS="+a.nats, "PAWL_REMOTE_CREDS="+a.creds), "--model", model.protocol.Model)
}

// byTurns is a parent that asks for subagents at each odd turn and has nothing to say at the others;
// a subagent's answer is held for ever.
func byTurns(p modeltest.Protocol, calls ...modeltest.Call) func(benchAsked) benchAnswer {
	asks, says := modeltest.Spell(p, modeltest.Reply{Calls: calls}), modeltest.Spell(p, modeltest.Reply{Text: []string{lastLine}})
	child := modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}})
	return func(a benchAsked) benchAnswer {
		switch {
		case !a.parent:
			return benchAnswer{Spelt: child, held: true}
		case a.turn%2 == 1:
			return benchAnswer{Spelt: asks}
		}
		return benchAnswer{Spelt: says}
	}
}

// BenchmarkAimRemote has a session send one subagent after another to another machine, takes the time
// from the call's last byte to the subagent's request, and from Esc to its connection closed. The
// first brings the checkout there and is not counted.
func BenchmarkAimRemote(b *testing.B) {
	p := modeltest.Protocols()[0]
	model := serveBench(b, p, byTurns(p, far(false)("far away", "talk")))
	away := awayWith(b, model, 2)
	x := away.openFrom(b, model, gittest.Checkout(b), b.TempDir())
	x.askFor(lastLine)
	var first, stop []float64
	for i := range 2*benchRuns + 1 {
		x.press("go" + harness.KeyEnter)
		child := model.await(b, false, i)
		asked := <-model.await(b, true, 1+2*i).said // each is asked again when Esc has ended the call
		x.settle(300 * time.Millisecond)
		pressed := x.press(harness.KeyEsc)
		left := <-child.left
		if i > 0 {
			first, stop = append(first, milliseconds(child.at.Sub(asked))), append(stop, milliseconds(left.Sub(pressed)))
		}
		x.settle(300 * time.Millisecond)
	}
	x.leave()
	measured(b, aimRemoteFirst, "", first...)
	measured(b, aimRemoteStop, "", stop...)
}

// remoteRuns is how many subagents are on other machines at once, and remotePace how often each
// records something: 10 times a second.
const (
	remoteRuns = 100
	remotePace = 100 * time.Millisecond
)

// stepRecords is how many records a step with one call makes: step_started, text, usage, tool_started
// and tool_ended.
const stepRecords = 5

// BenchmarkAimRemoteHost has a session drive 100 subagents on other machines, and takes what they
// cost the process that drives it: memory, while each has asked its model and waits, and the
// processor that the records of all of them take, were each to make 10 a second. The workers are on
// the same processors, so that they make fewer: what one record takes is measured.
func BenchmarkAimRemoteHost(b *testing.B) {
	p := modeltest.Protocols()[0]
	var calls []modeltest.Call
	for i := range remoteRuns {
		calls = append(calls, far(true)(fmt.Sprintf("far away %d", i), "talk"))
	}
	asks, says := modeltest.Spell(p, modeltest.Reply{Calls: calls}), modeltest.Spell(p, modeltest.Reply{Text: []string{lastLine}})
	works := modeltest.Spell(p, modeltest.Reply{Text: []string{"on"}, Calls: []modeltest.Call{modeltest.Use("list", modeltest.Object{})}})
	var memory, work []float64
	for range benchRuns {
		begin, over := make(chan struct{}), new(atomic.Bool)
		model := serveBench(b, p, func(a benchAsked) benchAnswer {
			switch {
			case !a.parent && a.turn < remoteRuns:
				return benchAnswer{Spelt: works, held: true, hold: begin}
			case !a.parent && over.Load():
				return benchAnswer{Spelt: works, held: true}
			case !a.parent:
				return benchAnswer{Spelt: works, every: stepRecords * remotePace / time.Duration(len(works.Cuts))}
			case a.turn == 1:
				return benchAnswer{Spelt: asks}
			}
			return benchAnswer{Spelt: says}
		})
		away := awayWith(b, model, remoteRuns)
		home := b.TempDir()
		x := away.openFrom(b, model, gittest.Checkout(b), home)
		x.askFor(lastLine)
		x.settle(time.Second)
		host := family(x.cmd.Process.Pid)[2]
		before := memoryOfOne(host, "RssAnon")
		x.press("go" + harness.KeyEnter)
		model.await(b, false, remoteRuns-1)
		x.settle(2 * time.Second)
		memory = append(memory, (memoryOfOne(host, "RssAnon")-before)/remoteRuns)
		close(begin)
		model.await(b, false, 2*remoteRuns)
		steps, used := model.count(false), processorTime(host)
		<-time.After(10 * time.Second)
		steps, used = model.count(false)-steps, processorTime(host)-used
		over.Store(true)
		records := stepRecords * float64(steps)
		b.Logf("%.0f records a second of %d runs take %.2f of a core", records/10, remoteRuns, used.Seconds()/10)
		work = append(work, 100*used.Seconds()/records*remoteRuns*float64(time.Second/remotePace))
		x.leave()
	}
	measured(b, aimRemoteMemory, "", memory...)
	measured(b, aimRemoteProcessor, "", work...)
}

// count is how often either kind has asked.
func (s *benchServer) count(parent bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.of(parent))
}

// largeCheckout is what a checkout weighs that is known on the other side, and largeChange what of it
// is another then, in MB.
const (
	largeCheckout = 200
	largeChange   = 1
)

// BenchmarkAimRemoteCheckout sends a subagent from a large checkout, changes a file of it, and takes
// what sending the next one sends.
func BenchmarkAimRemoteCheckout(b *testing.B) {
	p := modeltest.Protocols()[0]
	checkout := gittest.Checkout(b)
	for i := range largeCheckout { // no compression makes these smaller
		writeNoise(b, filepath.Join(checkout, fmt.Sprintf("large/%d.bin", i)), 1e6)
	}
	gittest.Run(b, checkout, "add", ".")
	gittest.Run(b, checkout, "commit", "-q", "-m", "much")
	model := serveBench(b, p, byTurns(p, far(false)("far away", "talk")))
	away := awayWith(b, model, 2)
	x := away.openFrom(b, model, checkout, b.TempDir())
	x.askFor(lastLine)
	var sent, times []float64
	for i := range benchRuns + 1 {
		writeNoise(b, filepath.Join(checkout, "large/0.bin"), largeChange*1e6)
		before := away.sent.Load()
		x.press("go" + harness.KeyEnter)
		child := model.await(b, false, i)
		if asked := <-model.await(b, true, 1+2*i).said; i > 0 {
			sent = append(sent, float64(away.sent.Load()-before)/1e6)
			times = append(times, milliseconds(child.at.Sub(asked)))
		}
		x.settle(300 * time.Millisecond)
		x.press(harness.KeyEsc)
		<-child.left
		x.settle(300 * time.Millisecond)
	}
	x.leave()
	require.GreaterOrEqual(b, slices.Min(sent), float64(largeChange), "the change itself was sent")
	measured(b, aimRemoteChange, "", sent...)
	b.Logf("its first request after %.0f ms", percentile(times, 0.5))
}

// writeNoise writes a file of random bytes.
func writeNoise(b *testing.B, path string, size int) {
	b.Helper()
	noise := make([]byte, size)
	_, _ = rand.Read(noise) // never fails
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(b, os.WriteFile(path, noise, 0o600))
}
