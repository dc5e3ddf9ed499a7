package machines

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Options say how a server is reached.
type Options struct {
	URL   string // nats://host:port or tls://host:port; several of a cluster, separated by commas
	Creds string // a .creds file or one with a user's NKey seed; empty: none, or in URL
	CA    string // a file of certificates to trust beside the system's; empty: none, or those in Creds in their place
	Name  string // for the server's lists
	// Warn is told, in one line each, when the connection is lost, is there again, or is refused.
	// It is called from the client's goroutine and must return soon. Nil: nobody is told.
	Warn  func(string)
	Times Times
}

// Address is that of the server, or of several, without passwords.
func (o Options) Address() string { return address(o.URL) }

// Link is a connection with a server, or none at the moment: it connects again for as long as it
// is open, and sends nothing later that could not be sent at once. All methods may be called from
// any goroutine.
type Link struct {
	o     Options
	nc    *nats.Conn
	js    jetstream.JetStream
	user  string             // the public key of this end's user; empty without credentials
	key   ed25519.PrivateKey // that user's
	trust trust

	mu      sync.Mutex
	changed chan struct{} // closed at the next change of the connection
	refused bool          // it was said that the server refuses the credentials
	stream  jetstream.Stream
}

// connectLimit is how long one try to connect may take.
const connectLimit = 2 * time.Second

