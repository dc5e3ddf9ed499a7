package settings

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/words"
)

// Remote names the NATS server by which runs with isolation remote reach workers on other
// machines. Only the user sets it: whoever sets it chooses where a checkout is sent.
type Remote struct {
	NATS  string `toml:"nats"`  // its address, or several of one cluster with commas; empty: nothing runs remotely
	Creds string `toml:"creds"` // the file with the credentials for it: a full path, or from ~ on; empty: remote.creds in the config folder, if that is there
	CA    string `toml:"ca"`    // a file with the certificates that the server's is to be signed by; empty: the system's, or those in Creds
	Keys  string `toml:"keys"`  // worker or lend: whose keys of models a run on a worker uses
	// Workers is a file with the public keys of other users of the server, one a line, whose workers
	// may have runs, too; empty: only those with the credentials of this user.
	Workers string `toml:"workers"`
}

// Whose keys of models a remote run uses. Nothing chosen is the first.
const (
	KeysWorker = "worker" // those of the machine that it runs on
	KeysLend   = "lend"   // those of the session, lent for the run
)

// On reports whether there is a server.
func (r Remote) On() bool { return r.NATS != "" }

// Lends reports whether runs get the keys of the session.
func (r Remote) Lends() bool { return r.Keys == KeysLend }

// CredsFile is the full path of Creds, or where they are looked for if nothing is chosen; empty if
// there is nothing.
func (r Remote) CredsFile(f Folders) string {
	if r.Creds != "" {
		return filepath.Clean(fromHome(r.Creds))
	}
	for _, path := range []string{f.RemoteCreds(), filepath.Join(f.Server(), filepath.Base(f.RemoteCreds()))} { // the second is that of a server here
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// CAFile is the full path of CA; empty if there is none.
func (r Remote) CAFile() string {
	if r.CA == "" {
		return ""
	}
	return filepath.Clean(fromHome(r.CA))
}

// WorkersFile is the full path of Workers; empty if there is none.
func (r Remote) WorkersFile() string {
	if r.Workers == "" {
		return ""
	}
	return filepath.Clean(fromHome(r.Workers))
}

// natsSchemes are those of addresses of a NATS server.
var natsSchemes = []string{"nats", "tls", "ws", "wss"}

// CheckNATS refuses what is no address of a NATS server, and one that holds a password: addresses
// are shown.
func CheckNATS(addresses string) error {
	for address := range strings.SplitSeq(addresses, ",") {
		address = strings.TrimSpace(address)
		u, err := url.Parse(address)
		switch {
		case err == nil && u.User != nil:
			return fmt.Errorf("%q: must hold no name and no password: they stand in a file, which creds names", u.Redacted())
		case err != nil, !slices.Contains(natsSchemes, u.Scheme), u.Hostname() == "", u.Path != "" && u.Path != "/":
			return fmt.Errorf("%q: must be the address of a NATS server, such as nats://build.example:4222, or tls://… where it has TLS", address)
		}
	}
	return nil
}

func (r Remote) check(where string) error {
	var found []error
	if r.NATS != "" {
		if err := CheckNATS(r.NATS); err != nil {
			found = append(found, &Error{where, "remote.nats " + err.Error()})
		}
	}
	for _, file := range [][2]string{{"creds", r.Creds}, {"ca", r.CA}, {"workers", r.Workers}} {
		if whole := fromHome(file[1]); file[1] != "" && (!filepath.IsAbs(whole) || strings.ContainsRune(whole, 0)) {
			found = append(found, &Error{where, fmt.Sprintf("remote.%s %q: must be the full path of a file, or begin with ~/", file[0], file[1])})
		}
	}
	if takes := []string{KeysWorker, KeysLend}; r.Keys != "" && !slices.Contains(takes, r.Keys) {
		found = append(found, &Error{where, fmt.Sprintf("remote.keys %q: must be worker or lend%s", r.Keys, words.DidYouMean(r.Keys, takes))})
	}
	return All(found...)
}
