// Package script is the model that needs no key: it plays a script, demo.toml, and streams
// like a real model. What it says depends on the conversation alone, so a run that was
// stopped or resumed continues where its transcript ends; and it claims only what a tool
// result or a notification said.
package script

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent"
	"pawl/internal/words"
)

//go:embed demo.toml
var demo string

// Script is what a scripted model says and does. demo.toml explains each field.
type Script struct {
	Texts                                     map[string]string
	Calls                                     map[string]call
	Answers, Results, Notifications, Messages []line
	Surveys                                   []survey
}

type line struct {
	When  values
	Match *regexp.Regexp
	Say   string
	Calls []string
	Ends  bool
}

type call struct{ Tool, Input string }

type survey struct {
	Word  string
	Steps []step
}

type step struct {
	Unless, Say, Nothing, Failed string
	Call                         call
	Find                         map[string]*regexp.Regexp
	Report                       []string
}

// Parse parses a script. Unknown fields are errors.
func Parse(text string) (*Script, error) {
	s := &Script{}
	if err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(s); err != nil {
		return nil, fmt.Errorf("read a model's script: %w", err)
	}
	return s, nil
}

// Demo is the script of `pawl demo`.
func Demo() *Script {
	s, err := Parse(demo)
	if err != nil { // it is part of the program, and tests parse it
		panic(err)
	}
	return s
}

// values fill the {placeholders} of a text.
type values map[string]string

// placeholder matches {name}, {one|other} for the first that is not empty, and {n step}
// for a number with its noun.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z_.|]+)(?: ([a-z]+))?\}`) })

// fill fills the placeholders of a text with values and the script's own texts. whole
// reports whether each had one.
func (s *Script) fill(text string, v values) (filled string, whole bool) {
	whole = true
	filled = placeholder().ReplaceAllStringFunc(text, func(found string) string {
		m, value := placeholder().FindStringSubmatch(found), ""
		for name := range strings.SplitSeq(m[1], "|") {
			value = cmp.Or(value, v[name], s.say(s.Texts[name], v))
		}
		if n, err := strconv.Atoi(value); m[2] != "" && err == nil {
			value = words.Count(n, m[2])
		}
		whole = whole && value != ""
		return value
	})
	return filled, whole
}

func (s *Script) say(text string, v values) string {
	filled, _ := s.fill(text, v)
	return filled
}

// call makes a tool call. whole is as for its input.
func (s *Script) call(c call, v values) (made agent.Call, whole bool) {
	quoted := values{}
	for name, value := range v {
		b, _ := json.Marshal(value) // a string can always be encoded
		quoted[name] = string(b[1 : len(b)-1])
	}
	input, whole := s.fill(c.Input, quoted)
	return agent.Call{Name: c.Tool, Input: []byte(input)}, whole
}
