package servers

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/regular"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/tools/mcp"
)

// addOptions are what a server is added with.
type addOptions struct {
	env, headers []string // NAME=value, Name: value
	clientID     string
	scopes       []string
	port         int
	project      bool
}

func newAddCommand(w *base.World) *cobra.Command {
	var o addOptions
	var name string
	var server settings.Server
	cmd := &cobra.Command{
		Use:   "add NAME {URL | -- COMMAND [ARGUMENT]...}",
		Short: "Add an MCP server: a program behind --, or an address.",
		Long: `Add an MCP server to your config.toml, or with --project to the folder's .mcp.json: a
program with its arguments behind --, or an address. ${NAME} in a value stands for a
variable of the environment in which Pawl runs.`,
		Example: `  pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  pawl mcp add github --env 'GITHUB_TOKEN=${GITHUB_TOKEN}' -- npx -y @modelcontextprotocol/server-github
  pawl mcp add docs https://mcp.example.com/mcp
  pawl mcp add docs https://mcp.example.com/mcp --header 'Authorization: Bearer ${DOCS_TOKEN}' --project`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(cmd *cobra.Command, args []string) (err error) {
			name, server, err = o.server(args, cmd.ArgsLenAtDash())
			return err
		},
		RunE: func(*cobra.Command, []string) error { return add(w, name, server, o.project) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.env, "env", "e", nil, "A variable for the program, as NAME=value. Can be repeated.")
	flags.StringArrayVarP(&o.headers, "header", "H", nil, "A header of each request, as 'Name: value'. Can be repeated.")
	flags.StringVar(&o.clientID, "client-id", "", "The client to log in as, where the server does not\nlet Pawl register itself.")
	flags.StringSliceVar(&o.scopes, "scopes", nil, "What a login asks for, in place of what the server names.")
	flags.IntVar(&o.port, "callback-port", 0, "The port of this machine for a login's answer.")
	flags.BoolVar(&o.project, "project", false, "Add it to this folder's .mcp.json, for everybody who\nworks here.")
	return cmd
}

// add writes the server down. It starts nothing.
func add(w *base.World, name string, server settings.Server, project bool) error {
	where, err := mcp.ProjectFile, error(nil)
	if project {
		err = addToProject(w.Folder, name, server)
	} else {
		where, err = addToSettings(name, server)
	}
	if err != nil {
		return err
	}
	next := "pawl mcp list starts it and says how that went"
	if project {
		next = "pawl asks about it when it is opened here"
	}
	_, err = fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("Added %s to %s; %s.", name, where, next)))
	return err
}

// server reads the words behind pawl mcp add.
func (o addOptions) server(args []string, dash int) (string, settings.Server, error) {
	s := settings.Server{ClientID: o.clientID, Scopes: o.scopes, CallbackPort: o.port}
	const form = "pawl mcp add NAME -- COMMAND, or pawl mcp add NAME URL"
	switch {
	case len(args) == 0 || dash == 0:
		return "", s, errors.New("which name? " + form)
	case dash == 1 && len(args) == 1 || len(args) == 1:
		return "", s, errors.New("neither a program nor an address: " + form)
	case dash == 1:
		s.Command = args[1:]
	case dash > 1:
		return "", s, errors.New("a server has a program or an address, not both: " + form)
	case strings.HasPrefix(args[1], "http://"), strings.HasPrefix(args[1], "https://"), strings.HasPrefix(args[1], "${"):
		if len(args) > 2 {
			return "", s, errors.New("unexpected argument " + quoted(args[2]))
		}
		s.URL = args[1]
	default:
		return "", s, fmt.Errorf("%q is not an address: a program goes behind --, as in pawl mcp add %s -- %s", args[1], args[0], words.CutLine(strings.Join(args[1:], " "), 60))
	}
	var err error
	if s.Env, err = pairs("--env", "NAME=value", "=", o.env); err != nil {
		return "", s, err
	}
	if s.Headers, err = pairs("--header", "Name: value", ":", o.headers); err != nil {
		return "", s, err
	}
	return args[0], s, s.Check(args[0])
}

// pairs reads NAME=value and Name: value.
func pairs(flag, form, sign string, all []string) (map[string]string, error) {
	if len(all) == 0 {
		return nil, nil //nolint:nilnil // none
	}
	read := map[string]string{}
	for _, one := range all {
		name, value, found := strings.Cut(one, sign)
		name = strings.TrimSpace(name)
		if !found || name == "" || strings.ContainsAny(name, " \t\n") {
			return nil, fmt.Errorf("%s %q: must be %s", flag, words.CutLine(name, 40), form) // its value may be a key
		}
		if sign == ":" {
			value = strings.TrimSpace(value)
		}
		read[name] = value
	}
	return read, nil
}

// taken is the error where a name has a server already.
func taken(name, where string) error {
	return system.Usage(fmt.Sprintf("%s has a server %s already: pawl mcp remove %s removes it", where, quoted(name), name))
}

