package httptransport

import (
	"errors"
	"net/http"
	"testing"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
)

func TestNobodyIsSignedInAndEveryWaySaysSo(t *testing.T) {
	none := &auth.Credentials{}
	token, byToken := none.Token(t.Context())
	project, byProject := none.QuotaProjectID(t.Context())
	found, byMachine := credentials.DetectDefault(&credentials.DetectOptions{})
	client, byClient := NewClient(&Options{Credentials: none})
	if token != nil || project != "" || found != nil || client != nil {
		t.Errorf("%v, %q, %v, %v beside an error", token, project, found, client)
	}
	mine := &http.Client{}
	byMine := AddAuthorizationMiddleware(mine, none)
	if mine.Transport != nil {
		t.Error("the client sends through something else")
	}
	for _, err := range []error{byToken, byProject, byMachine, byClient, byMine} {
		if !errors.Is(err, auth.ErrAbsent) {
			t.Errorf("%v, want %v", err, auth.ErrAbsent)
		}
	}
}
