package headless

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/lifecycle"
)

// The bodies. A missing session means the parent's.
type (
	message struct {
		Text    string              `json:"text"`
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	ownShell struct {
		Command string              `json:"command"`
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	edit struct {
		Message lifecycle.MessageID `json:"message"`
		Text    string              `json:"text"`
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	move struct {
		Message lifecycle.MessageID `json:"message"`
		To      int                 `json:"to"`
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	withdraw struct {
		Message lifecycle.MessageID `json:"message"`
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	answerTo struct {
		Question lifecycle.QuestionID `json:"question"`
		Answer   string               `json:"answer"`
		Reason   string               `json:"reason,omitempty"`
	}
	stop struct {
		Session lifecycle.SessionID `json:"session,omitempty"` // or everySession
		Reason  string              `json:"reason,omitempty"`
	}
	stopForeground struct{}
	background     struct {
		Session lifecycle.SessionID `json:"session,omitempty"` // empty: all that the parent waits for
	}
	grant struct {
		Session lifecycle.SessionID `json:"session,omitempty"`
		Always  bool                `json:"always,omitempty"`
	}
	leave struct {
		Session lifecycle.SessionID `json:"session"`
	}
	goOn struct {
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	compact struct {
		Instructions string `json:"instructions,omitempty"`
	}
)

// everySession is the session that means all for stop.
const everySession lifecycle.SessionID = "all"

// A message from a program attaches only files of the folder that it names: it has no Reach.
func (m message) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Send{Session: cmp.Or(m.Session, root), Text: m.Text}, nil
}

func (s ownShell) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.RunShell{Session: cmp.Or(s.Session, root), Command: s.Command}, nil
}

func (e edit) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.EditMessage{Session: cmp.Or(e.Session, root), Message: e.Message, Text: e.Text}, nil
}

func (m move) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	if m.To < 0 {
		return nil, fmt.Errorf("to: it takes a place, 0 for the first, not %d", m.To)
	}
	return lifecycle.MoveMessage{Session: cmp.Or(m.Session, root), Message: m.Message, To: m.To}, nil
}

func (w withdraw) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.WithdrawMessage{Session: cmp.Or(w.Session, root), Message: w.Message}, nil
}

func (s stop) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	if s.Session == everySession {
		return lifecycle.StopAll{Root: root, Cause: lifecycle.CauseCommand}, nil
	}
	return lifecycle.Stop{Session: cmp.Or(s.Session, root), Cause: lifecycle.CauseCommand, Reason: s.Reason}, nil
}

func (stopForeground) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.StopForeground{Session: root, Cause: lifecycle.CauseCommand}, nil
}

func (b background) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	if b.Session == "" {
		return lifecycle.DetachForeground{Session: root}, nil
	}
	return lifecycle.Detach{Session: b.Session}, nil
}

func (g grant) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Grant{Session: cmp.Or(g.Session, root), Always: g.Always}, nil
}

func (l leave) command(lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Leave{Session: l.Session}, nil
}

func (g goOn) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Continue{Session: cmp.Or(g.Session, root)}, nil
}

func (c compact) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Compact{Session: root, Instructions: c.Instructions}, nil
}

// no denies; the other answers allow and say how far.
const no = "no"

func answers() []string {
	return []string{
		string(lifecycle.GrantOnce), string(lifecycle.GrantRun), string(lifecycle.GrantSession), string(lifecycle.GrantAlways), no,
	}
}

func (a answerTo) command(lifecycle.SessionID) (lifecycle.Command, error) {
	if !slices.Contains(answers(), a.Answer) {
		return nil, fmt.Errorf("%q must be one of %s (each except no allows, and says for how long)", a.Answer, strings.Join(answers(), ", "))
	}
	if a.Answer == no {
		return lifecycle.Resolve{Question: a.Question, Answer: lifecycle.Answer{Reason: a.Reason}}, nil
	}
	if a.Reason != "" {
		return nil, errors.New("reason: only the answer no takes one")
	}
	return lifecycle.Resolve{Question: a.Question, Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantScope(a.Answer)}}, nil
}
