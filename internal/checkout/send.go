package checkout

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"pawl/tools/git"
)

// bundles are the names of objects in the store, each after the one that it builds on.
type bundles struct {
	repository string
	names      []string
}

// bring has the store hold all that a ref names, and notes in it by which bundles.
func (h *Home) bring(ctx context.Context, r git.Repository, ref *Ref) error {
	done, err := h.sending.take(ctx, strings.Join(ref.wants(), " "))
	if err != nil {
		return err
	}
	defer done()
	if there, err := h.remembered(ctx, ref); there || err != nil {
		return err
	}
	if ref.Repository, err = r.Origin(ctx, ref.Head); err != nil {
		return err
	}
	names, err := h.checkouts.List(ctx, ref.Repository+"/")
	if err != nil {
		return fmt.Errorf("look into the server's store of checkouts: %w", err)
	}
	s := sending{home: h, repository: r, ref: ref, chains: chains(ref.Repository, names)}
	if err := s.plan(ctx); err != nil {
		return err
	}
	if err := s.run(ctx); err != nil {
		return err
	}
	s.note()
	return nil
}

// remembered reports whether all of a ref is in the store by what was found or sent there before.
func (h *Home) remembered(ctx context.Context, ref *Ref) (bool, error) {
	var names []string
	for _, commit := range ref.wants() {
		b, known := lookUp(h, h.known, commit)
		if !known {
			return false, nil
		}
		ref.Repository = b.repository
		names = append(names, b.names...)
	}
	names = unique(names)
	has := make([]bool, len(names))
	wrong := make([]error, len(names))
	var asked sync.WaitGroup
	for i, name := range names {
		asked.Go(func() { has[i], wrong[i] = h.checkouts.Has(ctx, name) })
	}
	asked.Wait()
	if err := together(wrong...); err != nil {
		return false, fmt.Errorf("look into the server's store of checkouts: %w", err)
	}
	if slices.Contains(has, false) {
		return false, nil
	}
	ref.Bundles = names
	return true, nil
}

// unique keeps the first of each.
func unique(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		was := seen[name]
		seen[name] = true
		return was
	})
}

// sending is what is to be sent for one ref.
type sending struct {
	home       *Home
	repository git.Repository
	ref        *Ref
	chains     map[string][]string // by commits: what the store has, and what is sent
	parts      []part
}

// part is one bundle that is sent.
type part struct{ commit, basis string }

// plan finds the fewest and smallest bundles that are to be sent.
func (s *sending) plan(ctx context.Context) error {
	ref := s.ref
	if s.chains[ref.Head] == nil {
		if err := s.planHead(ctx); err != nil {
			return err
		}
	}
	for _, one := range []part{{ref.Files, ref.Head}, {ref.Include, ""}} {
		if one.commit == "" || s.chains[one.commit] != nil {
			continue
		}
		// The one before resembles it more than anything else.
		if last, _ := lookUp(s.home, s.home.newest, ref.Repository+one.basis); s.chains[last] != nil && len(s.chains[last]) < longestChain {
			one.basis = last
		}
		s.add(one.commit, one.basis)
	}
	return nil
}

// planHead chooses what the commit that is checked out is built on: the nearest that the store has.
func (s *sending) planHead(ctx context.Context) error {
	basis, err := s.nearest(ctx)
	if err != nil {
		return err
	}
	if chain := s.chains[basis]; len(chain) >= longestChain {
		_, basis, _, _ = parseName(chain[0])
	}
	if basis == "" {
		// Others send other commits of this repository: with what is published they have more in common.
		published, err := s.repository.Published(ctx, s.ref.Head)
		if err != nil {
			return err
		}
		if len(published) > 0 && published[0] != s.ref.Head {
			basis = published[0]
			s.add(basis, "")
		}
	}
	s.add(s.ref.Head, basis)
	return nil
}

// mostAsked is how many commits in the store are compared with one that has left their history.
const mostAsked = 8

func (s *sending) nearest(ctx context.Context) (string, error) {
	if len(s.chains) == 0 {
		return "", nil
	}
	all := slices.Sorted(maps.Keys(s.chains))
	boundary, err := s.repository.Boundary(ctx, s.ref.Head, all)
	if err != nil || len(boundary) == 0 {
		return "", err
	}
	for _, commit := range boundary {
		if s.chains[commit] != nil {
			return commit, nil
		}
	}
	for _, commit := range all[:min(len(all), mostAsked)] {
		if has, err := s.repository.Contains(ctx, commit, boundary[0]); has || err != nil {
			return commit, err
		}
	}
	return "", nil
}

func (s *sending) add(commit, basis string) {
	s.parts = append(s.parts, part{commit, basis})
	s.chains[commit] = append(slices.Clone(s.chains[basis]), nameOf(s.ref.Repository, commit, basis))
}

// run sends the parts side by side.
func (s *sending) run(ctx context.Context) error {
	sent := make([]int64, len(s.parts))
	wrong := make([]error, len(s.parts))
	var all sync.WaitGroup
	for i, one := range s.parts {
		all.Go(func() { sent[i], wrong[i] = s.send(ctx, one) })
	}
	all.Wait()
	for _, n := range sent {
		s.ref.Sent += n
	}
	return together(wrong...)
}

func (s *sending) send(ctx context.Context, one part) (int64, error) {
	h := header{holds: map[string]string{headRef: one.commit}}
	if one.basis != "" {
		h.needs = []string{one.basis}
	}
	file, size, err := bundled(ctx, s.home.scratch(), h, func(ctx context.Context, to *os.File) error {
		return s.repository.Pack(ctx, to, []string{one.commit}, h.needs)
	})
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if err := s.home.checkouts.Put(ctx, nameOf(s.ref.Repository, one.commit, one.basis), file); err != nil {
		return 0, fmt.Errorf("send the checkout to the server's store: %w", err)
	}
	return size, nil
}

// note remembers what the store has.
func (s *sending) note() {
	ref, h := s.ref, s.home
	for _, commit := range ref.wants() {
		note(h, h.known, commit, bundles{ref.Repository, s.chains[commit]})
		ref.Bundles = append(ref.Bundles, s.chains[commit]...)
	}
	ref.Bundles = unique(ref.Bundles)
	if ref.Files != "" {
		note(h, h.newest, ref.Repository+ref.Head, ref.Files)
	}
	if ref.Include != "" {
		note(h, h.newest, ref.Repository, ref.Include)
	}
}
