package tools

import (
	"slices"
	"strings"

	"a.pawl/launch"
)

// runName says in a program's environment whose run it is, for people to see.
const runName = "PAWL_RUN"

// secret says whether a variable of that name may hold a key, a token or a password.
// An address is none, though a password can stand in it (DATABASE_URL): what a
// project's own programs need to run has to stay.
func secret(name string) bool {
	names := []string{
		"API_KEY", "APIKEY", "TOKEN", "SECRET", "GOOGLE_APPLICATION_CREDENTIALS", "OTEL_EXPORTER_OTLP_HEADERS",
	}
	starts := []string{
		"ANTHROPIC_", "CLAUDE_CODE_OAUTH", "OPENAI_", "AZURE_OPENAI_", "GEMINI_", "OPENROUTER_",
		"MISTRAL_", "GROQ_", "DEEPSEEK_", "XAI_", "COHERE_", "HUGGINGFACE_",
	}
	ends := []string{
		"_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "_PASS", "_PWD",
		"_PAT", "_AUTH", "_CREDENTIALS", "_CREDS",
	}
	name = strings.ToUpper(name)
	return slices.Contains(names, name) ||
		slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(name, start) }) ||
		slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }) ||
		strings.HasPrefix(name, "GOOGLE_") && strings.Contains(name, "KEY")
}

// cleanEnviron takes the secrets out of an environment and puts run and mark in,
// the mark behind those of a Pawl around this one.
func cleanEnviron(environ []string, run, mark string) []string {
	clean, marks := []string{}, []string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case name == launch.MarkName:
			marks = launch.Marks(value)
		case name == runName || secret(name):
		default:
			clean = append(clean, entry)
		}
	}
	return append(clean, runName+"="+run, launch.MarkName+"="+strings.Join(append(marks, mark), ":"))
}
