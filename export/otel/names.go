package otel

// The names of attributes in the OpenTelemetry semantic conventions for generative AI
// (github.com/open-telemetry/semantic-conventions-genai, docs/gen-ai, read in November 2026,
// status Development). They have no Go package of their own.
const (
	keyOperation     = "gen_ai.operation.name"
	keyProvider      = "gen_ai.provider.name"
	keyModel         = "gen_ai.request.model"
	keyAnswerModel   = "gen_ai.response.model"
	keyAnswerID      = "gen_ai.response.id"
	keyFinish        = "gen_ai.response.finish_reasons"
	keyConversation  = "gen_ai.conversation.id"
	keyAgentID       = "gen_ai.agent.id"
	keyAgentName     = "gen_ai.agent.name"
	keyAgentAbout    = "gen_ai.agent.description"
	keyInputTokens   = "gen_ai.usage.input_tokens"
	keyOutputTokens  = "gen_ai.usage.output_tokens"
	keyCacheRead     = "gen_ai.usage.cache_read.input_tokens"
	keyCacheWritten  = "gen_ai.usage.cache_creation.input_tokens"
	keyToolName      = "gen_ai.tool.name"
	keyToolCall      = "gen_ai.tool.call.id"
	keyToolType      = "gen_ai.tool.type"
	keyToolArguments = "gen_ai.tool.call.arguments" // content
	keyInput         = "gen_ai.input.messages"      // content
	keyOutput        = "gen_ai.output.messages"     // content

	// From the general conventions (semantic-conventions 1.41).
	keyError  = "error.type"
	keyServer = "server.address"
	keyPort   = "server.port"
)

// schemaURL is the version of the general conventions that the names come from.
const schemaURL = "https://opentelemetry.io/schemas/1.41.0"

// Pawl's own names.
const (
	keyRun         = "pawl.run.id"
	keyState       = "pawl.run.state"
	keyCause       = "pawl.run.cause"
	keyTrigger     = "pawl.run.trigger"
	keyBackground  = "pawl.run.background"
	keyIsolation   = "pawl.run.isolation"
	keyWorker      = "pawl.worker.id"
	keyMachine     = "pawl.worker.machine"
	keySteps       = "pawl.run.steps"
	keyToolCalls   = "pawl.run.tool_calls"
	keyCost        = "pawl.cost_usd"
	keyEstimated   = "pawl.usage.estimated_tokens"
	keyFirstRecord = "pawl.record.first"
	keyLastRecord  = "pawl.record.last"
	keyStep        = "pawl.step"
	keyEffort      = "pawl.effort"   // that was sent, in the words of the model's maker
	keyFallback    = "pawl.fallback" // the model that was asked in place of the run's own
	keyToolStatus  = "pawl.tool.status"
	keyAttempt     = "pawl.attempt"
	keyWhy         = "pawl.why"
	keyBy          = "pawl.by"
	keyKind        = "pawl.kind"
	keyFiles       = "pawl.files"
	keyLeft        = "pawl.files_left"
	keyLink        = "pawl.link"
	keyAnswer      = "pawl.answer"
	keySubject     = "pawl.subject" // content
	keyText        = "pawl.text"    // content
)
