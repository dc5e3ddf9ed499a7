package approval

import (
	"strconv"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Answer is one of the answers to a question: it has a letter, a number by its place, and
// the mark, which Enter takes.
type Answer struct {
	Key   string
	Words sanitize.Text        // in full
	few   sanitize.Text        // where there is little room
	Wide  lifecycle.GrantScope // it reaches further than the call; empty: it does not
}

// The letters of the answers.
const (
	Once      = "y"
	Turn      = "a"
	Session   = "s"
	Permanent = "p"
	No        = "n"
	Why       = "r" // no, with words
)

// Answers are those that a question has, in order.
func Answers(q lifecycle.Question) []Answer {
	all := []Answer{{Key: Once, Words: "once", few: "once"}}
	switch {
	case q.Each:
	case q.Exact:
		all = append(all, Answer{Key: Session, Words: "this command until you quit", few: "until quit", Wide: lifecycle.GrantDenied})
	default:
		all = append(all,
			Answer{Key: Turn, Words: draw.Sprintf("all %s until this turn ends", Calls(q.Tool)), few: "all this turn", Wide: lifecycle.GrantRun},
			Answer{Key: Session, Words: "until you quit", few: "until quit", Wide: lifecycle.GrantSession},
		)
	}
	if len(q.Rules) > 0 {
		all = append(all, Answer{Key: Permanent, Words: draw.Sprintf("permanently allow %s", sanitize.Line(strings.Join(q.Rules, ", "))), few: "permanently"})
	}
	return append(all,
		Answer{Key: No, Words: "no", few: "no"},
		Answer{Key: Why, Words: "refuse, and say why", few: "refuse + why"},
	)
}

// AnswerOf is the answer that a letter or a digit stands for: any other letter is text.
func AnswerOf(q lifecycle.Question, key string) (Answer, bool) {
	for i, a := range Answers(q) {
		if a.Key == key || key == strconv.Itoa(i+1) {
			return a, true
		}
	}
	return Answer{}, false
}

// answerLine draws the answers with their keys and the mark.
func (f *Front) answerLine(c draw.Canvas, q lifecycle.Question, v *View, long bool) []draw.Styled {
	all := Answers(q)
	at := f.marked(all)
	var parts []draw.Styled
	for i, a := range all {
		words := a.Words
		if !long || draw.Cells(words)+6 > c.Width {
			words = a.few
		}
		lead, look := draw.Styled(" "), c.Theme.Dim
		if i == at && (!v.Typed || f.Choosing) {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt), c.Theme.Selected
		}
		parts = append(parts, lead+c.Theme.Accent.Draw(draw.Sprintf("%d %s", i+1, sanitize.Line(a.Key)))+" "+look.Draw(words))
	}
	other := [][2]sanitize.Text{{"ctrl+c", "deny it and stop the run"}, {"tab", "the next"}}
	if !long {
		other = [][2]sanitize.Text{{"ctrl+c", "deny, stop"}, {"tab", "next"}}
	}
	for _, o := range other[:min(len(v.Waiting), 2)] {
		parts = append(parts, " "+c.Theme.Accent.Draw(o[0])+" "+c.Theme.Dim.Draw(o[1]))
	}
	return c.Flow(parts)
}
