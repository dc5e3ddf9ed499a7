// Package instructions reads what people have written for models: the user's own file, and
// AGENTS.md or CLAUDE.md of the folders of a checkout, with what those include.
//
//	Place.Read   the user's own ─► the checkout's root ─► … ─► the folder where Pawl stands
//	Place.Below  a tool touched web/src/a.ts ─► web, web/src: what no prompt holds yet
//	   each file: open below the root ─► resolve ─► rules ─► text? ─► comments out ─► @path in turn
//	   ─► agent.Instruction, with its text or with a line that says why there is none
//
// Nothing outside the checkout is opened for a file of the checkout, whatever a path or a link in
// it says. What is found is used without a question: it runs nothing, and no rule follows from it.
package instructions
