// Package otel sends spans of a session's runs to an OpenTelemetry collector while the session
// runs, by OTLP over HTTP. It does nothing unless the usual variables name a collector.
//
//	OTEL_… ─► Read ─► Config ─► Start
//	records ─► Live.Note ─► tree: lifecycle.Spans, folded runs ─► span, once it is over
//	                          └─► sender: the SDK's batches ─► otlptracehttp ─► collector
//
// Each run of the parent is a trace. What a subagent does in it is below the call that started
// it:
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
// A run whose parent's run is over begins a trace of its own, with links back. Ids are derived
// from those of runs and calls: the same span always has the same id.
//
// A span can be sent only when it is over, so the steps of a long run arrive before the run
// itself. Moments (warnings, denials, stops, notifications) are events of the run's span.
//
// Nobody waits for the collector: Note puts spans into a bounded queue, those that do not fit
// are counted and dropped, errors are logged, and Close gives up when its context ends.
//
// Batches, retries, compression and the messages of OTLP are OpenTelemetry's own (otlptracehttp
// and the SDK's batch processor). Its tracer is not used: it measures time as it passes, while
// here all times and ids come from records. The variables are read here, because the libraries
// read only those of the process and do not report invalid ones.
package otel
