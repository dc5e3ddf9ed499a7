package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Whole says what is missing for commands that run without a question, in one line; nil: nothing
// is. Such a command changes no file outside, cut back or emptied either; git's settings and
// Pawl's own files are read-only for it, and keys are hidden; and it reaches nobody: no TCP, no
// UDP, no socket with a path or an abstract name, no process outside.
func (s Policy) Whole(p Powers) error {
	var missing []string
	switch {
	case s.Mode == Off:
		return errors.New(`the setting sandbox is "off"`)
	case p.seatbelt: // nobody is to go without a question on the word of a text
		return errors.New("the sandbox of macOS (Seatbelt) was not tried by Pawl's makers")
	case p.landlock == 0:
		missing = append(missing, noLandlock(p.why))
	case p.landlock < landlockTruncates:
		missing = append(missing, fmt.Sprintf("this kernel's Landlock (version %d) lets files outside be emptied (Linux 6.2)", p.landlock))
	}
	if p.Mounts != nil {
		missing = append(missing, fmt.Sprintf("git's settings and keys cannot be kept from commands: %v", p.Mounts))
	}
	if p.filter != nil {
		missing = append(missing, fmt.Sprintf("the network cannot be closed: system calls cannot be filtered (seccomp: %v)", p.filter))
	}
	if len(missing) > 0 {
		return errors.New(strings.Join(missing, "; "))
	}
	return nil
}

// Narrow says why a folder is none to let commands run in without a question: nothing outside it
// would be left. Nil: it is one.
func Narrow(folder string, environ []string) error {
	home := variableOf(environ)("HOME")
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	if folder = filepath.Clean(folder); folder == "/" || within(folder, filepath.Clean(home)) {
		return fmt.Errorf("%s holds the home folder, and commands may write everywhere below it", folder)
	}
	return nil
}

// keyPlaces are where programs keep keys, passwords and tokens, below the home folder.
var keyPlaces = []string{
	"Library/Keychains", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "Library/Cookies",
	".ssh", ".gnupg", ".password-store", ".local/share/keyrings", ".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".pgpass", ".my.cnf",
	".git-credentials", ".config/git/credentials", ".config/gh", ".config/glab-cli", ".config/hub",
	".aws", ".azure", ".config/gcloud", ".kube", ".docker/config.json", ".config/containers/auth.json", ".oci", ".terraform.d/credentials.tfrc.json", ".vault-token",
	".npmrc", ".yarnrc.yml", ".pypirc", ".config/pip/pip.conf", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config",
	".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".config/github-copilot",
	".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".thunderbird",
}

// hidden lists what a closed command does not see, links resolved. What holds a folder that it
// writes in is left out: Pawl was started below it.
func (s Policy) hidden(at place, writable []string) []string {
	var all []string
	if filepath.IsAbs(at.home) && filepath.Clean(at.home) != "/" {
		for _, name := range keyPlaces {
			all = append(all, filepath.Join(at.home, name))
		}
	}
	for _, path := range slices.Concat(s.Hide, s.Keys) {
		if filepath.IsAbs(path) {
			all = append(all, filepath.Clean(path))
		}
	}
	all = resolved(all)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(path string) bool {
		return slices.ContainsFunc(writable, func(root string) bool { return within(path, root) })
	})
}

// Opens says whether a command that runs in folder after a yes could do what the closed sandbox
// refused it. Where the sandbox refuses that to every command, asking is no use.
func (s Policy) Opens(what Refused, folder string, environ []string) bool {
	s.Closed = false
	if what.Network || s.Mode == Off {
		return s.Mode != Strict
	}
	at := placeOf(folder, environ)
	if s.settle(&at) != nil {
		return false
	}
	writable := reached(s.writable(at))
	below := func(root string) bool { return within(root, what.Path) }
	return slices.ContainsFunc(writable, below) && !slices.ContainsFunc(resolved(s.frozen(at, writable)), below)
}

// closedCaches are variables that name the folders in which tools keep what they build, and their
// logs. A closed command gets them in a cache of its own: what it leaves in the user's would be
// built into their other programs.
var closedCaches = map[string]string{
	"GOCACHE": "go-build", "GOLANGCI_LINT_CACHE": "golangci-lint", "STATICCHECK_CACHE": "staticcheck", "CCACHE_DIR": "ccache", "SCCACHE_DIR": "sccache",
	"npm_config_logs_dir": "npm-logs",
}

// closedCache is that of all closed commands of a user, in which no other command writes; empty
// where there is no home for one.
func (at place) closedCache() string {
	if !filepath.IsAbs(at.home) || filepath.Clean(at.home) == "/" {
		return ""
	}
	return filepath.Join(at.cache(), "pawl-closed")
}

// Environ makes the cache of closed commands and gives the variables by which tools find it; nil
// where the policy is not Closed, is strict, or there is no home for one.
func (s Policy) Environ(environ []string) []string {
	env := variableOf(environ)
	cache := place{home: env("HOME"), env: env}.closedCache()
	if !s.Closed || s.Mode == Strict || cache == "" || os.MkdirAll(cache, 0o700) != nil {
		return nil
	}
	var all []string
	for name, folder := range closedCaches {
		all = append(all, name+"="+filepath.Join(cache, folder))
	}
	slices.Sort(all)
	// Whoever has no network need not try it again and again.
	return append(all, "npm_config_update_notifier=false", "npm_config_fetch_retries=0", "PIP_RETRIES=0", "CARGO_NET_RETRY=0")
}
