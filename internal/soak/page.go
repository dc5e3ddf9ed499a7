package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/words"
)

const introduction = `# How reliable Pawl is, and how that is known

Pawl promises that nothing is lost, doubled, left behind or run without a yes, whatever breaks. This page says how each
promise is tried, how often, and what was found. It is written by a program from the results of its own runs, and never
by hand: ` + "`make soak`" + ` plays all of it, ` + "`make soak SLICE=2/8 OUT=folder`" + ` one of eight slices, ` + "`make reliability`" + ` writes the page.
A test is played alone with ` + "`PAWL_SOAK=1 go test PACKAGE -run NAME`" + `; one that fails says the line that plays it again.

`

// row is a part with what came of its pieces.
type row struct {
	part
	program string   // programOf its subjects, as they are now
	missing []string // the pieces that did not run
	results []result
}

// kept is where the results that a page was written of are kept, in the module, so that runs of
// several days add up.
const kept = "internal/soak/results"

// writePage writes what the kept results and those in some folders add up to, and keeps them.
func writePage(ctx context.Context, path string, parts []part, folders []string) error {
	now, err := here(ctx, ".")
	if err != nil {
		return err
	}
	rows, err := gathered(ctx, ".", parts, append(folders, kept))
	if err != nil {
		return err
	}
	for _, r := range rows {
		for _, one := range r.results {
			if err := one.write(kept, part{Name: one.Part}.file()); err != nil {
				return fmt.Errorf("keep a result: %w", err)
			}
		}
	}
	return os.WriteFile(path, []byte(introduction+page(rows, now.Commit)), 0o600)
}

