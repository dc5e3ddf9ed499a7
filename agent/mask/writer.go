package mask

import (
	"io"

	"pawl/agent/sanitize"
)

// Writer masks the secrets in what is written to it, and makes it safe to read on a
// terminal. Each write must be a complete text, as log and slog do it.
func (m Mask) Writer(to io.Writer) io.Writer { return &writer{m, to} }

type writer struct {
	hide Mask
	to   io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, w.hide.Text(sanitize.Clean(string(p)).String())); err != nil {
		return 0, err
	}
	return len(p), nil
}
