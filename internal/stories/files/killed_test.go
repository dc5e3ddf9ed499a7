//go:build linux

package files

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// actsEach is how many acts a play has.
const actsEach = 24

// Pawls are killed in the middle of landings, rewinds and writes. Afterwards the folder is as before or
// as after, and what a person has written in it stands there.
func TestKilledInTheMiddleTheFolderIsAsBeforeOrAsAfter(t *testing.T) {
	var killed, acts atomic.Int64
	seeds := make(chan uint64)
	var hands sync.WaitGroup
	for range 3 { // most of their time they wait
		hands.Go(func() {
			for seed := range seeds {
				t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
					p := newPlay(t, seed)
					p.begin()
					for range actsEach {
						p.act()
					}
					killed.Add(int64(p.killed))
					acts.Add(actsEach)
				})
			}
		})
	}
	for _, seed := range soaktest.Seeds(t, 4, 300) {
		if !t.Failed() {
			seeds <- seed
		}
	}
	close(seeds)
	hands.Wait()
	soaktest.Tried(t, int(killed.Load()), "processes killed in the middle of a landing, a rewind or a write")
	soaktest.Tried(t, int(acts.Load()), "acts on a folder")
}

func (p *play) act() {
	p.t.Helper()
	p.acts++
	acts := []func() string{p.person, p.person, p.write, p.write, p.shell, p.send, p.land, p.land, p.rewind, p.rewind}
	p.done = append(p.done, fmt.Sprintf("%d %s", p.acts, acts[p.random.IntN(len(acts))]()))
	require.Equal(p.t, p.files, p.stands())
}

// tidy finds nothing of Pawl's in the folder, once the session was opened again.
func (p *play) tidy() {
	p.t.Helper()
	for _, pattern := range []string{".pawl-*", "*/.pawl-*"} {
		left, err := filepath.Glob(filepath.Join(p.Dir, pattern))
		require.NoError(p.t, err)
		require.Empty(p.t, left)
	}
}

// person edits a file, or makes it.
func (p *play) person() string {
	name := p.any()
	p.files = maps.Clone(p.files)
	p.files[name] = p.edited(p.files[name], "person")
	p.put(p.Dir, name, p.files[name])
	p.mine[name] = p.acts
	return "a person edits " + name
}

// moment is when a Pawl is killed that does something: somewhere in its life.
func (p *play) moment() time.Duration { return time.Duration(p.random.IntN(160)) * time.Millisecond }

// settle ends what a killed Pawl has left, as its guard or the next opening does, and takes in which of
// these the folder is.
func (p *play) settle(what string, could ...folder) string {
	p.t.Helper()
	out, code := p.run("recover")
	require.Zero(p.t, code, out)
	now := p.stands()
	i := slices.IndexFunc(could, func(f folder) bool { return maps.Equal(f, now) })
	require.GreaterOrEqual(p.t, i, 0, "%s: the folder is neither as before nor as after:\n%q\nnow %q", what, could, now)
	p.pawls(now)
	return fmt.Sprintf("%s, and came to state %d of %d", what, i+1, len(could))
}

// write has the model write some files, one after the other. It is killed now and then.
func (p *play) write() string {
	could, now := []folder{p.files}, p.files
	var made []step
	for range 1 + p.random.IntN(3) {
		name := p.any()
		text, there := now[name]
		if there {
			made = append(made, step{{"read", map[string]any{"path": name}}})
		}
		now = maps.Clone(now)
		now[name] = p.edited(text, "tool")
		could = append(could, now)
		made = append(made, step{{"write", map[string]any{"path": name, "content": now[name]}}})
	}
	p.points = append(p.points, point{p.acts, p.files})
	if p.random.IntN(2) == 0 && p.killedAt(p.moment(), p.prompted(made...)...) {
		return p.settle("writing was killed", could...)
	}
	if slices.ContainsFunc(could[1:], func(f folder) bool { return maps.Equal(f, p.stands()) }) {
		p.pawls(p.stands())
		return "writing"
	}
	out, code := p.run(p.prompted(made...)...)
	require.Zero(p.t, code, out)
	p.pawls(now)
	return "writing"
}

