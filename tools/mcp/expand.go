package mcp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// variable matches ${NAME} and ${NAME:-default}.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)
})

// Reads lists the environment variables that the specification refers to, sorted and each once.
func (s Spec) Reads() []string {
	names := map[string]bool{}
	for _, text := range s.texts() {
		for _, found := range variable().FindAllStringSubmatch(text, -1) {
			names[found[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// variables are the environment to expand from. Withheld ones are given to no server of a
// project: a repository must not get the keys of models.
type variables struct {
	values   map[string]string
	withheld []string
}

func newVariables(environ, withheld []string) variables {
	v := variables{values: map[string]string{}, withheld: withheld}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		v.values[name] = value
	}
	return v
}

// expanded is the specification with its variables expanded. The error names one that cannot be.
func (s Spec) expanded(v variables) (Spec, error) {
	var err error
	put := func(text string) string {
		return variable().ReplaceAllStringFunc(text, func(found string) string {
			parts := variable().FindStringSubmatch(found)
			value, missing := v.get(s, parts[1], parts[2] != "", parts[3])
			if err == nil {
				err = missing
			}
			return value
		})
	}
	s.Command = slices.Clone(s.Command)
	for i, word := range s.Command {
		s.Command[i] = put(word)
	}
	s.URL = put(s.URL)
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
func (v variables) get(s Spec, name string, hasDefault bool, fallback string) (string, error) {
	if s.Project && slices.Contains(v.withheld, name) {
		return "", fmt.Errorf("%s is for a model server, and no MCP server of %s gets it: if one needs it, set that server up in config.toml", name, s.From)
	}
	value, set := v.values[name]
	switch {
	case hasDefault && value == "":
		return fallback, nil
	case !set:
		return "", fmt.Errorf("%s is not set: set it, or write ${%s:-a default}", name, name)
	}
	return value, nil
}