// Dial connects. An error is one line that says what to do.
func Dial(ctx context.Context, o Options) (*Link, error) {
	o.Times = o.Times.orDefaults()
	l := &Link{o: o, changed: make(chan struct{})}
	options, err := l.options()
	if err != nil {
		return nil, err
	}
	if l.nc, err = connect(ctx, o, options); err != nil {
		return nil, err
	}
	if !l.TLS() && l.nc.TLSRequired() { // then it is to stay so, whatever a server says later
		l.nc.Close()
		if l.nc, err = connect(ctx, o, append(options, nats.Secure())); err != nil {
			return nil, err
		}
	}
	if err := l.openJetStream(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func connect(ctx context.Context, o Options, options []nats.Option) (*nats.Conn, error) {
	type dialled struct {
		nc  *nats.Conn
		err error
	}
	done := make(chan dialled, 1)
	go func() {
		nc, err := nats.Connect(o.URL, options...)
		done <- dialled{nc, err}
	}()
	select {
	case got := <-done:
		if got.err != nil {
			return nil, dialError(o, got.err)
		}
		return got.nc, nil
	case <-ctx.Done():
		go func() {
			if late := <-done; late.nc != nil {
				late.nc.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

func (l *Link) openJetStream(ctx context.Context) (err error) {
	if l.js, err = jetstream.New(l.nc); err != nil {
		return fmt.Errorf("use the NATS server at %s: %w", l.Address(), err)
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	_, err = l.js.AccountInfo(ctx) // refused to a user with few permissions: what they need may work
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return fmt.Errorf("the NATS server at %s has no JetStream for this user: start it with -js, or enable it for the account", l.Address())
	}
	return nil
}

func (l *Link) options() ([]nats.Option, error) {
	o := l.o
	options := []nats.Option{
		nats.Name(o.Name), nats.Timeout(connectLimit),
		nats.MaxReconnects(-1), nats.ReconnectBufSize(-1), nats.CustomReconnectDelay(reconnectDelay),
		nats.IgnoreAuthErrorAbort(), // credentials may be renewed in their file
		nats.PingInterval(o.Times.Ping), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(l.disconnected), nats.ReconnectHandler(l.reconnected),
		nats.ReconnectErrHandler(l.notReconnected), nats.ErrorHandler(l.failed),
		nats.ClosedHandler(func(*nats.Conn) { l.announce() }),
	}
	if o.Creds != "" {
		login, err := l.login()
		if err != nil {
			return nil, err
		}
		options = append(options, login)
	}
	secure, err := o.secure()
	if err != nil {
		return nil, err
	}
	if secure != nil {
		options = append(options, nats.Secure(secure))
	}
	return options, nil
}

// reconnectDelay is the pause after a round over all servers. It differs between clients, so that
// a server that is there again is not asked by all at once.
func reconnectDelay(rounds int) time.Duration {
	pause := 50 * time.Millisecond << min(rounds, 5)
	return pause/2 + rand.N(pause)
}

// Close ends the connection. Requests that wait return an error.
func (l *Link) Close() { l.nc.Close() }

// TLS reports whether the connection, and each that follows it, is encrypted: no other is made then.
func (l *Link) TLS() bool { return l.nc.Opts.Secure }

// Connected reports whether there is a connection now. One that was cut silently counts as one
// until pings have shown that it is not.
func (l *Link) Connected() bool { return l.nc.IsConnected() }

// Address is that of the server, without a password.
func (l *Link) Address() string {
	if l.nc != nil {
		if at := l.nc.ConnectedUrlRedacted(); at != "" {
			return at
		}
	}
	return l.o.Address()
}

// Times are those that this end holds to.
func (l *Link) Times() Times { return l.o.Times }

// Epoch is another number after each time that the connection was lost: while it stays the same,
// nothing that the server sent has been lost.
func (l *Link) Epoch() uint64 { return l.nc.Stats().Reconnects }

// Changed returns a channel that is closed when the connection is next lost, there again, or
// closed. Take it before looking at the connection.
func (l *Link) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// WaitConnected returns when there is a connection; else ctx's cause, or that the link is closed.
func (l *Link) WaitConnected(ctx context.Context) error {
	for {
		changed := l.Changed()
		switch {
		case l.nc.IsClosed():
			return errClosed
		case l.Connected():
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var errClosed = errors.New("the connection with the NATS server is closed")

func (l *Link) announce() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *Link) disconnected(nc *nats.Conn, err error) {
	l.announce()
	if nc.IsClosed() {
		return
	}
	why := "it ended"
	if err != nil {
		why = short(err)
	}
	l.warn(fmt.Sprintf("the connection with the NATS server at %s is lost (%s): trying again", address(l.o.URL), why))
}

func (l *Link) reconnected(nc *nats.Conn) {
	l.mu.Lock()
	l.refused = false
	l.mu.Unlock()
	l.announce()
	l.warn("the connection with the NATS server at " + nc.ConnectedUrlRedacted() + " is there again")
}

// notReconnected tells about refusals alone, once: that nobody is there was told when the
// connection was lost.
func (l *Link) notReconnected(_ *nats.Conn, err error) {
	if !refusal(err) {
		return
	}
	l.mu.Lock()
	told := l.refused
	l.refused = true
	l.mu.Unlock()
	if !told {
		l.warn(dialError(l.o, err).Error())
	}
}

// failed tells about what a server says beside replies, such as a permission that is missing.
func (l *Link) failed(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !refusal(err) && !errors.Is(err, nats.ErrStaleConnection) {
		l.warn("the NATS server at " + address(l.o.URL) + ": " + short(err))
	}
}

func (l *Link) warn(line string) {
	if l.o.Warn != nil {
		l.o.Warn(line)
	}
}

func (l *Link) login() (nats.Option, error) {
	content, err := os.ReadFile(l.o.Creds)
	if err != nil {
		return nil, fmt.Errorf("read the credentials for the NATS server: %w", err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(content)
	if err != nil {
		return nil, fmt.Errorf("the credentials in %s are neither a .creds file nor the seed of a user's NKey", l.o.Creds)
	}
	seed, err := pair.Seed()
	if err == nil {
		_, seed, err = nkeys.DecodeSeed(seed)
	}
	if err == nil {
		l.key = ed25519.NewKeyFromSeed(seed) // the pair would make it anew for each signature
		l.user, err = pair.PublicKey()
	}
	if err != nil {
		return nil, fmt.Errorf("the credentials in %s have no key: %w", l.o.Creds, err)
	}
	l.trust = trust{own: true}
	l.trust = l.trust.with(l.user)
	if hasJWT(content) {
		return nats.UserCredentials(l.o.Creds), nil
	}
	return nats.NkeyOptionFromSeed(l.o.Creds)
}
