package machines

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrLost means that a worker is gone, or so long out of reach that it counts as gone.
var ErrLost = errors.New("its worker was lost")

// ErrNobody means that nobody is there who answers requests on a subject.
var ErrNobody = errors.New("nobody answers")

// RefusedError means that a worker refused a job, which is then in no queue any more.
type RefusedError struct {
	Worker string // its name
	Reason string // one line
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the worker %s refused it: %s", e.Worker, e.Reason)
}

// TrustError says why a message is not obeyed, for a worker's refusal: nobody whom this end accepts has
// signed it, or not as it is.
type TrustError struct {
	Key      string // of the user who says to have signed it, and is not accepted; empty: see Unsigned
	Unsigned bool   // nobody has; else a signature does not fit
}

func (e *TrustError) Error() string {
	switch {
	case e.Key != "":
		return "it does not accept the key " + e.Key + ": add that to the file of --accept"
	case e.Unsigned:
		return "the job is not signed, and this worker accepts only signed jobs: set creds in [remote] where you use Pawl"
	}
	return "its signature does not fit: it was changed, or put into another queue"
}

// errStrange means that a frame is not from the other end of a connection, or was changed on its way.
var errStrange = errors.New("it is not from the other end of the connection")

// dialError says in one line why there is no connection, and what to do.
func dialError(o Options, err error) error {
	at := address(o.URL)
	var untrusted *tls.CertificateVerificationError
	switch {
	case refusal(err) && o.Creds != "":
		return fmt.Errorf("the NATS server at %s refuses the credentials in %s (%s)", at, o.Creds, short(err))
	case refusal(err):
		return fmt.Errorf("the NATS server at %s wants credentials: set creds in [remote], or --creds", at)
	case errors.As(err, &untrusted):
		return fmt.Errorf("the certificate of the NATS server at %s is not trusted (%w): take the remote.creds of its pawl-server, or set ca in [remote] to the file of its authority", at, untrusted.Err)
	}
	return &lineError{fmt.Sprintf("no NATS server answers at %s (%s): \"pawl doctor\" tests it", at, short(err)), errAway}
}

// errAway means that no server answers.
var errAway = errors.New("no server answers")

// lineError is an error in words for a person that is still one of its cause's kind.
type lineError struct {
	line  string
	cause error
}

func (e *lineError) Error() string { return e.line }
func (e *lineError) Unwrap() error { return e.cause }

func refusal(err error) bool {
	for _, one := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired} {
		if errors.Is(err, one) {
			return true
		}
	}
	return err != nil && strings.Contains(strings.ToLower(err.Error()), "authorization violation")
}

// short is an error without the prefix of its library, in one line.
func short(err error) string {
	words := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "nats: "), "\n", "; ")
	return strings.TrimPrefix(words, "API error: ")
}

// address is a URL, or several, without passwords.
func address(urls string) string {
	var all []string
	for one := range strings.SplitSeq(urls, ",") {
		one = strings.TrimSpace(one)
		if at, err := url.Parse(one); err == nil && at.User != nil {
			at.User = nil
			one = at.String()
		}
		all = append(all, one)
	}
	return strings.Join(all, ", ")
}

func certificates(file string) (*x509.CertPool, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the certificates of the NATS server's authority: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("there is no certificate in %s", file)
	}
	return pool, nil
}

func hasJWT(creds []byte) bool { return bytes.Contains(creds, []byte("BEGIN NATS USER JWT")) }

// full reports whether a server did not store something because a limit is reached. Of that it has
// many codes, one a kind of limit.
func full(err error) bool {
	api, is := errors.AsType[*jetstream.APIError](err)
	if !is {
		return false
	}
	words := strings.ToLower(api.Description)
	for _, sign := range []string{"maximum bytes", "maximum messages exceeded", "insufficient", "limit", "resources"} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// alreadyQueued reports whether a message of this subject is in a stream that holds one of each.
func alreadyQueued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// passing reports whether an error may be gone at the next try: the server was away or slow.
func passing(err error) bool {
	for _, one := range []error{
		nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrTimeout, nats.ErrConnectionReconnecting, nats.ErrNoResponders,
		jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout, context.DeadlineExceeded, errAway,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == 503 && !full(err) // no leader, or still starting
}
