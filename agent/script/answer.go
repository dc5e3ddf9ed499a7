package script

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// turn is one answer: what is said, and the calls that are made.
type turn struct {
	text  string
	calls []agent.Call
}

// add says a paragraph more.
func (t *turn) add(text string, calls ...agent.Call) {
	if t.text != "" && text != "" {
		t.text += "\n\n"
	}
	t.text, t.calls = t.text+text, append(t.calls, calls...)
}

// answer is what comes now. In the user's own session, which alone can delegate, what
// came in is told in its order, then the user's message is answered.
func (s *Script) answer(req agent.Request) (t turn) {
	if agent.AsksForSummary(req) {
		req.Messages, req.Tools = req.Messages[:len(req.Messages)-1], nil
	}
	c := read(req.Messages)
	switch {
	case len(req.Tools) == 0: // somebody wants words, a summary or a title
		t.add(s.say("{no_tools}", values{"n": strconv.Itoa(len(req.Messages)), "prompt": quote(c.newest)}))
	case !offers(req, "agent"):
		s.work(&t, c)
	case len(c.acts)+len(c.notices)+len(c.prompts) == 0:
		t.add(s.say("{empty}", nil))
	default:
		s.tellResults(&t, c)
		s.tellEnds(&t, c)
		s.reply(&t, c, req)
	}
	return t
}

func offers(req agent.Request, tool string) bool {
	return slices.ContainsFunc(req.Tools, func(t agent.ToolSpec) bool { return t.Name == tool })
}

// tellResults tells what the calls of the newest answer gave, and goes on from there.
func (s *Script) tellResults(t *turn, c *conversation) {
	var underWay []string
	for _, a := range c.acts {
		v := s.about(a.v)
		v["tool"], v["failed"], v["sentence"] = a.tool, strconv.FormatBool(a.failed), sentence(a.text)
		v["lines"], v["made"] = strconv.Itoa(words.Lines(a.text)), strconv.Itoa(len(c.calls))
		r := s.Results[slices.IndexFunc(s.Results, func(r result) bool { return r.fits(a.text, v) })]
		t.add(s.say(r.Say, v))
		for _, v := range append(a.agents, v)[:max(1, len(a.agents))] { // for each of a list, else once
			for _, name := range r.Calls {
				t.add("", s.call(s.Calls[name], v))
			}
		}
		if a.tool == "agent" && alive(v) {
			underWay = append(underWay, v["description"])
		}
	}
	if len(underWay) > 0 {
		t.add(s.say("{under_way}", values{"names": strings.Join(underWay, " · ")}))
	}
}

func (r result) fits(text string, v values) bool {
	for name, value := range r.When {
		if v[name] != value {
			return false
		}
	}
	return strings.Contains(text, r.Has)
}

// about adds to what Pawl told of a subagent what the script says of it.
func (s *Script) about(told values) values {
	v, output := maps.Clone(told), strings.TrimSpace(told["output"])
	v["clause"], v["message"], v["begins"] = sentence(v["clause"]), sentence(v["message"]), sentence(output)
	ended, known := s.Ended[v["status"]]
	if !known {
		ended = "{ended_otherwise}"
	}
	v["ended"], v["report"] = s.say(ended, v), words.First(output, 1200)
	if v["report"] != output {
		v["report"] += "\n\n" + s.Texts["cut"]
	}
	switch {
	case output == "" || output == "(there was no text)":
		v["story"] = v["ended"] + "."
	case v["status"] == "completed" && v["output_is_partial"] != "true":
		v["story"] = s.say("{whole}", v)
	default:
		v["story"] = s.say("{partial}", v)
	}
	return v
}

// tellEnds tells which runs ended, and when none is left how each did.
func (s *Script) tellEnds(t *turn, c *conversation) {
	ended := c.allEnded()
	for i, n := range c.notices {
		switch v := s.about(n); {
		case v["kind"] != "":
			t.add(s.say("{shell}", v))
		case ended && len(c.notices) > 1: // the summary tells of it
		case v["status"] == "completed" && v["remaining"] != "0":
			t.add(s.say("{ended}. {begins}.", v))
		default:
			t.add(v["ended"] + ".")
		}
		if left, _ := strconv.Atoi(n["remaining"]); i == len(c.notices)-1 && left > 0 {
			t.add(s.say("{left}", n))
		}
	}
	if !ended {
		return
	}
	var stories, tally []string
	times := map[string]int{}
	for _, v := range c.ends {
		stories = append(stories, s.about(v)["story"])
		times[v["status"]]++
	}
	for _, state := range lifecycle.States() {
		if n := times[string(state)]; n > 0 {
			tally = append(tally, fmt.Sprintf("%d %s", n, state))
		}
	}
	t.add(s.say("{all_ended}", values{"tally": strings.Join(tally, ", "), "stories": strings.Join(stories, "\n\n")}))
}

// reply answers what the user wrote.
func (s *Script) reply(t *turn, c *conversation, req agent.Request) {
	if len(c.prompts) == 0 {
		return
	}
	prompt := c.prompts[len(c.prompts)-1]
	started := slices.ContainsFunc(c.calls, func(a act) bool { return a.tool == "agent" && !a.failed })
	for _, a := range s.Answers {
		word, said := mentions(prompt, a.Words)
		alone := c.answers > 0 || strings.EqualFold(strings.TrimSpace(prompt), word)
		if len(a.Words) > 0 && !(said && alone) || a.When == "first" && c.answers > 0 || a.When == "started" && !started {
			continue
		}
		v := values{"word": word, "prompt": quote(prompt), "tools": strings.Join(a.Needs, " and "), "made": strconv.Itoa(len(c.calls))}
		if slices.ContainsFunc(a.Needs, func(tool string) bool { return !offers(req, tool) }) {
			t.add(s.say("{missing}", v))
			return
		}
		t.add(s.say(a.Say, v))
		for _, name := range a.Calls {
			t.add("", s.call(s.Calls[name], v))
		}
		return
	}
}

// mentions says which of the words stands in the text as a whole word.
func mentions(text string, among []string) (word string, found bool) {
	said := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	for _, word := range among {
		if slices.Contains(said, word) {
			return word, true
		}
	}
	return "", false
}

func quote(text string) string { return "“" + words.CutLine(text, 60) + "”" }

// rest is what stands behind the first sentence of a line, with its full stop.
var rest = regexp.MustCompile(`([^\s.])\.( .*)?$`)

// sentence is the first sentence of a text, at a length that fits a screen.
func sentence(text string) string {
	return words.Cut(rest.ReplaceAllString(words.FirstLine(text), "$1"), 160)
}
