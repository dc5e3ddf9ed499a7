package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// part is something that the soak plays with one call of go test, or in pieces with several.
type part struct {
	Family  string // the heading on the page
	Promise string // in plain words
	Name    string // of the part; its results are named after it

	Dir      string // of another module, from the root; empty for Pawl's own
	Packages []string
	Run      string // which tests, as go test's -run takes it; empty for all
	Skip     string // which of them not, as -skip takes it
	Fuzz     string // instead of tests: the fuzz target, for Minutes
	Args     []string
	Env      []string
	Race     bool
	Minutes  float64 // measured on two processors

	// Times is how often it tries what it tries, as PAWL_SOAK says it; 0 leaves that to the tests.
	// A part of Rapid's draws so many sequences instead.
	Times  int
	Rapid  bool
	Pieces int // into which it is divided; 0 for one

	whole string // of a piece: its part's name
}

// divided is a part as it is played.
func (p part) divided() []part {
	count := max(1, p.Pieces)
	var all []part
	for i := range count {
		piece := p
		piece.whole, piece.Pieces, piece.Minutes = p.Name, 0, p.Minutes/float64(count)
		if count > 1 {
			piece.Name = fmt.Sprintf("%s, %d of %d", p.Name, i+1, count)
		}
		from, to := p.Times*i/count, p.Times*(i+1)/count
		switch {
		case p.Rapid:
			piece.Args = append(slices.Clone(p.Args), fmt.Sprintf("-rapid.checks=%d", to-from), fmt.Sprintf("-rapid.seed=%d", 1+rand.Uint32()))
		case p.Times > 0:
			piece.Env = append(slices.Clone(p.Env), fmt.Sprintf("PAWL_SOAK=%d", to-from), fmt.Sprintf("PAWL_SOAK_FIRST=%d", from))
		case p.Fuzz == "":
			piece.Env = append([]string{"PAWL_SOAK=1"}, p.Env...)
		}
		all = append(all, piece)
	}
	return all
}

// dealt are the pieces of a slice, "k/n": the longest first, each to the slice that has least to do.
// All who ask for a slice of the same table get the same.
func dealt(parts []part, slice string) ([]part, error) {
	k, n, ok := strings.Cut(slice, "/")
	number, err := strconv.Atoi(k)
	of, errOf := strconv.Atoi(n)
	if !ok || err != nil || errOf != nil || number < 1 || number > of {
		return nil, fmt.Errorf("%q does not name a slice: say 1/3 for the first of three", slice)
	}
	var pieces []part
	for _, p := range parts {
		pieces = append(pieces, p.divided()...)
	}
	slices.SortStableFunc(pieces, func(a, b part) int { return cmp.Compare(b.Minutes, a.Minutes) })
	load, mine := make([]float64, of), []part(nil)
	for _, p := range pieces {
		least := slices.Index(load, slices.Min(load))
		load[least] += p.Minutes + 0.5 // for building it
		if least == number-1 {
			mine = append(mine, p)
		}
	}
	return mine, nil
}

func minutes(pieces []part) (sum float64) {
	for _, p := range pieces {
		sum += p.Minutes
	}
	return sum
}

func filtered(pieces []part, want func(part) bool) []part {
	return slices.DeleteFunc(pieces, func(p part) bool { return !want(p) })
}

// file is the name of a piece's result.
func (p part) file() string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '/' || r == ',' || r == ':' {
			return '-'
		}
		return r
	}, p.Name) + ".json"
}
