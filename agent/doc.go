// Package agent is the room where models are asked: messages, the loop, and the
// types that providers and tools are made of. It knows no screen, no database and
// no process: main hands it functions.
//
// One turn of a session, parent or subagent:
//
//	Loop.Work(ctx, port)
//	  Resolve, Entries, Kit            the provider, the transcript, the tools
//	  mend                             calls that a dead process left get their result
//	  greet                            hooks: SessionStart, SubagentStart
//	  ┌─ makeRoom                      nearly full? a summary takes the conversation's place
//	  │  port.Step                     notifications and messages come in, on disk, with
//	  │                                what people's words name (Mention, Attached)
//	  │  Provider.Stream ──► draft     progress at once, records once a second
//	  │       └─ Gate, backoff         a failed attempt is taken back and made again
//	  │  keep                          answer, usage and opened calls in one transaction
//	  │  answer ──► permit ──► Tool.Run ──► afterwards, side by side
//	  │       │       │                └─ hooks: PostToolUse, told beside the result
//	  │       │       └─ the rules, then hooks: PreToolUse, then port.Ask; a yes of the rules
//	  │       │          may have a condition, which goes with the call (Leave.Environ)
//	  │       └─ port.Answered         each result with its record, and whose end it tells
//	  └─ until the model asks for nothing more, and hooks (Stop, SubagentStop) let it end
//	  Outcome                          the text, or a Failure with its kind
//
// A summary is asked of the same model with the same tools, beside the steps: compact
// records it with what it cost, in one transaction, and restates what no summary may
// lose (roster, said, Kit.Standing). A request that turns out too long leads there as
// well, once a step; so does a run that a person starts for nothing else (sumUp).
//
// A stop may come anywhere in there: ctx ends, tools return, every open call gets
// its result, and the text so far is kept in the log and in the transcript.
//
// What a model reads, gives, takes and costs is known before it is asked (ModelInfo): the
// table that is built in, under what main lays over it of the user's. The loop prices
// each answer by it, and sends no image to a model that takes none.
//
// The folders: one for each provider, wire (what they share of HTTP), script (the
// scripted model), remote (a run whose loop works in another process), permission,
// hook, mask, settings and sanitize.
package agent
