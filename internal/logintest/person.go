package logintest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// Browse does what a browser does with an address: it follows where it is sent, and returns the
// page at the end, or an error if that is one.
func Browse(address string) (page string, err error) {
	answer, err := open(address, nil)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return string(text), err
}

// Sent is the address to which a browser that opens this one is sent.
func Sent(address string) (string, error) {
	answer, err := open(address, func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse })
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.Header.Get("Location") == "" {
		return "", errors.New("it is sent nowhere: " + answer.Status)
	}
	return answer.Header.Get("Location"), nil
}

func open(address string, redirected func(*http.Request, []*http.Request) error) (*http.Response, error) {
	browser := &http.Client{Timeout: 30 * time.Second, CheckRedirect: redirected}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Close = true // no connection is left for a test to end
	return browser.Do(request)
}

var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[ar]t-[A-Z2-7]{26}`) })

// HasToken reports whether a token of some Server is in a text.
func HasToken(text []byte) bool { return token().Match(text) }
