package checkout

import (
	"strings"

	"pawl/tools/git"
)

// A bundle of a checkout is called REPOSITORY/COMMIT-BASIS: what it holds, and the one commit that it
// builds on and that another bundle holds. So a list of names is all that has to be known to choose what
// to build on.

const (
	noBasis = "0" // in a name: the bundle builds on nothing

	// longestChain is how many bundles a new worker gets for one commit at most. One more would be built
	// on the first again.
	longestChain = 8
)

func nameOf(repository, commit, basis string) string {
	if basis == "" {
		basis = noBasis
	}
	return repository + "/" + commit + "-" + basis
}

// parseName takes a name apart.
func parseName(name string) (repository, commit, basis string, ok bool) {
	repository, rest, found := strings.Cut(name, "/")
	commit, basis, dashed := strings.Cut(rest, "-")
	ok = found && dashed && git.ValidID(repository) && git.ValidID(commit) && (basis == noBasis || git.ValidID(basis))
	if basis == noBasis {
		basis = ""
	}
	return repository, commit, basis, ok
}

// chains are the bundles that are in the store, by the commits that they hold: all that is needed for
// each, in order. Commits of which something is missing are left out.
func chains(repository string, names []string) map[string][]string {
	type one struct{ name, commit string }
	built := map[string][]one{} // by basis
	for _, name := range names {
		if of, commit, basis, ok := parseName(name); ok && of == repository {
			built[basis] = append(built[basis], one{name, commit})
		}
	}
	found := map[string][]string{}
	next := []string{""}
	for len(next) > 0 { // those that build on fewer come first
		basis := next[0]
		next = next[1:]
		for _, b := range built[basis] {
			if _, known := found[b.commit]; known {
				continue
			}
			found[b.commit] = append(append([]string{}, found[basis]...), b.name)
			next = append(next, b.commit)
		}
	}
	return found
}
