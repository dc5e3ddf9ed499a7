package otel

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pawl/internal/regular"
)

// reader reads variables into a Config.
type reader struct {
	env func(string) string
	c   Config
	err error
}

func (r *reader) warn(line string) {
	if line != "" {
		r.c.Warnings = append(r.c.Warnings, line)
	}
}

// either is a variable of the exporter: that of traces, or else that of all signals.
func (r *reader) either(option string) (name, value string) {
	if value := r.env("OTEL_EXPORTER_OTLP_TRACES_" + option); value != "" {
		return "OTEL_EXPORTER_OTLP_TRACES_" + option, value
	}
	name = "OTEL_EXPORTER_OTLP_" + option
	return name, r.env(name)
}

func (r *reader) transport() {
	name, value := r.either("HEADERS")
	headers, ok := readPairs(value)
	if !ok {
		r.warn(name + " is not a list like key=value,other=value: no header is sent")
	}
	r.c.headers = headers
	name, value = r.either("COMPRESSION")
	switch value {
	case "gzip":
		r.c.gzip = true
	case "", "none":
	default:
		r.warn(fmt.Sprintf("%s=%q: Pawl supports only gzip and none: requests are not compressed", name, value))
	}
	name, _ = r.either("TIMEOUT")
	r.c.timeout = r.milliseconds(name, requestLimit)
}

// longestCertificate limits a file of certificates, in bytes.
const longestCertificate = 16 << 20

func (r *reader) certificates() {
	name, path := r.either("CERTIFICATE")
	if path != "" {
		pem, err := regular.Read(path, longestCertificate)
		pool := x509.NewCertPool()
		if err == nil && !pool.AppendCertsFromPEM(pem) {
			err = fmt.Errorf("no certificate is in %s", path)
		}
		r.trust(name, err, func(c *tls.Config) { c.RootCAs = pool })
	}
	name, path = r.either("CLIENT_CERTIFICATE")
	if _, key := r.either("CLIENT_KEY"); path != "" || key != "" {
		own, err := tls.LoadX509KeyPair(path, key)
		r.trust(name, err, func(c *tls.Config) { c.Certificates = []tls.Certificate{own} })
	}
}

func (r *reader) trust(name string, err error, set func(*tls.Config)) {
	if err != nil {
		if r.err == nil {
			r.err = fmt.Errorf("%s cannot be used: %w", name, err)
		}
		return
	}
	if r.c.tls == nil {
		r.c.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	set(r.c.tls)
}

// milliseconds reads a duration. Zero means no limit for a limit, and at once for a delay.
func (r *reader) milliseconds(name string, fallback time.Duration) time.Duration {
	value := r.env(name)
	if value == "" {
		return fallback
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		r.warn(fmt.Sprintf("%s=%q is not a number of milliseconds: %d is used", name, value, fallback.Milliseconds()))
		return fallback
	}
	return time.Duration(n) * time.Millisecond
}

// most limits how many spans are kept: their memory is allocated at once.
const most = 1_000_000

func (r *reader) count(name string, fallback int) int {
	value := r.env(name)
	if value == "" {
		return fallback
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 1 || n > most {
		r.warn(fmt.Sprintf("%s=%q is not a number from 1 to %d: %d is used", name, value, most, fallback))
		return fallback
	}
	return int(n)
}

// truth reads a boolean: only true is true.
func (r *reader) truth(name string) bool {
	switch value := r.env(name); strings.ToLower(value) {
	case "true":
		return true
	case "", "false":
	default:
		r.warn(fmt.Sprintf("%s=%q is neither true nor false: it counts as false", name, value))
	}
	return false
}
