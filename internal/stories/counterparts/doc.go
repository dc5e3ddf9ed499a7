// Package counterparts plays the program against what others wrote, as long as "make soak" does:
// their mocks of models, the clients, servers and suites of the makers of protocols, emulators of
// terminals, and what judges pages. Nothing of them stands here but their exact versions, in
// node/package.json and its lock, and the few lines that drive them.
//
//	node/ ─► a temporary folder ─► npm ci ─► node DRIVER ◄── loopback, a pipe, a file ──► Pawl
//
// What cannot be had on a machine is skipped with a line that says what is missing.
package counterparts
