package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
	"pawl/internal/system"
	"pawl/ui/replay"
)

func newReplayCommand(w *base.World) *cobra.Command {
	var speed string
	var gaps bool
	cmd := &cobra.Command{
		Use:     "replay FILE|ID",
		Short:   "Replay a recorded session: pause, step, jump to the next end.",
		GroupID: command.GroupSessions,
		Long: `Replay a recorded session on the screen: pause, step, jump to the next end.

FILE is what pawl export --format json wrote.
ID is a session: its id, or how that begins or ends.`,
		Example: `  pawl replay run.json           # as it went, long silences cut
  pawl replay 4f2a --speed 4x    # a session of the database, four times as fast`,
		Args:              command.Takes("FILE or ID"),
		ValidArgsFunction: completeRecordings(w),
		RunE: func(cmd *cobra.Command, args []string) error {
			speed, err := parseSpeed(speed)
			if err != nil {
				return err
			}
			return command.Ended(host.Replay(cmd.Context(), *w, args[0], &replay.Options{Speed: speed, Whole: gaps}))
		},
	}
	cmd.Flags().StringVar(&speed, "speed", "1x", "How fast: from 0.25x to 64x.")
	cmd.Flags().BoolVar(&gaps, "gaps", false, "Keep long silences as long as they were; else none\nlasts longer than 5 s.")
	return cmd
}

func parseSpeed(text string) (float64, error) {
	speed, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	within := speed >= replay.Slowest && speed <= replay.Fastest // which NaN is not
	if err != nil || !within {
		return 0, system.Usage(fmt.Sprintf("--speed %s: must be a number from %g to %g, like 4x", text, replay.Slowest, replay.Fastest))
	}
	return speed, nil
}
