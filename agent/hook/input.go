package hook

import (
	"encoding/json"
	"fmt"

	"pawl/agent"
	"pawl/lifecycle"
)

// message is what a program reads. Fields are named as in other agents where they mean the
// same.
type message struct {
	Event        agent.HookEvent     `json:"hook_event_name"`
	Session      lifecycle.SessionID `json:"session_id"`
	Run          lifecycle.RunID     `json:"run_id"`
	Folder       string              `json:"cwd"`
	Machine      string              `json:"machine,omitempty"` // where the run works, if that is another
	Mode         string              `json:"permission_mode,omitempty"`
	Agent        lifecycle.SessionID `json:"agent_id,omitempty"`
	AgentType    string              `json:"agent_type,omitempty"`
	Background   bool                `json:"background,omitempty"`
	Tool         string              `json:"tool_name,omitempty"`
	Input        json.RawMessage     `json:"tool_input,omitempty"`
	Call         lifecycle.CallID    `json:"tool_use_id,omitempty"`
	Response     *response           `json:"tool_response,omitempty"`
	Source       string              `json:"source,omitempty"`
	Prompt       string              `json:"prompt,omitempty"`
	Active       *bool               `json:"stop_hook_active,omitempty"`
	Last         *string             `json:"last_assistant_message,omitempty"`
	Notification string              `json:"notification_type,omitempty"`
	Message      string              `json:"message,omitempty"`
	Attach       string              `json:"attach,omitempty"` // the command that shows the session
}

type response struct {
	Text    string `json:"text"`
	IsError bool   `json:"is_error"`
}

// Input is the line of JSON that the hooks of an event read. mode is the current
// permission mode.
func Input(o agent.HookInput, mode string) ([]byte, error) {
	m := message{Event: o.Event, Session: o.Run.Root, Run: o.Run.ID, Folder: o.Run.Folder, Mode: mode}
	if o.Run.Placed != nil {
		m.Machine = o.Run.Placed.Machine
	}
	if o.Run.Subagent() {
		m.Agent, m.AgentType, m.Background = o.Run.Session, o.Run.Type, o.Run.Background
	}
	switch o.Event {
	case agent.HookPreToolUse, agent.HookPostToolUse, agent.HookPermissionRequest:
		m.Tool, m.Input, m.Call = o.Call.Name, o.Call.Input, o.Call.ID
		if o.Result != nil {
			m.Response = &response{o.Result.Text, o.Result.IsError}
		}
	case agent.HookSubagentStart:
		m.Prompt = o.Text
	case agent.HookSubagentStop, agent.HookStop:
		m.Active, m.Last = &o.Again, &o.Text
	case agent.HookSessionStart:
		m.Source = o.Kind
	case agent.HookNotification:
		m.Notification, m.Message = o.Kind, o.Text
	case agent.HookNeedsInput, agent.HookAllEnded:
		m.Message, m.Attach = o.Text, "pawl attach "+string(o.Run.Root)
	}
	line, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("write what it reads: %w", err)
	}
	return append(line, '\n'), nil
}
