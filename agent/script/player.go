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

// turn is one answer: the paragraphs that are said, and the calls that are made.
type turn struct {
	said  []string
	calls []agent.Call
}

func (t *turn) add(text string) { t.said = append(t.said, text) }

// answer is what comes now. In the user's own session, which alone can delegate, what came
// in is told in its order, then the user's message is answered.
func (s *Script) answer(req agent.Request) (t turn) {
	if agent.AsksForSummary(req) {
		req.Messages, req.Tools = req.Messages[:len(req.Messages)-1], nil
	}
	c := read(req.Messages)
	started := func(v values) bool { return v["tool"] == "agent" && v["failed"] == "false" }
	v := values{
		"prompt": words.CutLine(c.newest, 60), "n": strconv.Itoa(len(req.Messages)), "made": strconv.Itoa(len(c.calls)),
		"first": strconv.FormatBool(c.answers == 0), "started": strconv.FormatBool(slices.ContainsFunc(c.calls, started)),
		"command": strconv.FormatBool(c.answers > 0 || len(strings.Fields(c.newest)) == 1),
	}
	for _, tool := range req.Tools {
		v["has_"+tool.Name] = "true"
	}
	switch {
	case len(req.Tools) == 0: // somebody wants words, a summary or a title
		t.add(s.say("{no_tools}", v))
	case v["has_agent"] == "":
		s.work(&t, c)
	case len(c.results)+len(c.notices)+len(c.prompts) == 0:
		t.add(s.say("{empty}", v))
	default:
		s.tellResults(&t, c, v)
		s.tellEnds(&t, c)
		if len(c.prompts) > 0 {
			s.play(&t, s.Answers, c.newest, v)
		}
	}
	return t
}

// play says the first line that fits, makes its calls, and tells which line it was.
func (s *Script) play(t *turn, lines []line, text string, v values) line {
	for _, l := range lines {
		v["word"] = mentioned(text, l.Words)
		if l.When.in(v) && strings.Contains(text, l.Has) && (v["word"] != "" || len(l.Words) == 0) {
			t.add(s.say(l.Say, v))
			for _, name := range l.Calls {
				t.calls = append(t.calls, s.call(s.Calls[name], v))
			}
			return l
		}
	}
	return line{}
}

// in says whether all of some values are among others.
func (v values) in(others values) bool {
	for name, value := range v {
		if others[name] != value {
			return false
		}
	}
	return true
}

// tellResults tells what the calls of the newest answer gave, and goes on from there.
func (s *Script) tellResults(t *turn, c *conversation, base values) {
	var underWay []string
	for _, r := range c.results {
		v := s.about(r)
		maps.Copy(v, base)
		s.play(t, s.Results, r["text"], v)
		if r["tool"] == "agent" && alive(r) {
			underWay = append(underWay, r["description"])
		}
	}
	for _, run := range c.listed {
		t.calls = append(t.calls, s.call(s.Calls["stop"], run))
	}
	if len(underWay) > 0 {
		t.add(s.say("{under_way}", values{"names": strings.Join(underWay, " · ")}))
	}
}

// about adds to what was told of a run what the script says of it.
func (s *Script) about(told values) values {
	v, output := maps.Clone(told), strings.TrimSpace(strings.TrimPrefix(told["output"], "(there was no text)"))
	v["clause"], v["message"], v["begins"] = sentence(v["clause"]), sentence(v["message"]), sentence(output)
	if v["report"] = words.First(output, 1200); v["report"] != output {
		v["report"] += "\n\n" + s.Texts["cut"]
	}
	v["ended"] = s.say(cmp.Or(s.Texts["ended_"+v["status"]], s.Texts["ended_otherwise"]), v)
	v["story"] = v["ended"] + "."
	if output != "" {
		v["story"] = s.say(cmp.Or(s.Texts["story_"+v["status"]], s.Texts["story_otherwise"]), v)
	}
	return v
}

// tellEnds tells which runs ended, and when none is left how each did.
func (s *Script) tellEnds(t *turn, c *conversation) {
	ended := c.allEnded()
	for _, n := range c.notices {
		if !ended || len(c.notices) == 1 || n["kind"] != "" { // else the summary tells of it
			s.play(t, s.Notifications, "", s.about(n))
		}
	}
	if ended {
		var stories, tally []string
		times := map[string]int{}
		for _, run := range c.ends {
			stories = append(stories, s.about(run)["story"])
			times[run["status"]]++
		}
		for _, status := range slices.Sorted(maps.Keys(times)) {
			tally = append(tally, strconv.Itoa(times[status])+" "+status)
		}
		t.add(s.say("{all_ended}", values{"tally": strings.Join(tally, ", "), "stories": strings.Join(stories, "\n\n")}))
	}
}

