// Package agent asks models: messages, the loop, and the types that providers and tools
// are made of. It knows no screen, database or process; internal/app hands it functions.
//
// One run of a session, parent or subagent:
//
//	Loop.Work(ctx, port)
//	  Resolve, Entries, Kit            the provider, the transcript, the tools
//	  answerLostCalls                  calls that a dead process left open get a result
//	  runStartHooks                    hooks: SessionStart, SubagentStart
//	  ┌─ compactIfFull                 nearly full? a summary replaces the conversation
//	  │  port.Step                     stores and returns notifications and messages, with
//	  │                                the files that people named (Mention, Attached)
//	  │  Provider.Stream ──► draft     progress at once, records once a second
//	  │       └─ Gate, backoff         a failed attempt is discarded and retried
//	  │  recordAnswer                  answer, usage and calls in one transaction
//	  │  runCalls ──► permit ──► Tool.Run ──► runPostToolHooks, in parallel
//	  │       │          │            └─ hooks: PostToolUse, added to the result
//	  │       │          └─ the rules, then hooks: PreToolUse, then port.Ask; a rule may
//	  │       │             allow a call under a condition (Decision.Environ)
//	  │       └─ port.Answered         each result with its record and the runs it reports
//	  └─ until the model makes no more calls and hooks (Stop, SubagentStop) let it end
//	  Outcome                          the text, or a Failure with its kind
//
// For a summary, the same model is asked with the same tools, outside the steps. compact
// records it with its cost in one transaction, and repeats what a summary must not lose
// (openRuns, said, Kit.Standing). A request that proves too long also leads there, once a
// step, and so does a run that a person starts only for a summary (compactOnRequest).
//
// A stop can come at any point: ctx ends, tools return, every open call gets a result, and
// the text so far is kept in the log and in the transcript.
//
// ModelInfo holds what is known of a model before it is asked: limits, abilities, prices.
// It comes from the built-in table, with the user's settings on top. The loop prices each
// answer with it, and sends no images to a model that takes none, or whose server has refused them (sight).
//
// The folders below: one for each provider; wire, the HTTP they share; script, the
// scripted model; remote, for loops in other processes; permission, hook, mask, settings,
// types and sanitize.
package agent
