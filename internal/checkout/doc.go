// Package checkout brings the checkout of a folder to another machine, and home what a run made of
// it there.
//
//	host: Home.Send ─► git's state, what is not committed as a commit aside ─► a bundle of what the
//	       store lacks ─► Ref
//	worker: Cache.Receive ─► bundles it lacks ─► a cache a repository ─► a worktree of its own ─► Checkout
//	worker: Checkout.Result ─► all files as a commit, a bundle of what the host lacks, the contents of
//	       the file store ─► Result
//	host: Home.Return ─► objects into the repository, a worktree with its note, contents into the
//	       file store
package checkout
