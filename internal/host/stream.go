package host

import (
	"fmt"
	"strings"
	"time"

	"pawl/export/jsondoc"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/ui/headless"
)

const streamJSON = "stream-json"

// talks reports that another program writes the input, with more than a prompt, and answers
// questions.
func (o PrintOptions) talks() bool { return o.InputFormat == streamJSON }

// opensWith returns the prompt. With JSON lines on standard input it may be empty, and none of
// these is read yet.
func (o PrintOptions) opensWith(w base.World) (string, error) {
	if o.OutputFormat != streamJSON {
		if o.talks() {
			return "", system.Usage("--input-format stream-json needs --output-format stream-json: its answers are lines there")
		}
		if o.Partial {
			return "", system.Usage("--include-partial-messages needs --output-format stream-json")
		}
	}
	if o.talks() {
		return strings.TrimSpace(strings.Join(o.Words, " ")), nil
	}
	prompt, err := Prompt(o.Words, w.In, w.Err)
	switch {
	case err != nil || strings.TrimSpace(prompt) != "":
		return prompt, err
	case o.Session != "": // --resume and --session take the word behind them
		return "", system.Usage(fmt.Sprintf(`-p needs a prompt, and %[1]q is taken as the session: pawl -p --session %[1]s "…"; pawl -p -c %[1]q asks the last session of this folder`, o.Session))
	}
	return "", system.Usage(`-p needs a prompt: pawl -p "…", or text on standard input`)
}

// streamOf returns how the session is written and read as stream-json; nil if it is not.
func streamOf(h *app.Session, o PrintOptions) *headless.Stream {
	if o.OutputFormat != streamJSON {
		return nil
	}
	s := &headless.Stream{
		Opening: h.OpeningAt(h.Snapshot.Seq+1, time.Now().Truncate(time.Microsecond)), Partial: o.Partial,
		Line: jsondoc.NewLines(h.Models.Hide()).Line,
	}
	if o.talks() {
		s.Input = h.World.In
	}
	return s
}
