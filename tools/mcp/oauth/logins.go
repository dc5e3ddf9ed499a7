package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/oauth2"

	"pawl/internal/keys"
	"pawl/internal/regular"
	"pawl/internal/system"
)

// Logins are what a user has logged in to. Its methods may be called from any goroutine, and other
// processes may log in and out meanwhile.
type Logins struct {
	// Folder holds a file for each login, without secrets; it is made when it is needed.
	Folder string
	// Keys holds the tokens.
	Keys *keys.Store
	// HTTP asks servers; nil: a client that only Login needs another one for.
	HTTP *http.Client
}

// Login is what is known of one login. None of it is secret.
type Login struct {
	Server    string           `json:"server"`
	URL       string           `json:"url"` // the server's address, which alone gets the tokens
	Issuer    string           `json:"issuer"`
	TokenURL  string           `json:"token_url"`
	RevokeURL string           `json:"revoke_url,omitempty"`
	ClientID  string           `json:"client_id"`
	AuthStyle oauth2.AuthStyle `json:"auth_style,omitempty"`
	Scopes    []string         `json:"scopes,omitempty"`
	Since     time.Time        `json:"since"`
	// Lacks are rights that the server has missed in this login: the next asks for them too.
	Lacks []string `json:"lacks,omitempty"`
	// Over says why the login no longer holds; empty while it does.
	Over string `json:"over,omitempty"`
}

// tokens are what is secret of a login.
type tokens struct {
	Access       string    `json:"access"`
	Refresh      string    `json:"refresh,omitempty"`
	ClientSecret string    `json:"client_secret,omitempty"`
	Got          time.Time `json:"got"`
	Expires      time.Time `json:"expires"` // zero: nobody said
}

// longestLogin limits the file of a login, in bytes.
const longestLogin = 64 << 10

// id names a login in the key store and in the folder.
func id(server, url string) string {
	sum := sha256.Sum256([]byte(url))
	return server + "@" + hex.EncodeToString(sum[:6])
}

func (l Login) id() string { return id(l.Server, l.URL) }

func (l *Logins) path(id string) string { return filepath.Join(l.Folder, id+".json") }

// Find returns the login to a server at an address. It is false if there is none; the error says
// why its file cannot be read.
func (l *Logins) Find(server, url string) (Login, bool, error) {
	login, err := l.read(l.path(id(server, url)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Login{}, false, nil
	case err != nil:
		return Login{}, false, err
	}
	return login, login.Server == server && login.URL == url, nil
}

func (l *Logins) read(path string) (login Login, err error) {
	text, err := regular.Read(path, longestLogin)
	if err != nil {
		return login, err
	}
	if err := json.Unmarshal(text, &login); err != nil {
		return login, fmt.Errorf("%s is damaged: log in again: %w", path, err)
	}
	return login, nil
}

// Of lists the logins to servers of a name, whatever their addresses.
func (l *Logins) Of(server string) ([]Login, error) {
	names, err := os.ReadDir(l.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Login
	for _, name := range names {
		if !strings.HasPrefix(name.Name(), server+"@") || !strings.HasSuffix(name.Name(), ".json") {
			continue
		}
		login, wrong := l.read(filepath.Join(l.Folder, name.Name()))
		err = errors.Join(err, wrong)
		if wrong == nil && login.Server == server {
			all = append(all, login)
		}
	}
	slices.SortFunc(all, func(a, b Login) int { return strings.Compare(a.URL, b.URL) })
	return all, err
}

// keep stores a login without its tokens.
func (l *Logins) keep(login Login) error {
	text, err := json.MarshalIndent(login, "", "  ")
	if err == nil {
		err = os.MkdirAll(l.Folder, 0o700)
	}
	if err == nil {
		err = regular.Replace(l.path(login.id()), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep the login to %s: %w", login.Server, err)
	}
	return nil
}

func (l *Logins) tokens(login Login) (t tokens, err error) {
	text, _, err := l.Keys.Get(keys.ForServer(login.id()))
	if err != nil {
		return t, fmt.Errorf("read the token of %s: %w", login.Server, err)
	}
	if json.Unmarshal([]byte(text), &t) != nil {
		return t, fmt.Errorf("the token of %s is damaged", login.Server)
	}
	return t, nil
}

func (l *Logins) keepTokens(login Login, t tokens) (place, without string, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return "", "", err
	}
	return l.Keys.Set(keys.ForServer(login.id()), string(text))
}

// lockPause is the time between two looks at a lock that another process holds.
const lockPause = 20 * time.Millisecond

// lock keeps other processes from asking for tokens of one login, and from changing it, until
// unlock is called. Where a file system has no locks, nobody is kept.
func (l *Logins) lock(ctx context.Context, id string) (unlock func(), err error) {
	if err := os.MkdirAll(l.Folder, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(l.Folder, id+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	again := time.NewTicker(lockPause)
	defer again.Stop()
	for {
		err := system.LockFile(file, system.LockNow)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) {
			return func() { _ = file.Close() }, nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			_ = file.Close()
			return nil, fmt.Errorf("another Pawl holds the login: %w", context.Cause(ctx))
		}
	}
}

// forget removes a login with its tokens. Its lock stays, for whoever waits for it.
func (l *Logins) forget(ctx context.Context, login Login) error {
	unlock, err := l.lock(ctx, login.id())
	if err != nil {
		return err
	}
	defer unlock()
	if err := l.Keys.Remove(keys.ForServer(login.id())); err != nil && !errors.Is(err, keys.ErrNone) {
		return fmt.Errorf("forget the token of %s: %w", login.Server, err)
	}
	if err := os.Remove(l.path(login.id())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the login to %s: %w", login.Server, err)
	}
	return nil
}
