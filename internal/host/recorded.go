package host

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pawl/agent"
	"pawl/export/formats"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/ui"
	"pawl/ui/replay"
)

// Replay is the screen over what is recorded: a file, or a session that nobody
// drives here. It is opened at its end or, with play, played from its first record on.
// Nothing is written but the exports that its user asks for; no model, no hook, no
// server and no file of the folder is touched.
func Replay(ctx context.Context, w base.World, name string, play *replay.Options) (int, error) {
	if name == "-" {
		return system.ExitUsage, system.Usage("the screen has standard input for its keys, and a session cannot come from there too: name a file")
	}
	if err := stored.Missing(name); err != nil {
		return system.ExitUsage, err
	}
	if err := hasScreen(w, "pawl show ID, or pawl import FILE --format md,"); err != nil { // before a long file is read
		return system.ExitUsage, err
	}
	b, err := base.New(w)
	if err != nil {
		return system.ExitError, err
	}
	defer b.Close()
	t, err := stored.Open(ctx, w, name)
	if err != nil {
		return system.ExitError, err
	}
	defer t.Close()
	if t.Upto == 0 {
		return system.ExitUsage, system.Usage(fmt.Sprintf("nothing is recorded in %s yet", name))
	}
	var kept *filestore.Store
	if t.File == nil { // else its id is somebody's word
		kept = filestore.New(base.FilesOf(b, t.Source.Session.ID))
		defer kept.Close() //nolint:errcheck // it was only read
	}
	options, err := recordedScreen(ctx, b, t, name, play, kept)
	if err != nil {
		return system.ExitError, err
	}
	return showOnly(ctx, w, string(t.Source.Session.ID), func(ctx context.Context, t lentTerminal) error {
		_, err := ui.Run(ctx, t.fill(options))
		return err
	})
}

// recordedScreen is what the screen is told of a recording.
func recordedScreen(ctx context.Context, b *base.Base, t *stored.Recording, name string, play *replay.Options, kept *filestore.Store) (ui.Options, error) {
	root := t.Source.Session.ID
	first, err := t.Source.TimeOf(ctx, 1)
	if err != nil {
		return ui.Options{}, err
	}
	last, err := t.Source.TimeOf(ctx, t.Upto)
	if err != nil {
		return ui.Options{}, err
	}
	var forked *ui.Forked
	if from := t.Source.Session.ForkedFrom; from != nil {
		forked = &ui.Forked{Session: from.Session, Prompt: from.Prompt, At: t.Source.Session.Created}
	}
	options := ui.Options{
		Forked:   forked,
		Recorded: &ui.Recorded{Name: name, At: last},
		Snapshot: lifecycle.Snapshot{Root: root},
		Folder:   base.ShortPath(t.Source.Session.Folder), Version: base.VersionText(),
		Hide: b.Models.Hide(), Notify: "off",
		Theme: recordedTheme(ctx, b), ReducedMotion: b.Settings.Screen.Motion == "reduced", Split: b.Settings.Screen.Split,
		Commands: ui.Commands{Formats: formats.All(), Nearest: words.Nearest},
		Export: func(ctx context.Context, as formats.Options, file string, report func(done, total int64)) (string, error) {
			return exportFromScreen(ctx, b, screenExport{as, file, "pawl import " + name, report}, t.Source, t.Upto)
		},
	}
	records := func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return t.Source.Records(ctx, root, after, limit)
	}
	if play != nil {
		play.Records = records
		play.Upto, play.First, play.Last = t.Upto, first, last
		options.Recorded.Replay = replay.New(*play)
		return options, nil
	}
	options.Commands.Context = func(ctx context.Context, session lifecycle.SessionID) (agent.Context, error) {
		return contextRecorded(ctx, b, t, session)
	}
	options.Older, options.Records = t.Tail, records
	changed := app.NewChanges(root, t.Source.Session.Folder, t.Changes, kept)
	options.Changes, options.Diff = changed.List, changed.Diff
	options.Snapshot.Seq = t.Upto
	if options.Tail, err = t.Tail(ctx, root, t.Upto+1, app.FirstScreen); err != nil {
		return options, err
	}
	options.Open = func(ctx context.Context) (ui.Opened, error) { return opened(ctx, t, options.Tail) }
	return options, nil
}

// opened is the recording as a screen takes it up: its runs, and the messages that wait.
func opened(ctx context.Context, t *stored.Recording, tail []lifecycle.Record) (ui.Opened, error) {
	root := t.Source.Session.ID
	runs, err := t.Source.Runs(ctx, root, 0, math.MaxInt)
	if err != nil {
		return ui.Opened{}, err
	}
	snapshot := lifecycle.Snapshot{Root: root, Seq: t.Upto, Runs: runs}
	if !slices.ContainsFunc(runs, func(run lifecycle.Run) bool { return !run.State.Terminal() }) {
		return ui.Opened{Snapshot: snapshot, Tail: tail}, nil // who ends lets no message wait
	}
	ledger := lifecycle.NewLedger(snapshot)
	if err := t.Source.Each(ctx, root, t.Upto, ledger.Queue); err != nil {
		return ui.Opened{}, fmt.Errorf("read which messages wait: %w", err)
	}
	return ui.Opened{Snapshot: ledger.Snapshot(), Tail: tail}, nil
}
