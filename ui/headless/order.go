package headless

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// order is one type of line that another program may write: the command it stands for, with
// fields for what the command leaves open.
type order struct {
	name   string
	fields []string // all fields
	needs  []string // required fields
	read   func(line []byte, root lifecycle.SessionID) (act, error)
}

// act is what a line asks for: a command, or what only a client of a socket asks for.
type act struct {
	command lifecycle.Command
	watch   *watchOrder
	status  *statusOrder
	land    *LandOrder
	rewind  *RewindOrder
}

// orders is the table of the closed set: every command that a front end has. docs/stream-json.md
// explains each.
func orders() []order {
	return []order{
		of[message]("message"), of[ownShell]("shell"), of[edit]("edit"), of[move]("move"), of[withdraw]("withdraw"),
		of[answerTo]("answer"),
		of[stop]("stop"), of[stopForeground]("stop_foreground"),
		of[background]("background"), of[grant]("grant"), of[leave]("leave"), of[goOn]("continue"), of[compact]("compact"),
	}
}

// commander is the body of an order. Its fields are the line's; those without omitempty are
// required.
type commander interface {
	command(root lifecycle.SessionID) (lifecycle.Command, error)
}

func of[T commander](name string) order {
	return with(name, func(body T, root lifecycle.SessionID) (act, error) {
		command, err := body.command(root)
		return act{command: command}, err
	})
}

func with[T any](name string, read func(T, lifecycle.SessionID) (act, error)) order {
	o := order{name: name}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		tag, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		o.fields = append(o.fields, tag)
		if option == "" {
			o.needs = append(o.needs, tag)
		}
	}
	o.read = func(line []byte, root lifecycle.SessionID) (act, error) {
		var body T
		if err := json.Unmarshal(line, &body); err != nil {
			return act{}, misfit(err)
		}
		return read(body, root)
	}
	return o
}

func misfit(err error) error {
	wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
	if !is {
		return err
	}
	takes := "a string"
	switch wrong.Type.Kind() {
	case reflect.Int:
		takes = "a whole number"
	case reflect.Bool:
		takes = "true or false"
	default:
	}
	return fmt.Errorf("%s: it takes %s, not this %s", wrong.Field, takes, wrong.Value)
}

// readOrder parses one line. The id is returned even if the rest is wrong; the error says in one
// line what is wrong, and what was probably meant.
func readOrder(line []byte, table []order, root lifecycle.SessionID) (id string, asked act, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		return "", act{}, errors.New(`the line is not a JSON object: write one like {"type":"message","text":"…"}`)
	}
	if raw, ok := fields["id"]; ok && json.Unmarshal(raw, &id) != nil {
		return "", act{}, errors.New("id: it takes a string")
	}
	var name string
	if json.Unmarshal(fields["type"], &name) != nil {
		return id, act{}, errors.New(`the line has no "type": write one like {"type":"message","text":"…"}`)
	}
	o, err := orderNamed(name, table)
	if err != nil {
		return id, act{}, err
	}
	if err := o.fits(fields); err != nil {
		return id, act{}, fmt.Errorf("%s: %w", name, err)
	}
	if asked, err = o.read(line, root); err != nil {
		return id, act{}, fmt.Errorf("%s: %w", name, err)
	}
	return id, asked, nil
}

func orderNamed(name string, table []order) (order, error) {
	i := slices.IndexFunc(table, func(o order) bool { return o.name == name })
	if i < 0 {
		return order{}, fmt.Errorf("unknown type %q%s", name, words.DidYouMean(name, namesOf(table)))
	}
	return table[i], nil
}

func namesOf(table []order) []string {
	var names []string
	for _, o := range table {
		names = append(names, o.name)
	}
	return names
}

func (o order) fits(fields map[string]json.RawMessage) error {
	known := append([]string{"type", "id"}, o.fields...)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("unknown field %q%s", name, words.DidYouMean(name, known))
		}
	}
	for _, name := range o.needs {
		if raw, ok := fields[name]; !ok || bytes.Equal(raw, []byte("null")) {
			return fmt.Errorf("it needs %q", name)
		}
	}
	return nil
}
