package script

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// work is the answer in a subagent's session: what came in is acknowledged, then the first
// step that was not taken is taken, or what the others gave is reported.
func (s *Script) work(t *turn, c *conversation) {
	next, calls, report := s.walk(s.survey(t, c), c.done)
	for i, text := range c.prompts {
		v := values{"prompt": quote(text), "n": strconv.Itoa(len(c.done))}
		_, enough := mentions(text, s.Enough)
		switch {
		case c.answers == 0 && i == 0: // it set the task
		case continues(text):
			t.add(s.say("{cut_off}", v))
		case enough && len(c.done) > 0:
			t.add(s.say("{message_ends}", v))
			calls = nil
		default:
			t.add(s.say("{message}", v))
		}
	}
	if len(calls) == 0 {
		next = report
	}
	t.add(next, calls...)
}

// survey finds the survey by the words of what opened the run or else, when somebody
// writes to a subagent later, an earlier one.
func (s *Script) survey(t *turn, c *conversation) survey {
	for _, opening := range slices.Backward(c.openings) {
		for _, survey := range s.Surveys {
			if strings.Contains(strings.ToLower(opening), survey.Word) {
				return survey
			}
		}
	}
	if len(c.done) == 0 {
		t.add(s.say("{unknown}", nil))
	}
	return s.Surveys[0]
}

// walk goes through the steps that were taken. It gives the next one, without a call if
// none is left, and a report of the others.
func (s *Script) walk(survey survey, done []act) (say string, calls []agent.Call, report string) {
	found := map[string][]values{}
	var lines []string
	for _, st := range survey.Steps {
		for _, it := range st.each(found) {
			c := s.call(st.Call, it)
			i := slices.IndexFunc(done, func(a act) bool { return a.tool == c.Name && a.input == string(c.Input) })
			if i < 0 {
				return s.say(st.Say, it), []agent.Call{c}, facts(lines)
			}
			lines = append(lines, s.look(st, done[i], it, found)...)
		}
	}
	return "", nil, facts(lines)
}

// facts is a report: what was found in one line, and under it what belongs to it.
func facts(lines []string) string {
	return strings.Replace(strings.Join(lines, "\n- "), "\n", "\n\n", 1)
}

// each gives what {it} stands for, in each taking of a step.
func (st step) each(found map[string][]values) []values {
	switch {
	case len(found[st.Unless]) > 0:
		return nil
	case st.Each == "":
		return []values{{}}
	}
	return found[st.Each][:min(len(found[st.Each]), cmp.Or(st.Most, 2))]
}

// note is the line in brackets with which a tool speaks of its own result.
var note = regexp.MustCompile(`(?:^|\n)\[(.*)\]\s*$`)

// look looks for what a step is to find in its result, and gives the lines to report.
func (s *Script) look(st step, a act, it values, found map[string][]values) (lines []string) {
	v := maps.Clone(it)
	v["call"], v["sentence"], v["note"] = code(a.tool+" "+a.input), code(sentence(a.text)), ""
	if m := note.FindStringSubmatch(a.text); m != nil {
		v["note"] = code(m[1])
	}
	if a.failed {
		return slices.DeleteFunc([]string{st.Failed, s.say("{not_done}", v)}, func(line string) bool { return line == "" })
	}
	all := 0
	for name, p := range st.Find {
		list, n := find(p, note.ReplaceAllString(a.text, ""))
		found[name], all = list, all+n
		v[name], v[name+".count"], v[name+".first"] = shown(list), strconv.Itoa(n), shown(list[:min(1, n)])
	}
	if all == 0 && st.Nothing != "" {
		return []string{s.say(st.Nothing, v)}
	}
	for _, template := range st.Report {
		if line, whole := s.fill(template, v); whole && all > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// find lists what a pattern matches, each once, the most frequent first: its groups, joined,
// as "it", and each by its name as "it.NAME". It also counts the matches.
func find(p *regexp.Regexp, text string) (list []values, matches int) {
	times := map[string]int{}
	for _, m := range p.FindAllStringSubmatch(text, -1) {
		it := values{"it": code(strings.Join(m[min(1, len(m)-1):], ":"))}
		for i, group := range p.SubexpNames() {
			it["it."+group] = code(m[i])
		}
		if times[it["it"]]++; times[it["it"]] == 1 {
			list = append(list, it)
		}
		matches++
	}
	slices.SortStableFunc(list, func(a, b values) int { return cmp.Compare(times[b["it"]], times[a["it"]]) })
	for _, it := range list {
		it["times"] = strconv.Itoa(times[it["it"]])
	}
	return list, matches
}

// shown writes the first of what was found, and how often where that is not once.
func shown(list []values) string {
	var all []string
	for _, it := range list[:min(8, len(list))] {
		all = append(all, strings.TrimSuffix("`"+it["it"]+"` ("+it["times"]+")", " (1)"))
	}
	if more := len(list) - len(all); more > 0 {
		all = append(all, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(all, ", ")
}

// code is a text as it can stand between back quotes.
func code(text string) string { return words.Cut(strings.ReplaceAll(text, "`", "'"), 160) }