// work is the answer in a subagent's session: what came in is acknowledged, then the first
// step that was not taken is taken, or what the others gave is reported.
func (s *Script) work(t *turn, c *conversation) {
	steps, enough := s.steps(t, c), false
	for i, text := range c.prompts {
		if c.answers > 0 || i > 0 { // the first set the task
			v := values{"prompt": words.CutLine(text, 60), "n": strconv.Itoa(len(c.done))}
			v["continues"] = strconv.FormatBool(continues(text))
			enough = s.play(t, s.Messages, text, v).Ends || enough
		}
	}
	found := values{}
	var facts []string
	for _, st := range steps {
		call := s.call(st.Call, nil)
		i := slices.IndexFunc(c.done, func(v values) bool { return v["tool"] == call.Name && v["input"] == string(call.Input) })
		switch {
		case !st.When.in(found):
		case i >= 0:
			facts = append(facts, s.facts(st, c.done[i], found)...)
		case !enough && len(c.done) < 4:
			t.add(st.Say)
			t.calls = append(t.calls, call)
			return
		}
	}
	t.add(strings.Replace(strings.Join(facts, "\n- "), "\n", "\n\n", 1)) // the first, and a list of the others
}

// steps are those of the survey whose word stands in what opened the newest run that has one.
func (s *Script) steps(t *turn, c *conversation) []step {
	for _, opening := range slices.Backward(c.openings) {
		for _, survey := range s.Surveys {
			if strings.Contains(strings.ToLower(opening), survey.Word) {
				return survey.Steps
			}
		}
	}
	if len(c.done) == 0 {
		t.add(s.say("{unknown}", nil))
	}
	return s.Surveys[0].Steps
}

// note is the line in brackets with which a tool speaks of its own result.
var note = regexp.MustCompile(`(?:^|\n)\[(.*)\]\s*$`)

// facts are what there is to report of a step. They fill in what it found.
func (s *Script) facts(st step, result, found values) (facts []string) {
	text, report, failed, any := result["text"], st.Report, result["failed"] == "true", false
	v := values{"call": code(result["tool"] + " " + result["input"]), "sentence": code(result["sentence"]), "note": ""}
	if m := note.FindStringSubmatch(text); m != nil {
		v["note"], text = code(m[1]), strings.TrimSuffix(text, m[0])
	}
	for name, p := range st.Find {
		matches := p.FindAllStringSubmatch(text, -1)
		v[name], v[name+".count"] = shown(matches), strconv.Itoa(len(matches))
		found[name] = strconv.FormatBool(len(matches) > 0 && !failed)
		any = any || len(matches) > 0
	}
	switch {
	case failed:
		report = []string{st.Failed, "{not_done}"}
	case !any:
		report = []string{st.Nothing}
	}
	for _, template := range report {
		if fact, whole := s.fill(template, v); fact != "" && (whole || !any || failed) {
			facts = append(facts, fact)
		}
	}
	return facts
}

// shown writes the first of some matches: their groups.
func shown(matches [][]string) string {
	var all []string
	for i, m := range matches {
		if i == 8 {
			return strings.Join(all, ", ") + ", and " + strconv.Itoa(len(matches)-i) + " more"
		}
		all = append(all, "`"+code(strings.Join(m[1:], ":"))+"`")
	}
	return strings.Join(all, ", ")
}

// code is a text as it can stand between back quotes.
func code(text string) string { return words.Cut(strings.ReplaceAll(text, "`", "'"), 120) }

// rest is what stands behind the first sentence of a line, with its full stop.
var rest = regexp.MustCompile(`([^\s.])\.( .*)?$`)

// sentence is the first sentence of a text, at a length that fits a screen.
func sentence(text string) string {
	return words.Cut(rest.ReplaceAllString(words.FirstLine(text), "$1"), 160)
}

// mentioned is the one of the words that stands in a text as a whole word.
func mentioned(text string, among []string) string {
	said := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	for _, word := range among {
		if slices.Contains(said, word) {
			return word
		}
	}
	return ""
}