// gathered are the rows of the page. Where several folders have a result of the same piece, that
// counts which is of the program, which is sound, and which is newest, in this order.
func gathered(ctx context.Context, root string, parts []part, folders []string) (rows []row, err error) {
	now := map[string]string{} // the program of some subjects
	for _, p := range parts {
		subjects := p.subjects()
		name := strings.Join(subjects, " ")
		if now[name] == "" {
			if now[name], err = programOf(ctx, root, subjects); err != nil {
				return nil, err
			}
		}
		r := row{part: p, program: now[name]}
		for _, piece := range p.divided() {
			best, there := result{}, false
			for _, folder := range folders {
				one, found, err := read(filepath.Join(folder, piece.file()))
				if err != nil {
					return nil, err
				}
				if found && (!there || better(one, best, r.program)) {
					best, there = one, true
				}
			}
			if there {
				r.results = append(r.results, best)
			} else {
				r.missing = append(r.missing, piece.Name)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func better(a, b result, program string) bool {
	if here, there := a.Program == program, b.Program == program; here != there {
		return here
	}
	if a.sound() != b.sound() {
		return a.sound()
	}
	return a.Began.After(b.Began)
}

func page(rows []row, commit string) string {
	var b strings.Builder
	b.WriteString(standing(rows, commit))
	family := ""
	for _, r := range rows {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(&b, "\n## %s\n\n| promise | tests | tried | found | time | commit |\n| --- | --- | --- | --- | --- | --- |\n", family)
		}
		fmt.Fprintf(&b, "| **%s**: %s | %s | %s | %s | %s | %s |\n", r.Name, r.Promise, r.tests(), r.tried(), r.found(), r.took(), r.commits())
	}
	b.WriteString(counterparts(rows))
	b.WriteString(failures(rows))
	return b.String()
}

// standing says at which commit, where and when, and what is missing.
func standing(rows []row, commit string) string {
	var places, reasons []string
	wanting := map[string][]string{} // by the reason
	wants := func(reason, name string) {
		if wanting[reason] == nil {
			reasons = append(reasons, reason)
		}
		wanting[reason] = append(wanting[reason], name)
	}
	played, days := 0, []string{}
	for _, r := range rows {
		whole := len(r.missing) == 0
		for _, name := range r.missing {
			wants("did not run", name)
		}
		for _, one := range r.results {
			if one.CutShort != "" {
				wants("cut short, "+one.CutShort, one.Part)
			} else if one.idle() {
				wants("skipped, "+one.Tests[0].Why, one.Part)
			} else if one.Program != r.program {
				wants("ran with another program, at commit `"+short(one.Of.Commit)+"`", one.Part)
			}
			whole = whole && one.CutShort == "" && !one.idle() && one.Program == r.program
			places = append(places, fmt.Sprintf("- %s, %s, %s, %s\n", one.Of.CPU, words.Count(one.Of.Cores, "core"), one.Of.System, one.Of.GoVersion))
			days = append(days, one.Began.Format("2006-01-02"))
		}
		if whole {
			played++
		}
	}
	out := fmt.Sprintf("**%d of %d parts were played to their end with the program as it is at commit `%s`**", played, len(rows), short(commit))
	if len(days) > 0 {
		slices.Sort(places)
		out += fmt.Sprintf(", between %s and %s, on:\n\n%s", slices.Min(days), slices.Max(days), strings.Join(slices.Compact(places), ""))
	}
	if len(reasons) > 0 {
		out += "\n\nThese were not, or not as a whole:\n\n"
	}
	for _, reason := range reasons {
		out += "- " + reason + ": " + strings.Join(wanting[reason], "; ") + "\n"
	}
	return out
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// tests names those that ran, and those that were skipped with their reason.
func (r row) tests() string {
	var names, skipped []string
	cases := 0
	for _, one := range r.results {
		for _, test := range one.Tests {
			cases += test.Cases
			if test.Skipped > 0 && test.Passed+test.Failed == 0 {
				skipped = append(skipped, fmt.Sprintf("skipped `%s`: %s", test.Name, cell(test.Why)))
			} else {
				names = append(names, "`"+test.Name+"`")
			}
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 6 {
		names = []string{words.Count(len(names), "test") + " of " + "`" + strings.Join(r.Packages, "`, `") + "`"}
	}
	if cases > 0 {
		names = append(names, words.CountGrouped(cases, "case"))
	}
	return strings.Join(append(names, slices.Compact(skipped)...), ", ")
}

func (r row) tried() string {
	var sum result
	for _, one := range r.results {
		for _, t := range one.Tried {
			sum.add(t.Count, t.What)
		}
	}
	var says []string
	for _, t := range sum.Tried {
		says = append(says, grouped(t.Count)+" "+cell(t.What))
	}
	return strings.Join(says, "; ")
}

func (r row) found() string {
	failed, idle, said := 0, 0, ""
	for _, one := range r.results {
		failed += len(one.Failures)
		if one.idle() {
			idle++
		}
		if one.CutShort != "" {
			said = ", cut short"
		}
	}
	if len(r.missing) > 0 {
		said += ", " + words.Count(len(r.missing), "piece") + " did not run"
	}
	switch {
	case failed > 0:
		return "**" + words.Count(failed, "failure") + "**" + said
	case idle == len(r.results):
		return "**not tried**"
	default:
		return "nothing" + said
	}
}

func (r row) took() string {
	sum := 0.0
	for _, one := range r.results {
		sum += one.Seconds
	}
	return rounded(sum)
}

// commits are those of a row, whether something was not committed, and whether the program was another.
func (r row) commits() string {
	var says []string
	for _, one := range r.results {
		say := "`" + short(one.Of.Commit) + "`"
		if one.Program != r.program {
			say += ", another program"
		}
		if one.Of.Changed {
			say += ", with changes"
		}
		says = append(says, say)
	}
	slices.Sort(says)
	return strings.Join(slices.Compact(says), "; ")
}

func counterparts(rows []row) string {
	var list []string
	for _, r := range rows {
		for _, one := range r.results {
			for _, c := range one.Counterpart {
				list = append(list, fmt.Sprintf("| %s | %s | %s | %s |\n", cell(c.Name), cell(c.Version), grouped(c.Cases), r.found()))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return "\n## What nobody here wrote\n\n| counterpart | version | cases | found |\n| --- | --- | --- | --- |\n" + strings.Join(slices.Compact(list), "")
}

func failures(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		for _, one := range r.results {
			for _, f := range one.Failures {
				fmt.Fprintf(&b, "\n`%s` in %s, at commit `%s`", f.Test, one.Part, short(one.Of.Commit))
				if f.Again != "" {
					fmt.Fprintf(&b, "; again: `%s`", f.Again)
				}
				fmt.Fprintf(&b, "\n\n```\n%s\n```\n", strings.ReplaceAll(strings.Join(f.Lines, "\n"), "```", "'''"))
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## What failed\n" + b.String()
}

// cell is a text as it may stand in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func grouped(n int) string {
	number, _, _ := strings.Cut(words.CountGrouped(n, "x"), " ")
	return number
}
