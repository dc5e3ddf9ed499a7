package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ProjectFile is the file of a folder that lists servers, as in other tools.
const ProjectFile = ".mcp.json"

// entry is one server of the file. Unknown keys belong to other tools and are ignored.
type entry struct {
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	OAuth   struct {
		ClientID     string   `json:"clientId"`
		CallbackPort int      `json:"callbackPort"`
		Scopes       []string `json:"scopes"`
	} `json:"oauth"`
}

// ParseProject reads a ProjectFile and returns its servers by name. One that cannot be used says
// why in Wrong. The one-line error means that the whole file is invalid.
func ParseProject(text []byte) ([]Spec, error) {
	var file struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %s", ProjectFile, misfit("", err))
	}
	var specs []Spec
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		spec := Spec{Name: name, From: ProjectFile, Project: true}
		var e entry
		if err := json.Unmarshal(file.Servers[name], &e); err != nil {
			spec.Wrong = misfit("mcpServers."+name, err)
		} else if err := e.into(&spec); err != nil {
			spec.Wrong = err.Error()
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

func (e entry) into(s *Spec) error {
	if err := CheckName(s.Name); err != nil {
		return err
	}
	kind := e.Type
	if kind == "" && e.URL != "" && e.Command == "" {
		kind = "http"
	}
	switch kind {
	case "", "stdio":
		if strings.TrimSpace(e.Command) == "" {
			return errors.New("it has neither a command nor a url")
		}
		s.Command, s.Env = append([]string{e.Command}, e.Args...), e.Env
	case "http", "streamable-http":
		if e.URL == "" {
			return errors.New("its type is http and it has no url")
		}
		s.URL, s.Headers = e.URL, e.Headers
		s.ClientID, s.Port, s.Scopes = e.OAuth.ClientID, e.OAuth.CallbackPort, e.OAuth.Scopes
	case "sse":
		return errors.New("its type is sse, which is no longer supported: use the server's address for http")
	default:
		return fmt.Errorf("its type is %q: must be stdio or http", e.Type)
	}
	return nil
}

func misfit(at string, err error) string {
	wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
	if !is {
		return "not valid JSON: " + err.Error()
	}
	if wrong.Field != "" {
		at = strings.TrimPrefix(at+"."+wrong.Field, ".")
	}
	if at == "" {
		at = "it"
	}
	takes := map[string]string{"string": "a string", "[]string": "a list of strings", "map[string]string": "an object of strings"}[wrong.Type.String()]
	if takes == "" {
		takes = "an object"
	}
	return fmt.Sprintf("%s is %s, but must be %s", at, wrong.Value, takes)
}
