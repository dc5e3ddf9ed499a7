package script

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/internal/words"
)

// output is one answer: its paragraphs and its calls.
type output struct {
	said  []string
	calls []agent.Call
}

func (t *output) add(text string) { t.said = append(t.said, text) }

// answer is the next answer. In the user's own session, the only one that can delegate, it
// reports what came in, in order, then answers the user's message.
func (s *Script) answer(req agent.Request) (t output) {
	if agent.AsksForSummary(req) {
		req.Messages, req.Tools = req.Messages[:len(req.Messages)-1], nil
	}
	c := read(req.Messages)
	v := values{
		"prompt": words.CutLine(c.newest, 60), "n": strconv.Itoa(len(req.Messages)), "change": strconv.Itoa(c.writes + 1),
		"first": strconv.FormatBool(c.answers == 0), "started": strconv.FormatBool(c.started),
		"command": strconv.FormatBool(c.answers > 0 || len(strings.Fields(c.newest)) == 1),
	}
	for _, tool := range req.Tools {
		v["has_"+tool.Name] = "true"
	}
	switch {
	case len(req.Tools) == 0: // only text is wanted, a summary or a title
		t.add(s.say("{no_tools}", v))
	case v["has_agent"] == "":
		s.work(&t, c)
	default:
		s.reportResults(&t, c, v)
		s.reportEnds(&t, c)
		if len(c.prompts) > 0 || len(c.results)+len(c.notices) == 0 {
			s.play(&t, s.Answers, c.newest, v)
		}
	}
	return t
}

// play says the first line that matches, makes its calls, and returns the line.
func (s *Script) play(t *output, lines []line, text string, v values) line {
next:
	for _, l := range lines {
		for name, value := range l.When {
			if v[name] != value {
				continue next
			}
		}
		if l.Match != nil {
			v["match"] = strings.ToLower(l.Match.FindString(text))
		}
		if l.Match == nil || v["match"] != "" {
			t.add(s.say(l.Say, v))
			for _, name := range l.Calls {
				call, _ := s.call(s.Calls[name], v)
				t.calls = append(t.calls, call)
			}
			return l
		}
	}
	return line{}
}

// reportResults reports the results of the newest answer's calls, and continues from there.
func (s *Script) reportResults(t *output, c *conversation, base values) {
	var underWay []string
	for _, r := range c.results {
		v := s.about(r)
		maps.Copy(v, base)
		s.play(t, s.Results, r["text"], v)
		if r["tool"] == "agent" && alive(r) {
			underWay = append(underWay, r["description"])
		}
	}
	if len(underWay) > 0 {
		t.add(s.say("{under_way}", values{"names": strings.Join(underWay, " · ")}))
	}
}

// about adds the script's own texts to what was reported of a run.
func (s *Script) about(told values) values {
	v, output := maps.Clone(told), strings.TrimSpace(strings.TrimPrefix(told["output"], "(there was no text)"))
	v["clause"], v["message"], v["begins"] = sentence(v["clause"]), sentence(v["message"]), words.Cut(words.FirstLine(output), 160)
	if v["report"] = words.First(some(strings.Split(output, "\n"), 16, "\n"), 1200); v["report"] != output {
		v["report"] += "\n\n" + s.Texts["cut_off"]
	}
	v["ended"] = s.say("{ended_"+v["status"]+"|ended_otherwise}", v)
	v["story"] = v["ended"] + "."
	if output != "" {
		v["story"] = s.say("{story_"+v["status"]+"|story_otherwise}", v)
	}
	return v
}

// reportEnds reports which runs ended and, once none is left, how each did.
func (s *Script) reportEnds(t *output, c *conversation) {
	ended := c.allEnded()
	for _, n := range c.notices {
		if !ended || len(c.notices) == 1 || n["kind"] != "" { // else the summary reports it
			s.play(t, s.Notifications, "", s.about(n))
		}
	}
	if !ended {
		return
	}
	v, states := values{}, [][]string{}
	for _, run := range c.runs {
		v["stories"] += "\n\n" + s.about(run)["story"]
		states = append(states, []string{"", s.say("{state_"+run["status"]+"|status}", run)})
	}
	v.add("states", states)
	t.add(s.say("{all_ended}", v))
}

