package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pawl/internal/variables"
)

// Reads lists the environment variables that the specification refers to, sorted and each once.
func (s Spec) Reads() []string { return variables.Names(s.texts()...) }

// environment is what is expanded from. Withheld ones are given to no server of a
// project: a repository must not get the keys of models.
type environment struct {
	values   map[string]string
	withheld []string
}

func newEnvironment(environ, withheld []string) environment {
	v := environment{values: map[string]string{}, withheld: withheld}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		v.values[name] = value
	}
	return v
}

// expanded is the specification with its variables expanded. The error names one that cannot be.
func (s Spec) expanded(v environment) (Spec, error) {
	var err error
	put := func(text string) string {
		done, missing := variables.Expand(text, func(r variables.Reference) (string, error) { return v.get(s, r) })
		if err == nil {
			err = missing
		}
		return done
	}
	s.Command = slices.Clone(s.Command)
	for i, word := range s.Command {
		s.Command[i] = put(word)
	}
	s.URL, s.ClientID, s.ClientSecret = put(s.URL), put(s.ClientID), put(s.ClientSecret)
	s.Env, s.Headers = maps.Clone(s.Env), maps.Clone(s.Headers)
	for _, all := range []map[string]string{s.Env, s.Headers} {
		for name, text := range all {
			all[name] = put(text)
		}
	}
	if err == nil && s.URL != "" {
		err = CheckURL(s.URL)
	}
	return s, err
}

// get is the value of one variable; as in a shell, an empty one takes its default too.
func (v environment) get(s Spec, r variables.Reference) (string, error) {
	if s.Project && slices.Contains(v.withheld, r.Name) {
		return "", fmt.Errorf("%s is for a model server, and no MCP server of %s gets it: if one needs it, set that server up in config.toml", r.Name, s.From)
	}
	value, set := v.values[r.Name]
	switch {
	case r.HasDefault && value == "":
		return r.Default, nil
	case !set:
		return "", fmt.Errorf("%s is not set: set it, or write ${%s:-a default}", r.Name, r.Name)
	}
	return value, nil
}
