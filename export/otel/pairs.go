package otel

import (
	"net/url"
	"strings"
)

// pair is one element of a list such as OTEL_RESOURCE_ATTRIBUTES=a=b,c=d.
type pair struct{ key, value string }

// readPairs reads such a list; values are percent-encoded. ok is false if any part is invalid:
// then the whole list is ignored.
func readPairs(list string) (pairs []pair, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, found := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || key == "" || err != nil {
			return nil, false
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, true
}

// Secrets returns the values in a list of headers, each as it is sent and without the word
// before it (Bearer, Basic), as it may be quoted.
func Secrets(headers string) []string {
	var all []string
	pairs, _ := readPairs(headers)
	for _, p := range pairs {
		all = append(all, p.value)
		if _, token, found := strings.Cut(p.value, " "); found {
			all = append(all, token)
		}
	}
	return all
}