// work is the answer in a subagent's session: it acknowledges what came in, then takes the
// first step that is left, or reports what the steps found.
func (s *Script) work(t *output, c *conversation) {
	steps, enough := s.steps(t, c), false
	for i, text := range c.prompts {
		if c.answers > 0 || i > 0 { // the first one set the task
			v := values{"prompt": words.CutLine(text, 60), "n": strconv.Itoa(len(c.done))}
			enough = s.play(t, s.Messages, text, v).Ends || enough
		}
	}
	found, facts := values{}, []string{}
	for _, st := range steps {
		call, whole := s.call(st.Call, found)
		i := slices.IndexFunc(c.done, func(v values) bool { return v["tool"] == call.Name && v["input"] == string(call.Input) })
		switch {
		case !whole || found[st.Unless] != "":
		case i >= 0:
			facts = append(facts, s.report(st, c.done[i], found)...)
		case !enough && len(c.done) < 4:
			t.add(s.say(st.Say, found))
			t.calls = append(t.calls, call)
			return
		}
	}
	t.add(strings.Replace(strings.Join(facts, "\n- "), "\n", "\n\n", 1)) // the first, then a list of the others
}

// steps are those of the survey whose word is in the newest opening that has one.
func (s *Script) steps(t *output, c *conversation) []step {
	for _, opening := range slices.Backward(c.openings) {
		named := func(survey survey) bool { return strings.Contains(strings.ToLower(opening), survey.Word) }
		if i := slices.IndexFunc(s.Surveys, named); i >= 0 {
			return s.Surveys[i].Steps
		}
	}
	if len(c.done) == 0 {
		t.add(s.say("{unknown}", nil))
	}
	return s.Surveys[0].Steps
}

// inFile matches what grep found in one file: its path, then numbered lines.
var (
	inFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^.+\n(?:\d+:.*\n?)+`) })
	number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\d+:`) })
)

// report reports what a step found, and keeps it for later steps.
func (s *Script) report(st step, result, found values) (facts []string) {
	found["call"], found["sentence"] = code(result["tool"]+" "+result["input"]), result["sentence"]
	if result["failed"] == "true" {
		return []string{s.say(cmp.Or(st.Failed, "{not_done}"), found)}
	}
	text := inFile().ReplaceAllStringFunc(result["text"], func(lines string) string {
		path, lines, _ := strings.Cut(lines, "\n")
		return number().ReplaceAllStringFunc(lines, func(n string) string { return path + ":" + n })
	})
	for name, p := range st.Find {
		found.add(name, p.FindAllStringSubmatch(text, -1))
	}
	for _, template := range st.Report {
		if fact, whole := s.fill(template, found); whole {
			facts = append(facts, fact)
		}
	}
	if len(facts) == 0 && st.Nothing != "" {
		return []string{s.say(st.Nothing, found)}
	}
	return facts
}

var units = map[string]float64{"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30} // in the output of list

// add stores what the groups of a pattern matched under its name, as demo.toml explains.
func (v values) add(name string, matches [][]string) {
	if len(matches) == 0 {
		return
	}
	var lines, tally []string
	weights, sum, amount := map[string]float64{}, 0.0, func(n float64) string { return strconv.Itoa(int(n)) }
	for _, m := range matches {
		weight, unit := 1.0, ""
		if len(m) > 2 {
			weight = 0
			_, _ = fmt.Sscan(m[2], &weight, &unit) // text without a number weighs 0
		}
		if unit != "" {
			weight, amount = weight*units[unit], func(n float64) string { return words.Size(int64(n)) }
		}
		weights[m[1]], sum = weights[m[1]]+weight, sum+weight
		lines = append(lines, code(strings.Join(m[1:], " ")))
	}
	keys := slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	for _, key := range keys {
		tally = append(tally, strings.TrimSuffix(code(key)+" "+amount(weights[key]), " 0"))
	}
	v[name], v[name+".tally"] = some(lines, 5, "\n- "), some(tally, 8, ", ")
	v[name+".count"], v[name+".sum"] = strconv.Itoa(len(matches)), amount(sum)
	v[name+".top"], v[name+".second"] = keys[0], append(keys, "")[1]
}

// some joins at most most texts, and says how many more there are.
func some(texts []string, most int, between string) string {
	if more := len(texts) - most; more > 0 {
		texts = append(texts[:most:most], "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(texts, between)
}

// code is a text in back quotes, on one line.
func code(text string) string {
	return "`" + strings.ReplaceAll(words.CutLine(text, 120), "`", "'") + "`"
}
