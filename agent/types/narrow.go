package types

import (
	"cmp"
	"path"
	"slices"

	"pawl/agent"
	"pawl/agent/permission"
)

// narrow overrides a type with another of the same name: its description and instructions
// count, but only what both allow is allowed.
func narrow(base, over agent.Type) agent.Type {
	t := over
	t.Prompt = cmp.Or(over.Prompt, base.Prompt)
	t.Model = cmp.Or(over.Model, base.Model)
	t.Effort = cmp.Or(over.Effort, base.Effort)
	t.Isolation = cmp.Or(over.Isolation, base.Isolation)
	t.Idempotent = base.Idempotent // what may be done twice, whose type it is knows
	switch {
	case over.Tools == nil:
		t.Tools = base.Tools
	case base.Tools != nil:
		t.Tools = intersect(over.Tools, base.Tools)
	}
	switch {
	case over.Servers == nil:
		t.Servers = base.Servers
	case base.Servers != nil:
		t.Servers = intersect(over.Servers, base.Servers)
	}
	switch {
	case over.Skills == nil:
		t.Skills = base.Skills
	case base.Skills != nil:
		t.Skills = intersect(over.Skills, base.Skills)
	}
	t.Labels = slices.Compact(slices.Sorted(slices.Values(slices.Concat(base.Labels, over.Labels)))) // a worker needs all
	t.Without = append(slices.Clone(base.Without), over.Without...)
	t.Mode = string(permission.Stricter(permission.Mode(base.Mode), permission.Mode(over.Mode)))
	t.MaxSteps = stricterLimit(base.MaxSteps, over.MaxSteps)
	return t
}

// intersect is the tools that both lists allow; a nil base allows all. If patterns overlap
// without one covering the other, the overlap is lost, which is safe. The result is never
// nil, which would mean all tools.
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

// covers reports whether a pattern covers another. A * in other is compared literally, so
// only a * in pattern covers it.
func covers(pattern, other string) bool {
	ok, err := path.Match(pattern, other)
	return ok && err == nil
}

// stricterLimit is the smaller of two limits; 0 is no limit.
func stricterLimit(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
