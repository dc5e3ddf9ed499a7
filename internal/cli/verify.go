package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/export/verify"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/stored"
	"pawl/internal/words"
)

// verifyCommand is pawl verify.
type verifyCommand struct {
	Recording string `arg:"" name:"recording" placeholder:"FILE|ID" complete:"session or file" help:"What was exported as json, - for standard input, or a session: its id, or how that begins or ends."`
	JSON      bool   `name:"json" help:"For programs: one JSON object."`
}

// mostLines bounds the faults that are printed for people. JSON has more of them.
const mostLines = 100

// Run gives 0 where every promise was kept, and 1 where one was not.
func (c *verifyCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (code int, err error) {
	r, err := stored.Open(ctx, *w, c.Recording)
	if err != nil {
		return host.ExitError, err
	}
	defer r.Close()
	verdict, err := verify.Session(ctx, r.Source, r.Upto)
	if err != nil {
		return host.ExitError, err
	}
	if !verdict.Kept() {
		code = host.ExitError
	}
	name := "session " + string(r.Source.Session.ID)
	if r.File != nil {
		name = c.Recording
		if name == "-" {
			name = stored.StdinSaid
		}
	}
	hide := mask.New(r.Source.Secrets)
	if c.JSON {
		return code, hide.Encode(w.Out, judgement{name, verdict.Kept(), verdict})
	}
	return code, printVerdict(w.Out, hide, name, verdict)
}

// judgement is what --json prints.
type judgement struct {
	Recording string `json:"recording"`
	Kept      bool   `json:"kept"`
	verify.Verdict
}

// printVerdict prints one line where all is well, and else one for each fault. What a
// document says is in them: each is cleaned.
func printVerdict(to io.Writer, hide mask.Mask, name string, v verify.Verdict) error {
	found := "consistent. A record cannot show: " + strings.Join(v.Unseen, "; ")
	faults := len(v.Faults) + v.More
	if !v.Kept() {
		found = words.CountGrouped(faults, "fault")
	}
	lines := []string{fmt.Sprintf("%s: %s, %s: %s", name, words.CountGrouped(int(v.Records), "record"), words.CountGrouped(v.Runs, "run"), found)}
	for _, fault := range v.Faults[:min(mostLines, len(v.Faults))] {
		lines = append(lines, fault.String())
	}
	if more := faults - mostLines; more > 0 {
		lines = append(lines, "and "+words.Grouped(int64(more))+" more")
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(to, hide.Text(string(sanitize.Line(line)))); err != nil {
			return err
		}
	}
	return nil
}
