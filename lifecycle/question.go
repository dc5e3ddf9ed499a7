package lifecycle

import "encoding/json"

// Question asks whether a tool call may go ahead.
type Question struct {
	ID      QuestionID      `json:"question"`
	Session SessionID       `json:"session"`
	Run     RunID           `json:"run"`
	Call    CallID          `json:"call"`
	Tool    string          `json:"tool"`
	Subject string          `json:"subject"`        // what exactly, in one line: a command, a path
	View    json.RawMessage `json:"view,omitempty"` // the same for people, in agent's encoding
	Who     string          `json:"who,omitempty"`  // the subagent's description; empty for the parent
	// Effect is the sort of what would happen, by the name that rules have for it.
	Effect string `json:"effect,omitempty"`
	// Delicate says why it is asked about whatever rule or mode allows it, for what the
	// subject does not tell; empty where there is no such reason.
	Delicate string `json:"delicate,omitempty"`
	// Because says why it is asked about where that is not plain: an ask rule, say. Unlike
	// what is delicate, a hook may allow it.
	Because string `json:"because,omitempty"`
	// Each says that it is asked about for its own sake: a yes is one to this call, and
	// none to further ones of its tool.
	Each bool `json:"each,omitempty"`
	// Rules are what a yes for always would allow from then on; none: it is not offered.
	Rules []string `json:"rules,omitempty"`
	// Why, where it is not empty, is a hook's reason to ask: only a person may say yes
	// then, to just this, whatever rules and other grants say.
	Why string `json:"why,omitempty"`
	// Input is the call's, for hooks. The log has it already, where the call began.
	Input json.RawMessage `json:"-"`
}

// GrantScope says how far a yes reaches.
type GrantScope string

// The reaches of a yes.
const (
	GrantOnce    GrantScope = "once"    // this call
	GrantDenied  GrantScope = "denied"  // what was denied, exactly, in this session while this process has it open
	GrantRun     GrantScope = "run"     // calls of this tool in this run
	GrantSession GrantScope = "session" // calls of this tool in this session, while this process has it open
	GrantAlways  GrantScope = "always"  // what the question's rules allow, kept as the user's own
)

// Answer settles a question.
type Answer struct {
	Allow  bool       `json:"allow"`
	Scope  GrantScope `json:"scope,omitempty"`
	By     string     `json:"by"`               // person, rule, hook, nobody
	Reason string     `json:"reason,omitempty"` // told to the model with a no
}
