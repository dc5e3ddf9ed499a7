package doctor

import (
	"cmp"
	"fmt"

	"pawl/agent/permission"
)

// examinePermissions lists the permission mode and the rules, strictest first.
func (e *Examination) examinePermissions() {
	mode := cmp.Or(e.settings.PermissionMode, string(permission.Default))
	findings := []Finding{{Name: "mode", Level: levelOK, Says: mode, Value: mode}}
	add := func(name string, rule permission.Rule) {
		findings = append(findings, Finding{Name: name, Level: levelOK, Says: fmt.Sprint(rule), Value: fmt.Sprint(rule)})
	}
	for _, rule := range e.settings.Permissions.Deny {
		add("deny", rule)
	}
	for _, rule := range e.settings.Permissions.Ask {
		add("ask", rule.Rule)
	}
	for _, rule := range e.settings.Permissions.Allow {
		add("allow", rule.Rule)
	}
	findings = append(findings, e.examineAllowed()...)
	if len(findings) == 1 {
		findings = append(findings, Finding{Name: "rules", Level: levelInfo, Says: "none: the mode alone decides"})
	}
	e.add("Permissions", findings...)
}
