package release

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/guard"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/internal/update"
)

type updateOptions struct{ check, rollback bool }

// NewUpdate is pawl update.
func NewUpdate(w *base.World) *cobra.Command {
	var o updateOptions
	cmd := &cobra.Command{
		Use:     "update",
		Short:   "Take the newest release in place of this program, or the one before back.",
		GroupID: command.GroupSetup,
		Long: `Take the newest release in place of this program. Its signature must be that of the key
which pawl version names. The program that was there is kept beside it, and open sessions
go on with it. Pawl never looks for a release by itself.`,
		Example: `  pawl update --check       # what there is
  pawl update
  pawl update --rollback    # back to the program before`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), w) },
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "Only say what there is.")
	cmd.Flags().BoolVar(&o.rollback, "rollback", false, "Take the program back that was replaced last.")
	cmd.MarkFlagsMutuallyExclusive("check", "rollback")
	return cmd
}

// run says what has happened in one line, and in one line what went wrong.
func (o updateOptions) run(ctx context.Context, w *base.World) error {
	codes, stop := guard.ExitSignals(w.Guard)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type ending struct {
		said string
		err  error
	}
	ended := make(chan ending, 1)
	go func() {
		said, err := o.act(ctx, w)
		ended <- ending{said, err}
	}()
	select {
	case code := <-codes:
		cancel()
		<-ended // it leaves nothing half done
		return command.Ended(code, nil)
	case end := <-ended:
		if end.err != nil {
			fmt.Fprintln(w.Err, "pawl update: "+string(sanitize.Line(base.OneLine(end.err.Error()))))
			return command.Ended(system.ExitError, nil)
		}
		fmt.Fprintln(w.Out, string(sanitize.Line(end.said)))
		return nil
	}
}

func (o updateOptions) act(ctx context.Context, w *base.World) (said string, err error) {
	key, err := update.ParseKey(base.ReleaseKey())
	if err != nil {
		return "", err
	}
	path, err := update.ThisProgram()
	if err != nil {
		return "", err
	}
	if way := update.OtherWay(path); way != "" && !o.check {
		return "", errors.New(way)
	}
	program := update.Program{Path: path, Environ: plain(w.Environ)}
	if o.rollback {
		return back(ctx, program)
	}
	from, err := source(w)
	if err != nil {
		return "", err
	}
	offer, err := from.Newest(ctx, key, runtime.GOOS+"/"+runtime.GOARCH)
	if err != nil {
		return "", err
	}
	return o.take(ctx, program, from, offer)
}

// take installs an offer that is newer than this program.
func (o updateOptions) take(ctx context.Context, p update.Program, from *update.Source, offer update.Offer) (said string, err error) {
	mine := base.Release()
	if !update.IsVersion(mine) {
		return "", fmt.Errorf("this program has no version (%s), so no release is newer: take a new build in the way you got this one", mine)
	}
	switch newer := offer.Newer(mine); {
	case newer < 0 && !o.check:
		return "", fmt.Errorf("the newest release there is %s, older than this program (%s): nothing is changed", offer.Version, mine)
	case newer <= 0:
		return fmt.Sprintf("pawl %s is the newest: the releases end with %s", mine, offer.Version), nil
	case o.check:
		return fmt.Sprintf("there is %s, and this is %s: pawl update takes it", offer.Version, mine), nil
	}
	if err := p.Install(ctx, from, offer); err != nil {
		return "", fmt.Errorf("%w (this program, %s, stays)", err, mine)
	}
	return fmt.Sprintf("%s is %s now; %s is kept, and pawl update --rollback takes it back. Open sessions go on with the program that they began with",
		base.ShortPath(p.Path), offer.Version, mine), nil
}

func back(ctx context.Context, p update.Program) (said string, err error) {
	version, err := p.Rollback(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is %s again; pawl update --rollback once more takes %s", base.ShortPath(p.Path), version, base.Release()), nil
}

// source is where releases come from: the user's own settings, else the build.
func source(w *base.World) (*update.Source, error) {
	s, _, err := base.LoadSettings(settings.FindFolders().ConfigFile(), w.Environ)
	if err != nil {
		return nil, err
	}
	address := s.Update.Address
	if address == "" {
		address = base.ReleaseAddress()
	}
	return update.NewSource(address, nil)
}

// plain are the variables with which a new program is tried: none that would make it a guard or a
// host, and no keys.
func plain(environ []string) (some []string) {
	get := models.Lookup(environ)
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "USER"} {
		if value := get(name); value != "" {
			some = append(some, name+"="+value)
		}
	}
	return some
}
