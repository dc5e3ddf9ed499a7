package main

import "pawl/ui"

// offerLinks lets the screen link to the files of the folder.
func (h *house) offerLinks(options *ui.Options) { options.Workspace = h.world.folder }
