package headless

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pawl/agent/nearest"
	"pawl/lifecycle"
)

// order is one type of line that another program may write: the command that it
// stands for, with a field where the command leaves something open.
type order struct {
	name   string
	fields []string // all that it has
	needs  []string // those that must be there
	read   func(line []byte, root lifecycle.SessionID) (lifecycle.Command, error)
}

// orders is the one table of the closed set: every command that a front end has.
// docs/stream-json.md explains each.
func orders() []order {
	return []order{
		of[message]("message"), of[edit]("edit"), of[move]("move"), of[withdraw]("withdraw"),
		of[answerTo]("answer"),
		of[stop]("stop"), of[stopForeground]("stop_foreground"),
		of[background]("background"), of[grant]("grant"), of[goOn]("continue"), of[compact]("compact"),
	}
}

// commander is the body of an order. Its fields are the line's; those without
// omitempty must be there.
type commander interface {
	command(root lifecycle.SessionID) (lifecycle.Command, error)
}

func of[T commander](name string) order {
	o := order{name: name}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		tag, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		o.fields = append(o.fields, tag)
		if option == "" {
			o.needs = append(o.needs, tag)
		}
	}
	o.read = func(line []byte, root lifecycle.SessionID) (lifecycle.Command, error) {
		var body T
		if err := json.Unmarshal(line, &body); err != nil {
			return nil, misfit(err)
		}
		return body.command(root)
	}
	return o
}

// misfit words a value of the wrong sort.
func misfit(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	takes := "a text"
	switch wrong.Type.Kind() {
	case reflect.Int:
		takes = "a whole number"
	case reflect.Bool:
		takes = "true or false"
	default:
	}
	return fmt.Errorf("%s: it takes %s, not this %s", wrong.Field, takes, wrong.Value)
}

// readOrder reads one line. The id is the line's own, also where the rest of it is
// wrong; the error says in one line what is, and what was probably meant.
func readOrder(line []byte, root lifecycle.SessionID) (id string, command lifecycle.Command, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		return "", nil, errors.New(`the line is no JSON object: write one like {"type":"message","text":"…"}`)
	}
	if raw, ok := fields["id"]; ok && json.Unmarshal(raw, &id) != nil {
		return "", nil, errors.New("id: it takes a text")
	}
	var name string
	if json.Unmarshal(fields["type"], &name) != nil {
		return id, nil, errors.New(`the line has no "type": write one like {"type":"message","text":"…"}`)
	}
	o, err := orderNamed(name)
	if err != nil {
		return id, nil, err
	}
	if err := o.fits(fields); err != nil {
		return id, nil, fmt.Errorf("%s: %w", name, err)
	}
	if command, err = o.read(line, root); err != nil {
		return id, nil, fmt.Errorf("%s: %w", name, err)
	}
	return id, command, nil
}

func orderNamed(name string) (order, error) {
	all := orders()
	i := slices.IndexFunc(all, func(o order) bool { return o.name == name })
	if i < 0 {
		return order{}, fmt.Errorf("unknown type %q; did you mean %q?", name, nearest.To(name, orderNames()))
	}
	return all[i], nil
}

func orderNames() []string {
	var names []string
	for _, o := range orders() {
		names = append(names, o.name)
	}
	return names
}

// fits says what a line has too much, and what it lacks.
func (o order) fits(fields map[string]json.RawMessage) error {
	known := append([]string{"type", "id"}, o.fields...)
	for name := range fields {
		if !slices.Contains(known, name) {
			return fmt.Errorf("unknown field %q; did you mean %q?", name, nearest.To(name, known))
		}
	}
	for _, name := range o.needs {
		if raw, ok := fields[name]; !ok || bytes.Equal(raw, []byte("null")) {
			return fmt.Errorf("it needs %q", name)
		}
	}
	return nil
}

// The bodies. A session that is left out is the parent's.
type (
	message struct {
		Text    string              `json:"text"`
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
		Session lifecycle.SessionID `json:"session,omitempty"` // none: all that the parent waits for
	}
	grant struct {
		Session lifecycle.SessionID `json:"session,omitempty"`
		Always  bool                `json:"always,omitempty"`
	}
	goOn struct {
		Session lifecycle.SessionID `json:"session,omitempty"`
	}
	compact struct {
		Instructions string `json:"instructions,omitempty"`
	}
)

// everySession is what stop takes for a session to end all that runs.
const everySession lifecycle.SessionID = "all"

// What a program says brings along what it names in the folder, and nothing from
// elsewhere: it has no Reach.
func (m message) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Send{Session: cmp.Or(m.Session, root), Text: m.Text}, nil
}

func (e edit) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.EditMessage{Session: cmp.Or(e.Session, root), Message: e.Message, Text: e.Text}, nil
}

func (m move) command(root lifecycle.SessionID) (lifecycle.Command, error) {
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

func (g goOn) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Continue{Session: cmp.Or(g.Session, root)}, nil
}

func (c compact) command(root lifecycle.SessionID) (lifecycle.Command, error) {
	return lifecycle.Compact{Session: root, Instructions: c.Instructions}, nil
}

// no is the answer that allows nothing; the others say how far a yes reaches.
const no = "no"

// answers are those that a question takes.
func answers() []string {
	return []string{
		string(lifecycle.GrantOnce), string(lifecycle.GrantRun), string(lifecycle.GrantSession), string(lifecycle.GrantAlways), no,
	}
}

func (a answerTo) command(lifecycle.SessionID) (lifecycle.Command, error) {
	if !slices.Contains(answers(), a.Answer) {
		return nil, fmt.Errorf("answer: %q is none of %s; did you mean %q?", a.Answer, strings.Join(answers(), ", "), nearest.To(a.Answer, answers()))
	}
	if a.Answer == no {
		return lifecycle.Resolve{Question: a.Question, Answer: lifecycle.Answer{Reason: a.Reason}}, nil
	}
	if a.Reason != "" {
		return nil, errors.New("reason: only a no has one")
	}
	return lifecycle.Resolve{Question: a.Question, Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantScope(a.Answer)}}, nil
}
