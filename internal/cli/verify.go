package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/export/verify"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
)

func newVerifyCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "verify FILE|ID",
		Short:   "Check that the record of a session is consistent.",
		GroupID: command.GroupSessions,
		Long: `Check that the record of an exported or stored session is consistent.

FILE is what pawl export --format json wrote, or - for standard input.
ID is a session: its id, or how that begins or ends.`,
		Example: `  pawl verify run.json           # each promise that was not kept is a line, and exit code 1
  pawl verify 4f2a --json        # a session of the database, for programs`,
		Args:              command.Takes("FILE or ID"),
		ValidArgsFunction: completeRecordings(w),
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifySession(cmd.Context(), w, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// mostLines bounds the faults that are printed for people. JSON has more of them.
const mostLines = 100

// verifySession gives 0 where every promise was kept, and 1 where one was not.
func verifySession(ctx context.Context, w *base.World, recording string, asJSON bool) error {
	r, err := stored.Open(ctx, *w, recording)
	if err != nil {
		return err
	}
	defer r.Close()
	verdict, err := verify.Session(ctx, r.Source, r.Upto)
	if err != nil {
		return err
	}
	code := system.ExitDone
	if !verdict.Kept() {
		code = system.ExitError
	}
	name := "session " + string(r.Source.Session.ID)
	if r.File != nil {
		name = recording
		if name == "-" {
			name = stored.StdinSaid
		}
	}
	hide := mask.New(r.Source.Secrets)
	if asJSON {
		return command.Ended(code, hide.Encode(w.Out, judgement{name, verdict.Kept(), verdict}))
	}
	return command.Ended(code, printVerdict(w.Out, hide, name, verdict))
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
