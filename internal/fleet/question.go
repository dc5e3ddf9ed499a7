package fleet

import (
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// longestQuestion is the length of a question's text in runes. A longer one is cut, and says so.
const longestQuestion = 50_000

// Question is an open question as it is shown to a person elsewhere.
type Question struct {
	Question lifecycle.QuestionID `json:"question"`
	Session  lifecycle.SessionID  `json:"session"`
	Who      string               `json:"who"` // the subagent's description; empty for the agent itself
	Tool     string               `json:"tool"`
	Subject  string               `json:"subject"`       // in one line
	Text     string               `json:"text"`          // all that is asked: the subject, what the call would do, why it is asked
	Cut      bool                 `json:"cut,omitempty"` // Text is not all: answer where it can be read whole
}

func questionOf(q lifecycle.Question) Question {
	text := textOf(q)
	short := words.Cut(text, longestQuestion)
	return Question{Question: q.ID, Session: q.Session, Who: q.Who, Tool: q.Tool, Subject: words.Line(q.Subject), Text: short, Cut: short != text}
}

// Whole is the question as a screen shows it that has only this of it; nil if it is not whole.
func (q Question) Whole() *lifecycle.Question {
	if q.Cut {
		return nil
	}
	return &lifecycle.Question{
		ID: q.Question, Session: q.Session, Who: q.Who, Tool: q.Tool, Subject: q.Subject,
		View: agent.EncodeView(agent.PlainView{Text: q.Text}),
	}
}

func textOf(q lifecycle.Question) string {
	parts := []string{q.Subject, q.AlwaysAsk, q.Because}
	view, err := agent.DecodeView(q.View)
	if err != nil {
		parts = append(parts, err.Error())
	}
	parts = append(parts, effectOf(view, q.Subject)...)
	if q.Why != "" {
		parts = append(parts, "because of a hook: "+q.Why)
	}
	var text []string
	for _, part := range parts {
		if part = strings.TrimRight(part, "\n"); part != "" {
			text = append(text, part)
		}
	}
	return strings.ToValidUTF8(strings.Join(text, "\n"), "\uFFFD")
}

// effectOf is what a call would do, beyond its subject.
func effectOf(view agent.View, subject string) []string {
	switch v := view.(type) {
	case agent.CommandView:
		if v.Command == subject && v.Output == "" {
			return []string{v.Note}
		}
		return []string{v.Command, v.Note}
	case agent.DiffView:
		return []string{v.Diff}
	case agent.PlainView:
		return []string{v.Text}
	case agent.ListingView:
		return append([]string{v.Title}, v.Items...)
	case nil, agent.TodoView, agent.RunView:
	}
	return nil
}
