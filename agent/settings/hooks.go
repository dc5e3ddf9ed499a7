package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"pawl/agent/hook"
)

// Hook is a hook as it is written in a settings file.
type Hook struct {
	Event   string    `toml:"event"`
	Match   string    `toml:"match"`
	Command any       `toml:"command"` // nil: hook.Limit
	Timeout *Duration `toml:"timeout"` // nil: hook.Limit
}

// hookKeys are the keys of a hook.
var hookKeys = []string{"event", "match", "command", "timeout"}

// HooksOf checks the hooks of a settings file; text is the file, to find their lines. A
// project's own programs are looked for in folder. The caller checks the names in their
// matches, because it knows the tools.
func HooksOf(path, text string, list []Hook, source hook.Source, folder string) ([]hook.Spec, error) {
	var specs []hook.Spec
	var found []error
	rows := hookRows(text)
	anywhere := findRows(text).place(path, "hooks")
	for i, one := range list {
		where := anywhere
		if i < len(rows) {
			where = fmt.Sprintf("%s:%d", path, rows[i])
		}
		spec, err := one.spec()
		spec.Source, spec.Folder, spec.Where = source, folder, where
		if err == nil {
			err = spec.CheckProgram()
		}
		if err != nil {
			found = append(found, &Error{where, "hook: " + err.Error()})
			continue
		}
		specs = append(specs, spec)
	}
	return specs, All(found...)
}

func (h Hook) spec() (spec hook.Spec, err error) {
	if spec.Event, err = hook.ParseEvent(h.Event); err != nil {
		return spec, err
	}
	if spec.Match = hook.Match(h.Match); h.Match == "*" {
		spec.Match = ""
	}
	if spec.Command, spec.Line, err = h.command(); err != nil {
		return spec, err
	}
	spec.Limit = hook.Limit
	if h.Timeout == nil {
		return spec, nil
	}
	if err := h.Timeout.unitless(); err != nil {
		return spec, fmt.Errorf("timeout %w", err)
	}
	if spec.Limit = time.Duration(*h.Timeout); spec.Limit <= 0 || spec.Limit > hook.Limit {
		return spec, fmt.Errorf("timeout %s: must be a duration of at most %s", spec.Limit, hook.Limit)
	}
	return spec, nil
}

// command is the command as a list or a line for sh.
func (h Hook) command() (list []string, line string, err error) {
	const form = `write command = ["program", "argument"], or command = "a line for sh"`
	switch c := h.Command.(type) {
	case nil:
		return nil, "", errors.New("it has no command: " + form)
	case string:
		if strings.TrimSpace(c) == "" {
			return nil, "", errors.New("its command is blank")
		}
		return nil, c, nil
	case []any:
		for _, part := range c {
			text, ok := part.(string)
			if !ok {
				return nil, "", fmt.Errorf("its command contains %v, which is not a string: %s", part, form)
			}
			list = append(list, text)
		}
		return list, "", nil
	}
	return nil, "", fmt.Errorf("command %v is neither a list nor a string: %s", h.Command, form)
}

// hookRows are the lines on which the hooks of a file begin; none if they are not written
// as [[hooks]].
func hookRows(text string) []int {
	var rows []int
	at := lineEnds(text)
	var parser unstable.Parser
	parser.Reset([]byte(text))
	for parser.NextExpression() {
		expression := parser.Expression()
		if expression.Kind != unstable.ArrayTable {
			continue
		}
		var name []string
		row := 0
		for keys := expression.Key(); keys.Next(); {
			row = at.of(keys.Node().Raw)
			name = append(name, string(keys.Node().Data))
		}
		if slices.Equal(name, []string{"hooks"}) {
			rows = append(rows, row)
		}
	}
	return rows
}
