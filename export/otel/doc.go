// Package otel tells an OpenTelemetry collector, while a session runs, what its runs do:
// as spans, by OTLP over HTTP. Nothing here wakes unless the usual variables say where to.
//
//	OTEL_… ─► Read ─► Config ─► Start
//	records ─► Live.Note ─► tree: lifecycle.Spans, folded runs ─► span, once it is over
//	                          └─► sender: the SDK's batches ─► otlptracehttp ─► collector
//
// A run of the parent is a trace. What a subagent does in it stands below the call that
// started it:
//
//	invoke_agent general              the parent's run
//	├─ chat claude-sonnet-5-5         a request to the model, linked to each run it was told of
//	├─ execute_tool agent             a call
//	│  └─ invoke_agent explore        the run that it started
//	│     ├─ queued                   it waited for a slot
//	│     ├─ chat …, waiting          a retry, a rate limit
//	│     └─ execute_tool shell
//	│        └─ permission            a person was asked
//	└─ chat claude-sonnet-5-5
//
// A run whose parent's run is over begins a trace of its own, with links back. The ids are
// drawn from those of runs and calls: the same span has the same id, whoever sends it.
//
// A span can be sent only when it is over, so the steps of a long run arrive before the run
// itself. Moments (warnings, denials, stops, notifications) are events of the run's span.
//
// Nobody waits for the collector: Note puts spans into a bounded queue, what does not fit
// is counted and lost, what goes wrong stands in the log, and Close gives up when its
// context does.
//
// Batches, retries, compression and the messages of OTLP are OpenTelemetry's own
// (otlptracehttp and the SDK's batch processor). Its tracer is not used: it measures time as
// it passes, and here all times and ids come from records. The variables are read here, as
// the libraries read them from the process alone and say nothing of one that means nothing.
package otel