// addToSettings adds a server to the user's settings.
func addToSettings(name string, s settings.Server) (where string, err error) {
	path := settings.FindFolders().ConfigFile()
	where = base.ShortPath(path)
	return where, changeSettings(path, name, &s, func(text string) (string, error) {
		all, err := decoded(text)
		if err != nil {
			return "", system.Usage(where + " is not valid TOML: pawl doctor says where")
		}
		if _, is := serversOf(all)[name]; is {
			return "", taken(name, where)
		}
		return withServer(text, name, s), nil
	})
}

// projectServer is a server as the project's file has it.
type projectServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	OAuth   *projectLogin     `json:"oauth,omitempty"`
}

type projectLogin struct {
	ClientID     string   `json:"clientId,omitempty"`
	CallbackPort int      `json:"callbackPort,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
}

func addToProject(folder, name string, s settings.Server) error {
	entry := projectServer{Env: s.Env, URL: s.URL, Headers: s.Headers}
	if len(s.Command) > 0 {
		entry.Command, entry.Args = s.Command[0], s.Command[1:]
	} else {
		entry.Type = "http"
	}
	if s.ClientID != "" || s.Scopes != nil || s.CallbackPort != 0 {
		entry.OAuth = &projectLogin{s.ClientID, s.CallbackPort, s.Scopes}
	}
	return changeProject(folder, func(all []member) ([]member, error) {
		if slices.ContainsFunc(all, func(m member) bool { return m.key == name }) {
			return nil, taken(name, mcp.ProjectFile)
		}
		return append(all, member{name, json.RawMessage(encoded(entry))}), nil
	})
}

// modeOf are a file's permissions, those of a new one where it is not there: others work in the
// folder too.
func modeOf(path string) os.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

func newRemoveCommand(w *base.World) *cobra.Command {
	var project bool
	cmd := &cobra.Command{
		Use:               "remove NAME",
		Aliases:           []string{"rm"},
		Short:             "Remove an MCP server from your config.toml.",
		Example:           `  pawl mcp remove docs`,
		Args:              command.Takes("NAME"),
		ValidArgsFunction: completeServers(w),
		RunE:              func(_ *cobra.Command, args []string) error { return remove(w, args[0], project) },
	}
	cmd.Flags().BoolVar(&project, "project", false, "Remove it from this folder's .mcp.json.")
	return cmd
}

// errNotThere says that a file has no such server.
var errNotThere = errors.New("it has none of that name")

func remove(w *base.World, name string, project bool) error {
	path := settings.FindFolders().ConfigFile()
	where, err := base.ShortPath(path), error(nil)
	if project {
		where, err = mcp.ProjectFile, removeFromProject(w.Folder, name)
	} else {
		err = removeFromSettings(path, name)
	}
	if errors.Is(err, errNotThere) {
		return notThere(w, name, where, project)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w.Out, sanitize.Line(fmt.Sprintf("Removed %s from %s.", name, where)))
	if logins, of := base.Logins(settings.FindFolders()).Of(name); of == nil && len(logins) > 0 {
		w.Tell("the login to it stays: pawl mcp logout %s forgets it", name)
	}
	return err
}

// notThere says where a server is that is not where it was looked for.
func notThere(w *base.World, name, where string, project bool) error {
	own, _ := settings.Load(settings.FindFolders().ConfigFile(), nil)
	if _, is := own.MCP[name]; is && project {
		return system.Usage(fmt.Sprintf("%s has no server %s, but your config.toml has: leave --project out", where, quoted(name)))
	}
	text, _ := regular.Read(filepath.Join(w.Folder, mcp.ProjectFile), longestFile)
	theirs, _ := mcp.ParseProject(text)
	if !project && slices.ContainsFunc(theirs, func(s mcp.Spec) bool { return s.Name == name }) {
		return system.Usage(fmt.Sprintf("%s has no server %s, but this folder's %s has: add --project", where, quoted(name), mcp.ProjectFile))
	}
	var names []string
	for _, s := range base.AllServers(own) {
		names = append(names, s.Name)
	}
	return system.Usage(fmt.Sprintf("%s has no server %s%s", where, quoted(name), words.DidYouMean(name, names)))
}

func removeFromSettings(path, name string) error {
	return changeSettings(path, name, nil, func(text string) (string, error) {
		if _, err := decoded(text); err != nil {
			return "", system.Usage(base.ShortPath(path) + " is not valid TOML: pawl doctor says where")
		}
		next, found := withoutServer(text, name)
		if !found {
			return "", errNotThere
		}
		return next, nil
	})
}

func removeFromProject(folder, name string) error {
	return changeProject(folder, func(all []member) ([]member, error) {
		at := slices.IndexFunc(all, func(m member) bool { return m.key == name })
		if at < 0 {
			return nil, errNotThere
		}
		return slices.Delete(all, at, at+1), nil
	})
}
