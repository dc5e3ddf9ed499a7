package checkout

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
)

// crowd is how many run at once, and one in so many changes something: in the soak all do.
const (
	crowd   = 100
	changes = 10
)

func TestAHundredRunsOfOneRepositoryAtOnce(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	var runs []lifecycle.Run
	first := s.run("job")
	for i := range crowd { // as s.run would plan them, one after the other
		run := first
		run.ID, run.Session = lifecycle.RunID(fmt.Sprint("run-", i)), lifecycle.SessionID(fmt.Sprint("agent-", i))
		run.Folder, run.Branch = fmt.Sprint(first.Folder, i), fmt.Sprint(first.Branch, i)
		runs = append(runs, run)
	}
	var done sync.WaitGroup
	wrong := make([]error, crowd)
	for i, run := range runs {
		done.Go(func() { wrong[i] = s.job(run, i, soaktest.Wanted() || i%changes == 0) })
	}
	done.Wait()
	require.NoError(t, errors.Join(wrong...))
	require.Len(t, s.checkouts.holds, 2, "what is committed and what is not is sent once")
	require.Empty(t, s.results.holds)
	for i, run := range runs {
		if !soaktest.Wanted() && i%changes != 0 {
			require.NoDirExists(t, run.Folder)
			continue
		}
		require.Equal(t, fmt.Sprint(i), text(t, run.Folder, "mine.go"))
		require.Equal(t, "changed after\n", text(t, run.Folder, "cart.go"))
		run.ID = lifecycle.RunID(fmt.Sprint("again-", i)) // resumed, all at once
		done.Go(func() { wrong[i] = s.job(run, i+crowd, true) })
	}
	done.Wait()
	require.NoError(t, errors.Join(wrong...))
	for i, run := range runs {
		if soaktest.Wanted() || i%changes == 0 {
			require.Equal(t, fmt.Sprint(i+crowd), text(t, run.Folder, "mine.go"))
		}
	}
	require.LessOrEqual(t, len(keptIn(s.cache.kept(gitOf(t, top, "rev-list", "--max-parents=0", "HEAD")))), mostKept)
}

// job is one run that writes a number to a file, or changes nothing.
func (s *scene) job(run lifecycle.Run, number int, changed bool) error {
	ctx := s.t.Context()
	ref, err := s.home.Send(ctx, run)
	if err != nil {
		return err
	}
	c, err := s.cache.Receive(ctx, s.checkouts, ref, filepath.Join(s.work, "runs", string(run.ID)))
	if err != nil {
		return err
	}
	if changed {
		put(s.t, c.Place.Folder, "mine.go", fmt.Sprint(number))
	}
	result, err := c.Result(ctx, s.results, string(run.ID), "")
	if err = errors.Join(err, c.Close(true)); err != nil {
		return err
	}
	_, err = s.home.Return(ctx, run, &result)
	return err
}

func TestTwoHostsThatSendTheSameRepositoryAtOnce(t *testing.T) {
	top := checkout(t)
	clone := realFolder(t)
	gittest.Run(t, clone, "clone", "-q", top, ".")
	put(t, clone, "theirs.go", "theirs\n")
	put(t, top, "ours.go", "ours\n")
	one := newScene(t, top, "")
	other := newScene(t, clone, "")
	other.checkouts, other.results, other.cache = one.checkouts, one.results, one.cache
	other.home = NewHome(other.checkouts, other.results, other.trees, other.files)
	first, second := one.run("x"), other.run("y")
	var done sync.WaitGroup
	var refs [2]Ref
	done.Go(func() { refs[0] = one.send(first) })
	done.Go(func() { refs[1] = other.send(second) })
	done.Wait()
	require.Equal(t, refs[0].Repository, refs[1].Repository)
	require.Len(t, one.checkouts.holds, 3, "what both have is there once")
	a, b := one.receive(refs[0], "one"), other.receive(refs[1], "two")
	require.Equal(t, "ours\n", text(t, a.Place.Top, "ours.go"))
	require.Equal(t, "theirs\n", text(t, b.Place.Top, "theirs.go"))
	require.Len(t, one.cache.generations(refs[0].Repository), 1)

	gittest.Run(t, clone, "add", ".")
	gittest.Run(t, clone, "commit", "-q", "-m", "theirs")
	before := one.checkouts.put
	other.receive(other.send(other.run("z")), "three")
	require.Less(t, one.checkouts.put-before, int64(1000), "only what the other's commit has more")
}

func TestOnlyWhatTheStoreLacksIsSent(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	ref := s.send(s.run("x"))
	require.NotZero(t, ref.Sent)
	require.Equal(t, s.checkouts.put, ref.Sent)
	for range 2 {
		again := s.send(s.run("y"))
		require.Zero(t, again.Sent)
		require.Equal(t, ref.Bundles, again.Bundles)
		s.restart("")
	}
	for i := range 2 * longestChain {
		put(t, top, "more.go", strings.Repeat("more\n", i))
		gittest.Run(t, top, "add", ".")
		gittest.Run(t, top, "commit", "-q", "-m", fmt.Sprint("commit ", i))
		put(t, top, "loose.go", fmt.Sprint("loose ", i))
		now := s.send(s.run("z"))
		require.LessOrEqual(t, len(now.Bundles), longestChain+2)
		require.Less(t, now.Sent, int64(5000))
	}
	ref = s.send(s.run("x"))
	for name := range s.checkouts.holds {
		if !strings.HasSuffix(name, "-"+noBasis) {
			delete(s.checkouts.holds, name) // it was too old
		}
	}
	again := s.send(s.run("x"))
	require.NotZero(t, again.Sent, "what is gone from the store is sent again")
	s.receive(again, "one")
	require.NotEqual(t, ref.Bundles, again.Bundles)
	clear(s.checkouts.holds)
	s.receive(s.send(s.run("x")), "two")
}

