// Package approval shows what a person reads before they allow or deny something: the current
// question with its answers, the list of denials, and what an answer covers, in words. The
// caller carries the answer out.
package approval
