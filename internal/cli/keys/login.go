package keys

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	kept "pawl/internal/keys"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/internal/words"
)

// tryLimit is how long a server may take to say what it makes of a key.
const tryLimit = 10 * time.Second

// NewLogin is pawl login.
func NewLogin(w *base.World) *cobra.Command {
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:     "login [NAME]",
		Short:   "Keep the key of a provider, or list where each has its key.",
		GroupID: command.GroupSetup,
		Long: `Ask for the key of a provider, without showing it, and keep it: in the system's key
ring, or in a file that only you can read. A key that the server refuses is not kept.
Without NAME, list the providers and where each has its key from.

A key in a provider's variable goes before this one, and so does its key_command.`,
		Example: `  pawl login                        # the providers, and where each has its key
  pawl login anthropic
  pass show router | pawl login router    # from a pipe: its first line`,
		Args:              login,
		ValidArgsFunction: command.FirstArgument(completeProviders(w)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return list(w, asJSON)
			}
			return keep(cmd.Context(), w, args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "Keep the key without asking the server about it.")
	cmd.Flags().BoolVar(&asJSON, "json", false, "Without NAME, for programs: one JSON object.")
	return cmd
}

// login is the Args of pawl login. What stands behind the name may be a key, and is not repeated.
func login(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New("a key is no argument, which others could read: pawl login NAME asks for it, or reads a line of standard input")
	}
	return nil
}

// NewLogout is pawl logout.
func NewLogout(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:               "logout NAME",
		Short:             "Forget the key of a provider that pawl login has kept.",
		GroupID:           command.GroupSetup,
		Example:           "  pawl logout anthropic",
		Args:              command.Takes("NAME"),
		ValidArgsFunction: command.FirstArgument(completeProviders(w)),
		RunE:              func(_ *cobra.Command, args []string) error { return forget(w, args[0]) },
	}
}

// opened is the base of a command here: settings and models, no database.
func opened(w *base.World) (*base.Base, *kept.Store, error) {
	b, err := base.New(*w)
	if err != nil {
		return nil, nil, err
	}
	return b, base.Keys(b.Folders), nil
}

func keep(ctx context.Context, w *base.World, name string, force bool) error {
	b, store, err := opened(w)
	if err != nil {
		return err
	}
	defer b.Close()
	p, ok := b.Models.Provider(name)
	if !ok {
		return system.Usage(unknown(b.Models, name))
	}
	if !p.Secret {
		return system.Usage(fmt.Sprintf("%s takes no key: set %s", name, p.Variable))
	}
	key, err := ask(b.World, name)
	if err != nil {
		return err
	}
	b.Models.Learned.Add(key)
	tried := "not tried"
	if !force {
		l := b.Models.Try(ctx, p, key, tryLimit)
		if l.Refused() {
			return fmt.Errorf("%s refuses this key, so it is not kept: %s (--force keeps it)", name, words.Line(l.Err.Error()))
		}
		tried = outcome(l)
	}
	place, without, err := store.Set(kept.ForProvider(name), key)
	if err != nil {
		return err
	}
	if without != "" {
		w.Tell("%s", without)
	}
	fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("The key of %s is kept in %s (%s).", name, place, tried)))
	if before := b.Models.Before(p); before != "" {
		w.Tell("%s goes before it: what pawl login keeps is used without that", before)
	}
	return nil
}

// outcome is what a server made of a key that it has not refused.
func outcome(l models.Listing) string {
	if l.Err == nil {
		return "it answers, with " + words.Count(len(l.Offers), "model")
	}
	return "the server could not say whether it is right: " + l.Says()
}

func forget(w *base.World, name string) error {
	b, store, err := opened(w)
	if err != nil {
		return err
	}
	defer b.Close()
	err = store.Remove(kept.ForProvider(name)) // also of a provider that is no longer in the settings
	p, known := b.Models.Provider(name)
	switch {
	case errors.Is(err, kept.ErrNone) && !known:
		return system.Usage(unknown(b.Models, name))
	case errors.Is(err, kept.ErrNone):
		return fmt.Errorf("no key of %s is kept%s", name, elsewhere(b.Models, p))
	case err != nil:
		return err
	}
	fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("The key of %s is forgotten%s.", name, elsewhere(b.Models, p))))
	return nil
}

// elsewhere says where a provider has its key from all the same.
func elsewhere(m *models.Set, p models.Provider) string {
	if before := m.Before(p); before != "" {
		return "; its key is from " + before
	}
	return ""
}

func unknown(m *models.Set, name string) string {
	var names []string
	for _, p := range m.Providers() {
		names = append(names, p.Name)
	}
	return fmt.Sprintf("there is no provider %q%s pawl login lists them; one of yours is named in config.toml, as [providers.NAME]", name, hint(name, names))
}

func hint(name string, names []string) string {
	if near := words.DidYouMean(name, names); near != "" {
		return near
	}
	return ":"
}

func completeProviders(w *base.World) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (all []cobra.Completion, how cobra.ShellCompDirective) {
		for _, p := range base.ModelsToName(*w).Providers() {
			if p.Secret {
				all = append(all, p.Name)
			}
		}
		return all, command.AsListed
	}
}
