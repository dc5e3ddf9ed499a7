package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/tools/mcp"
)

// member is a key of a JSON object with its value. Objects are read as lists of them, so that what
// is not changed keeps its order.
type member struct {
	key   string
	value json.RawMessage
}

// listKey is the key of a project's file that has the servers.
const listKey = "mcpServers"

// withList changes the list of servers in the text of a project's file.
func withList(text string, change func([]member) ([]member, error)) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	file, err := members(json.RawMessage(text))
	if err != nil {
		return "", fmt.Errorf("%s: %w", mcp.ProjectFile, err)
	}
	at := slices.IndexFunc(file, func(m member) bool { return m.key == listKey })
	if at < 0 {
		at, file = len(file), append(file, member{listKey, json.RawMessage("{}")})
	}
	servers, err := members(file[at].value)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", mcp.ProjectFile, listKey, err)
	}
	if servers, err = change(servers); err != nil {
		return "", err
	}
	file[at].value = object(servers)
	var out bytes.Buffer
	if err := json.Indent(&out, object(file), "", "  "); err != nil {
		return "", err
	}
	return out.String() + "\n", nil
}

func members(text json.RawMessage) ([]member, error) {
	if !json.Valid(text) {
		var any any
		return nil, fmt.Errorf("not valid JSON: %w", json.Unmarshal(text, &any))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("it must be an object")
	}
	var all []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{}
		m.key, _ = key.(string)
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func object(all []member) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(encoded(m.key))
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// encoded is JSON as people write it: <, > and & stay.
func encoded(value any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // strings and what is made of them
	return strings.TrimSuffix(out.String(), "\n")
}