// shell has the model run a command.
func (p *play) shell() string {
	name, line := p.any(), p.lines("command", 1)
	p.points = append(p.points, point{p.acts, p.files})
	out, code := p.run(p.prompted(step{{"shell", map[string]any{"command": fmt.Sprintf("mkdir -p $(dirname %[1]s); echo '%[2]s' >> %[1]s", name, line[:len(line)-1])}}})...)
	require.Zero(p.t, code, out)
	p.tidy()
	now := maps.Clone(p.files)
	now[name] += line
	p.pawls(now)
	if out, _ = p.run("export", p.id, "--format", "json", "-o", "-"); strings.Contains(out, `"uncovered"`) || strings.Contains(out, `"unwatched"`) {
		p.points = nil // on a slow machine its change was not kept in time: nothing goes back across it
	}
	return "a command appends to " + name
}

// send has a subagent work in a worktree, if none has anything to land.
func (p *play) send() string {
	if p.apart != nil {
		return "there is something to land already"
	}
	p.apart = maps.Clone(p.base)
	var made []step
	for range 1 + p.random.IntN(3) {
		name := p.any()
		if _, there := p.apart[name]; there {
			made = append(made, step{{"read", map[string]any{"path": name}}})
		}
		p.apart[name] = p.edited(p.apart[name], "apart")
		made = append(made, step{{"write", map[string]any{"path": name, "content": p.apart[name]}}})
	}
	out, code := p.run(p.prompted(step{{"agent", map[string]any{"description": "apart", "prompt": "do " + orders + p.spelt(made), "isolation": "worktree"}}})...)
	require.Zero(p.t, code, out)
	return "a subagent works apart"
}

// land lands what the subagent has changed. It is killed now and then.
func (p *play) land() string {
	if p.apart == nil {
		return "there is nothing to land"
	}
	after, whole := p.landed()
	says := "landing"
	if p.random.IntN(4) > 0 && p.killedAt(p.moment(), "land", p.id) {
		says = p.settle("landing was killed", p.files, after)
	} else if maps.Equal(p.stands(), p.files) {
		p.run("land", p.id) // a conflict is no zero
	}
	if maps.Equal(p.stands(), after) {
		p.pawls(after)
		if whole { // also where it was there already, and only the worktree is left
			p.run("land", p.id)
			p.apart = nil
		}
	}
	return says
}

// landed is the folder once everything is landed that git can merge, and whether that is all.
func (p *play) landed() (after folder, whole bool) {
	after, whole = maps.Clone(p.files), true
	for _, name := range names {
		base, inBase := p.base[name]
		own := p.apart[name]
		now, there := p.files[name]
		switch {
		case inBase && base == own, own == "":
		case inBase == there && now == base, there && now == own:
			after[name] = own
		case !inBase || !there:
			whole = false
		default:
			merged, fine := p.merged(now, base, own)
			if whole = whole && fine; fine {
				after[name] = merged
			}
		}
	}
	return after, whole
}

func (p *play) merged(now, base, own string) (string, bool) {
	side := p.t.TempDir()
	for name, text := range (folder{"now": now, "base": base, "own": own}) {
		p.put(side, name, text)
	}
	cmd := exec.Command("git", "merge-file", "-p", "now", "base", "own")
	cmd.Dir = side
	text, err := cmd.Output()
	return string(text), err == nil
}

// rewind takes files back to before a prompt. It is killed now and then.
func (p *play) rewind() string {
	numbers := p.numbers()
	points := slices.DeleteFunc(slices.Clone(p.points), func(at point) bool { return numbers[at.act] == "" })
	if len(points) == 0 {
		return "there is nothing to go back to"
	}
	to := points[p.random.IntN(len(points))]
	after := p.before(to)
	args := []string{"rewind", p.id, "--to", numbers[to.act], "--files"}
	if p.random.IntN(4) > 0 && p.killedAt(p.moment(), args...) {
		return p.settle(fmt.Sprintf("going back to before act %d was killed", to.act), p.files, after)
	}
	if !maps.Equal(p.stands(), after) {
		out, _ := p.run(args...)
		require.Equal(p.t, after, p.stands(), out)
	}
	p.pawls(after)
	return fmt.Sprintf("back to before act %d", to.act)
}

// before is the folder once it is taken back: each file as before the first change since then, unless a
// person has changed it after that.
func (p *play) before(to point) folder {
	after := maps.Clone(p.files)
	for _, name := range names {
		i := slices.IndexFunc(p.pawl[name], func(c change) bool { return c.act >= to.act })
		if i < 0 || p.mine[name] > p.pawl[name][i].act {
			continue
		}
		if was := p.pawl[name][i].was; was != nil {
			after[name] = *was
		} else {
			delete(after, name)
		}
	}
	return after
}
