package main

import (
	"pawl/agent/settings"
	"pawl/internal/models"
	"pawl/tools"
)

// newWeb is the way to the network, and to what of its inside the user allows.
func newWeb(allow []string) (*tools.Web, error) {
	return tools.NewWeb(allow, "Pawl/"+orUnknown(version))
}

// checkFetch refuses what fetch could never reach, by where the user wrote it.
func checkFetch(s settings.Settings, file string, environ []string) error {
	if models.Lookup(environ)("PAWL_FETCH_ALLOW") != "" {
		file = "PAWL_FETCH_ALLOW"
	}
	var found []error
	for _, one := range s.Fetch.Allow {
		if _, err := newWeb([]string{one}); err != nil {
			found = append(found, &settings.Error{Where: file, Message: "fetch.allow: " + err.Error()})
		}
	}
	return settings.All(found...)
}
