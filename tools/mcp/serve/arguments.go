package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Start begins a session.
type Start struct {
	Prompt string `json:"prompt"`
	Folder string `json:"folder"`
	Model  string `json:"model"`
	Effort string `json:"effort"`
	Mode   string `json:"permission_mode"`
}

// Output reads a session.
type Output struct {
	Session string `json:"session_id"`
	WaitMS  int    `json:"wait_ms"`
	Since   *int   `json:"since"` // nil: no records
}

// Send says something to a session.
type Send struct {
	Session string `json:"session_id"`
	Message string `json:"message"`
}

// Stop stops a session.
type Stop struct {
	Session string `json:"session_id"`
	Reason  string `json:"reason"`
}

// MaxWait is the longest wait of one call, in milliseconds.
const MaxWait = 60_000

const instructions = `Pawl runs other agents for you, each in a session of its own that goes on by itself, also when you are gone. ` +
	`start begins one and returns at once; go on with your own work, then read it with output, which can wait. Do not start the same work twice. ` +
	`A status of "needs_you" means that a person has to answer a question in Pawl: you cannot.`

// tool is one of the tools, with its arguments as JSON Schema properties.
type tool struct {
	name, description string
	properties        string
	required, names   []string
	readOnly          bool
}

const sessionID = `"session_id": {"type": "string", "minLength": 1, "description": "of start"}`

var (
	toolStart = tool{
		name: "start", required: []string{"prompt"}, names: []string{"prompt", "folder", "model", "effort", "permission_mode"},
		description: "Starts an agent on a task, in a session of its own, and returns its session_id at once. It has its own tools (files, shell, subagents) and knows nothing of this conversation: put all that it needs into the prompt. Read it with output. Do not start the same work twice.",
		properties: `"prompt": {"type": "string", "minLength": 1, "description": "the whole task"},
			"folder": {"type": "string", "description": "where it works: the server's own folder, unless given, or one below it"},
			"model": {"type": "string", "description": "as PROVIDER/NAME; the user's own unless given"},
			"effort": {"type": "string", "enum": ["low", "medium", "high", "max"]},
			"permission_mode": {"type": "string", "enum": ["plan", "default", "accept-edits", "bypass"], "description": "no freer than the server was started with; plan only reads"}`,
	}
	toolList = tool{
		name: "list", readOnly: true,
		description: "Lists the sessions that this server has started, with their status and what they do now. You do not need it to wait: output waits.",
	}
	toolOutput = tool{
		name: "output", required: []string{"session_id"}, names: []string{"session_id", "wait_ms", "since"}, readOnly: true,
		description: "Reads a session: its status and, once it has ended, its answer. wait_ms waits a bounded time for that; when it has passed the session goes on. A status needs_you comes with the question: a person answers it in Pawl, you cannot. since adds the records of its log after that number.",
		properties: sessionID + `,
			"wait_ms": {"type": "integer", "minimum": 0, "maximum": 60000, "description": "wait at most this long until it has ended or needs a person; 0, the default: do not wait"},
			"since": {"type": "integer", "minimum": 0, "description": "record number: also the records after it, at most 200"}`,
	}
	toolSend = tool{
		name: "send", required: []string{"session_id", "message"}, names: []string{"session_id", "message"},
		description: "Says something to a session. One that works takes it in at its next step; one that has ended goes on with it. It answers no question of Pawl's.",
		properties:  sessionID + `, "message": {"type": "string", "minLength": 1}`,
	}
	toolStop = tool{
		name: "stop", required: []string{"session_id"}, names: []string{"session_id", "reason"},
		description: "Stops a session with everything in it, and gives what it has so far. send lets it go on.",
		properties:  sessionID + `, "reason": {"type": "string", "description": "why, in a few words"}`,
	}
)

func (t tool) described() *sdk.Tool {
	schema := map[string]json.RawMessage{
		"type": json.RawMessage(`"object"`), "additionalProperties": json.RawMessage(`false`), "properties": json.RawMessage("{" + t.properties + "}"),
	}
	if len(t.required) > 0 {
		schema["required"], _ = json.Marshal(t.required) // texts
	}
	return &sdk.Tool{Name: t.name, Description: t.description, InputSchema: schema, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.readOnly}}
}

// decode reads arguments. An error names what is wrong, and what the tool takes.
func (t tool) decode(raw json.RawMessage, into any) error {
	takes := strings.Join(t.names, ", ")
	if takes == "" {
		takes = "no arguments"
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return wrongArguments(t.name, errors.New(strings.TrimPrefix(err.Error(), "json: ")), takes)
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given) // it was decoded
	for _, name := range t.required {
		if value := bytes.TrimSpace(given[name]); len(value) == 0 || string(value) == `""` || string(value) == "null" {
			return wrongArguments(t.name, errors.New(name+" is missing"), takes)
		}
	}
	return nil
}
