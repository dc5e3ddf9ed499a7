package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/models"
	"pawl/internal/system"
)

func newDemoCommand(w *base.World) *cobra.Command {
	var o chatOptions
	var pace string
	cmd := &cobra.Command{
		Use:     "demo [PROMPT]",
		Short:   "Run the scripted demo in place of a model, on the screen or with -p.",
		GroupID: command.GroupMore,
		Example: `  pawl demo                      # as fast as one can read
  pawl demo --pace 0             # at once
  pawl demo --pace 0 -p hi       # without a screen: it says DEMO`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: o.completePrompt(w),
		RunE:              func(cmd *cobra.Command, args []string) error { return runDemo(cmd, w, &o, pace, args) },
	}
	cmd.Flags().StringVar(&pace, "pace", "", "How fast it plays, such as `1x`; 0 is at once.")
	o.bind(cmd, w)
	return cmd
}

func runDemo(cmd *cobra.Command, w *base.World, o *chatOptions, pace string, prompt []string) error {
	switch {
	case o.model != "" && o.model != models.Demo:
		return system.Usage(fmt.Sprintf("pawl demo plays a script, not %s: leave out --model, or say pawl --model %s", o.model, o.model))
	case !o.print && len(prompt) > 0:
		return system.Usage(`a prompt goes behind -p: pawl demo -p "…"`)
	}
	if pace != "" {
		w.Environ = append(w.Environ, "PAWL_DEMO_PACE="+pace)
	}
	o.model = models.Demo
	return o.run(cmd, w, prompt)
}
