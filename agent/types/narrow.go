package types

import (
	"cmp"
	"path"
	"slices"

	"pawl/agent"
	"pawl/agent/permission"
)

// narrow lays a type over another of the same name. What it says of its work
// counts; of what it may do, only what both allow.
func narrow(base, over agent.Type) agent.Type {
	t := over
	t.Prompt = cmp.Or(over.Prompt, base.Prompt)
	t.Model = cmp.Or(over.Model, base.Model)
	t.Isolation = cmp.Or(over.Isolation, base.Isolation)
	switch {
	case over.Tools == nil:
		t.Tools = base.Tools
	case base.Tools != nil:
		t.Tools = intersect(over.Tools, base.Tools)
	}
	t.Without = append(slices.Clone(base.Without), over.Without...)
	t.Mode = string(permission.Stricter(permission.Mode(base.Mode), permission.Mode(over.Mode)))
	t.MaxSteps = stricterLimit(base.MaxSteps, over.MaxSteps)
	return t
}

// intersect is what two lists of tools have in common; a nil base has all. Where
// patterns overlap and neither holds the other, that part is lost: narrower is safe.
// It is never nil, which would be all tools.
func intersect(over, base []string) []string {
	if base == nil {
		return over
	}
	common := []string{}
	for _, a := range over {
		for _, b := range base {
			switch {
			case covers(b, a):
				common = append(common, a)
			case covers(a, b):
				common = append(common, b)
			}
		}
	}
	slices.Sort(common)
	return slices.Compact(common)
}

// covers says whether a pattern holds all that another does. A * in the second
// stands for itself here, so only a * of the first can cover it.
func covers(pattern, other string) bool {
	ok, err := path.Match(pattern, other)
	return ok && err == nil
}

// stricterLimit is the narrower of two limits, of which 0 is none.
func stricterLimit(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