func TestWhatIsPublishedIsSentByItselfForOthersToBuildOn(t *testing.T) {
	origin := checkout(t)
	var scenes []*scene
	for _, name := range []string{"ours.go", "theirs.go"} {
		top := realFolder(t)
		gittest.Run(t, top, "clone", "-q", origin, ".")
		put(t, top, name, name)
		gittest.Run(t, top, "add", ".")
		gittest.Run(t, top, "commit", "-q", "-m", name)
		scenes = append(scenes, newScene(t, top, ""))
	}
	scenes[1].home = NewHome(scenes[0].checkouts, scenes[0].results, scenes[1].trees, scenes[1].files)
	require.Len(t, scenes[0].send(scenes[0].run("x")).Bundles, 2)
	ref := scenes[1].send(scenes[1].run("y"))
	require.Len(t, ref.Bundles, 2)
	require.Len(t, scenes[0].checkouts.holds, 3)
	scenes[0].receive(ref, "one")
}

func TestAChainOfBundlesIsKnownByTheirNames(t *testing.T) {
	id := func(c string) string { return strings.Repeat(c, 40) }
	r := id("f")
	names := []string{
		nameOf(r, id("c"), id("b")), nameOf(r, id("b"), id("a")), nameOf(r, id("a"), ""), nameOf(r, id("e"), id("d")),
		nameOf(id("0"), id("d"), ""), nameOf(r, id("b"), id("c")), "nonsense", r + "/x-0", nameOf(r, id("a"), id("a")),
	}
	got := chains(r, names)
	require.Equal(t, map[string][]string{
		id("a"): {names[2]}, id("b"): {names[2], names[1]}, id("c"): {names[2], names[1], names[0]},
	}, got)
	slices.Reverse(names)
	require.Equal(t, got, chains(r, names))
}

func TestWhoIsStoppedWaitsForNoOther(t *testing.T) {
	s := newScene(t, checkout(t), "")
	run := s.run("x")
	ref := s.send(run)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(&lifecycle.Stopped{Cause: lifecycle.CauseKey})
	done, err := s.cache.turns.take(t.Context(), ref.Repository)
	require.NoError(t, err)
	defer done()
	_, err = s.cache.Receive(ctx, s.checkouts, ref, filepath.Join(s.work, "run"))
	require.Error(t, err)
	require.NoDirExists(t, filepath.Join(s.work, "run"))
	_, err = s.home.Send(ctx, run)
	require.Error(t, err)
}

func TestWhatARunsFilesHeldIsKeptAtHome(t *testing.T) {
	s := newScene(t, checkout(t), "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	there := filestore.New(filepath.Join(s.work, "runs", "one.files"))
	large := strings.Repeat("a line of it\n", 10_000)
	first, err := there.Keep([]byte(large), "")
	require.NoError(t, err)
	second, err := there.Keep([]byte(large+"one more\n"), first)
	require.NoError(t, err)
	empty, err := there.Keep(nil, "")
	require.NoError(t, err)
	require.NoError(t, there.Close())
	result := s.result(c, "one")
	require.Empty(t, result.Bundle, "all was put back")
	require.False(t, result.Nothing())
	require.Less(t, result.Sent, int64(2000))
	left := s.back(run, result)
	require.False(t, left.Kept)
	for hash, want := range map[string]string{first: large, second: large + "one more\n", empty: ""} {
		got, err := s.files.Read(hash)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		require.True(t, s.files.Synced(hash))
	}
	require.Empty(t, s.results.holds)
	s.back(run, result)

	s.results.holds[result.Contents] = []byte("pawl files 9\nnonsense")
	left, err = s.home.Return(t.Context(), run, &result)
	require.ErrorContains(t, err, "keep what the subagent's files held: the kept bytes are damaged")
	require.NotNil(t, left)
}

func TestManySmallPacksBecomeOneWhileRunsAreAtWork(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	ref := s.send(s.run("x"))
	first := s.receive(ref, "one")
	folder := s.cache.generation(ref.Repository, 1)
	packs := func() []string {
		found, err := filepath.Glob(filepath.Join(git.PackFolder(folder), "*.pack"))
		require.NoError(t, err)
		return found
	}
	r, err := s.trees.Repository("")
	require.NoError(t, err)
	for i := range mostPacks {
		commit := gitOf(t, top, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", fmt.Sprint(i))
		file, _, err := bundled(t.Context(), t.TempDir(), header{holds: map[string]string{headRef: commit}, needs: []string{ref.Head}}, func(ctx context.Context, to *os.File) error {
			return r.Pack(ctx, to, []string{commit}, []string{ref.Head})
		})
		require.NoError(t, err)
		name := nameOf(ref.Repository, commit, ref.Head)
		require.NoError(t, s.checkouts.Put(t.Context(), name, file))
		file.Close()
		require.NoError(t, first.store.get(t.Context(), s.checkouts, name))
	}
	require.Len(t, packs(), mostPacks+1)
	second := s.receive(s.send(s.run("y")), "two")
	require.NoError(t, second.Close(true))
	require.Len(t, packs(), 1)
	require.Equal(t, "second\nfirst", gitOf(t, first.Place.Top, "log", "--format=%s"))
	put(t, first.Place.Top, "mine.go", "mine\n")
	require.NotEmpty(t, s.result(first, "one").Bundle)
	before := s.checkouts.put
	s.receive(s.send(s.run("z")), "three")
	require.Equal(t, before, s.checkouts.put)
	require.Len(t, s.cache.generations(ref.Repository), 1, "all is still known to be there")
}
