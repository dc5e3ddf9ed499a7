package servers

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/words"
	"pawl/tools/mcp/oauth"
	"pawl/tools/process"
)

// longestPaste bounds, in bytes, what is read of standard input.
const longestPaste = 1 << 20

func newLoginCommand(w *base.World) *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "login NAME",
		Short: "Log in to an MCP server at an address (OAuth).",
		Long: `Log in to an MCP server at an address (OAuth). The login is made in a browser; from
another machine, paste the address to which the browser was sent at the end. The tokens
are kept in the system's key ring, or else in a file that only you can read.`,
		Example: `  pawl mcp login docs
  pawl mcp login docs --no-browser          # prints the address alone`,
		Args:              command.Takes("NAME"),
		ValidArgsFunction: completeServers(w),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withServers(cmd.Context(), w, func(k known) error {
				return k.login(cmd.Context(), args[0], !noBrowser)
			})
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "Print the address, and open no browser.")
	return cmd
}

func (k known) login(ctx context.Context, name string, browser bool) error {
	w := k.base.World
	spec, err := k.find(name)
	if err != nil {
		return err
	}
	request, err := spec.Request(w.Environ, k.base.Models.Withheld())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kept, err := base.Logins(k.base.Folders).Login(ctx, request, oauth.Person{
		Show: func(address string) { show(w, name, address, browser) }, Pasted: linesOf(ctx, w.In),
		Tell: func(line string) { w.Tell("%s", line) },
	})
	if err != nil {
		return err
	}
	if kept.Without != "" {
		w.Tell("%s", kept.Without)
	}
	_, err = fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("Logged in to %s; the tokens are in %s. Sessions that are open use them from their next call on.", name, kept.Place)))
	return err
}

// show prints the address and opens it.
func show(w base.World, name, address string, browser bool) {
	fmt.Fprintf(w.Out, "To log in to %s, open this address in a browser:\n\n%s\n\n", sanitize.Line(name), sanitize.Line(address))
	fmt.Fprintln(w.Out, "If that browser is on another machine, paste here the address that it is sent to at the end.")
	if !browser {
		return
	}
	if err := process.Browse(address, w.Folder); err != nil {
		w.Tell("no browser was opened: %s", err)
	}
}

// linesOf reads lines as they are typed, until ctx or the input ends.
func linesOf(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(io.LimitReader(in, longestPaste))
		scanner.Buffer(nil, longestPaste)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func newLogoutCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:               "logout NAME",
		Short:             "Forget the login to an MCP server, and have it taken back.",
		Example:           `  pawl mcp logout docs`,
		Args:              command.Takes("NAME"),
		ValidArgsFunction: completeServers(w),
		RunE:              func(cmd *cobra.Command, args []string) error { return logout(cmd.Context(), w, args[0]) },
	}
}

// logout works for servers that are no longer set up too.
func logout(ctx context.Context, w *base.World, name string) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	gone, told, err := base.Logins(b.Folders).Logout(ctx, name)
	for _, line := range told {
		w.Tell("%s", line)
	}
	switch {
	case err != nil:
		return err
	case len(gone) == 0:
		return fmt.Errorf("there is no login to %s", quoted(name))
	}
	_, err = fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("Logged out of %s (%s).", name, words.Count(len(gone), "login"))))
	return err
}
