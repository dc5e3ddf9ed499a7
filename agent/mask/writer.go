package mask

import (
	"io"

	"pawl/agent/sanitize"
)

// Writer passes on what is written with its secrets masked and made safe to read
// on a terminal, line ends apart. Each write is a text of its own, as log and slog
// write their lines.
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
