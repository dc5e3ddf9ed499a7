package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Source is where releases are fetched from: a folder of a server, the newest release's files in it.
type Source struct {
	address string
	client  *http.Client
}

// NewSource checks an address. Only HTTPS is taken, or HTTP to this machine itself, and so are
// redirections. The client's own rule for those is replaced; nil is the standard one.
func NewSource(address string, client *http.Client) (*Source, error) {
	if address == "" {
		return nil, errors.New("this build knows no address: set address in [update] of config.toml")
	}
	to, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the releases is not a URL: %w", err)
	}
	if err := secure(to); err != nil {
		return nil, err
	}
	ours := http.Client{}
	if client != nil {
		ours = *client
	}
	ours.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("it redirects without end")
		}
		return secure(to.URL)
	}
	return &Source{address: strings.TrimRight(address, "/"), client: &ours}, nil
}

func secure(to *url.URL) error {
	host := to.Hostname()
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	if host == "" || to.Scheme != "https" && (to.Scheme != "http" || !loopback) {
		return fmt.Errorf("the address of the releases must begin with https://, and %s does not", to.Redacted())
	}
	return nil
}

// fetch reads one file, of at most limit bytes.
func (s *Source) fetch(ctx context.Context, name string, limit int64) ([]byte, error) {
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+"/"+name, nil)
	if err != nil {
		return nil, err
	}
	asked.Header.Set("Accept-Encoding", "identity") // what is hashed is what is sent
	answer, err := s.client.Do(asked)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s/%s: the server says %s", s.address, name, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s was cut short after %d bytes: try again", name, len(text))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("%s is larger than %d MiB, which no release is", name, limit>>20)
	}
	return text, nil
}
