// Package approval is what a person reads before they allow or deny: the question in
// front with its answers, the list of what was denied, and in words what an answer
// covers. What an answer does is its caller's.
package approval
