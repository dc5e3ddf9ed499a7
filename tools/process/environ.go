package process

import (
	"slices"
	"strings"

	"pawl/agent/mask"
	"pawl/internal/launch"
)

// runName says in a program's environment whose run it is, for people to see.
const runName = "PAWL_RUN"

// secret says whether a variable is kept from programs: it holds a secret, or is one of
// a model provider's, whatever it holds.
func secret(name string) bool {
	providers := []string{
		"ANTHROPIC_", "CLAUDE_CODE_OAUTH", "OPENAI_", "AZURE_OPENAI_", "GEMINI_", "OPENROUTER_",
		"MISTRAL_", "GROQ_", "DEEPSEEK_", "XAI_", "COHERE_", "HUGGINGFACE_",
	}
	upper := strings.ToUpper(name)
	return mask.SecretVariable(name) || slices.ContainsFunc(providers, func(p string) bool { return strings.HasPrefix(upper, p) })
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

// without leaves variables out of an environment.
func without(environ, names []string) []string {
	if len(names) == 0 {
		return environ
	}
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
}
