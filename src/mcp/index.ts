/** The room's door: the tools of Quarry for coding agents. */

export { type ServeOptions, serveStdio } from './serve-stdio.js'
