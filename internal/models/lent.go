package models

import (
	"fmt"
	"maps"
	"strings"

	"pawl/agent/mask"
	"pawl/agent/settings"
)

// Lent returns what a machine to which keys are lent needs to know of the providers that take keys: their
// addresses and headers, as the settings and variables here have them. kept says of the others why they
// cannot be used there: their address or a header may hold a secret, which is not passed on, and without it
// the key would go to a server that it is not for. Both are by the provider's name.
func (m *Set) Lent() (lent map[string]settings.Provider, kept map[string]string) {
	lent, kept = map[string]settings.Provider{}, map[string]string{}
	for _, p := range m.providers {
		if why := m.stays(p); why != "" {
			kept[p.Name] = why
			continue
		}
		if !p.Secret && p.said.BaseURL == "" { // a local server: that machine has its own
			continue
		}
		address, _ := p.address(m.Env)
		lent[p.Name] = settings.Provider{Kind: p.said.Kind, BaseURL: address, KeyHeader: p.said.KeyHeader, Headers: maps.Clone(p.said.Headers)}
	}
	return lent, kept
}

// stays says why a provider cannot be used on another machine with what is here; empty: it can.
func (m *Set) stays(p Provider) string {
	const do = `: say keys = "worker" in [remote], and set it up there`
	if strings.Contains(p.said.BaseURL, "$") {
		return fmt.Sprintf("the address of %s has a variable, which may hold a key, and stays at home%s", p.Name, do)
	}
	if address, err := p.address(m.Env); err != nil || strings.ContainsAny(address, "?@") {
		return fmt.Sprintf("the address of %s has a query or a user, which may hold a key, and stays at home%s", p.Name, do)
	}
	for name, value := range p.said.Headers {
		if strings.Contains(value, "$") || mask.SecretName(name) || mask.SecretVariable(strings.ReplaceAll(name, "-", "_")) {
			return fmt.Sprintf("the header %s of %s may hold a key, and stays at home%s", name, p.Name, do)
		}
	}
	if m.signs(p) {
		return fmt.Sprintf("%s signs with an access key, which stays at home%s", p.Name, do)
	}
	return ""
}
