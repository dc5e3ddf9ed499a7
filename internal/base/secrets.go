package base

import (
	"io"
	"slices"
	"strings"

	"pawl/agent/mask"
	"pawl/export/otel"
	"pawl/internal/models"
)

// Secrets returns the values in an environment that must not be written down: the keys of
// models, and values of variables whose names say that they are secret. Paths, numbers and
// common words are not secret.
func Secrets(environ []string) []string {
	var values []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		key := slices.ContainsFunc(models.BuiltIn(), func(p models.Provider) bool { return p.Secret && p.Variable == name })
		if key || (mask.SecretName(name) || mask.SecretVariable(name)) && !everyday(value) {
			values = append(values, value)
		}
		if strings.HasPrefix(name, "OTEL_") && strings.HasSuffix(name, "_HEADERS") { // several in one value
			values = append(values, slices.DeleteFunc(otel.Secrets(value), everyday)...)
		}
	}
	return values
}

// everyday reports whether a value is a path, or only letters or only digits: masking those
// would hide words in unrelated texts.
func everyday(value string) bool {
	only := func(chars string) bool { return strings.Trim(strings.ToLower(value), chars) == "" }
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || only("0123456789.-_") || only("abcdefghijklmnopqrstuvwxyz-_ ")
}

// maskedStderr is standard error. It writes line by line, with secrets masked and control
// characters made visible, so that no code that reports an error can forget it.
type maskedStderr struct {
	io.Writer
	to io.Writer
}

func newMaskedStderr(to io.Writer, environ []string, learned *mask.Learned) maskedStderr {
	return maskedStderr{mask.New(Secrets(environ)).With(learned).Writer(to), to}
}

// Fd is the descriptor beneath, for callers that ask whether it is a terminal.
func (s maskedStderr) Fd() uintptr {
	if file, ok := s.to.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}
