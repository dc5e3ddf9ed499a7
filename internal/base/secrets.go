package base

import (
	"io"
	"slices"
	"strings"

	"pawl/agent/mask"
	"pawl/export/otel"
	"pawl/internal/models"
)

// Secrets are the values in an environment that are written down nowhere: the keys
// of models, and what a variable's name says is secret. The path of a file is none,
// nor is a number or a word that everybody could have there.
func Secrets(environ []string) []string {
	var values []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if holdsKey(name) || (mask.SecretName(name) || mask.SecretVariable(name)) && !everyday(value) {
			values = append(values, value)
		}
		if strings.HasPrefix(name, "OTEL_") && strings.HasSuffix(name, "_HEADERS") { // several in one
			values = append(values, slices.DeleteFunc(otel.Secrets(value), everyday)...)
		}
	}
	return values
}

// holdsKey says that a variable holds the key of a provider.
func holdsKey(name string) bool {
	return slices.ContainsFunc(models.Makers(), func(m models.Maker) bool { return m.Secret && m.Variable == name })
}

// everyday says that a value is a path, or letters alone or digits alone: hiding
// those would hide words from texts that have nothing to do with them.
func everyday(value string) bool {
	only := func(chars string) bool { return strings.Trim(strings.ToLower(value), chars) == "" }
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || only("0123456789.-_") || only("abcdefghijklmnopqrstuvwxyz-_ ")
}

// plainLines is standard error as people get it. Each line is written at once, with the
// secrets in it masked and whatever would act on a terminal made visible, so that no
// place that says what went wrong can forget it.
type plainLines struct {
	io.Writer
	to io.Writer
}

func newPlainLines(to io.Writer, environ []string) plainLines {
	return plainLines{mask.New(Secrets(environ)).Writer(to), to}
}

// Fd is the file beneath, for those who ask whether it is a terminal.
func (s plainLines) Fd() uintptr {
	if file, ok := s.to.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}
