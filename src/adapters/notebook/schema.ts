/** What the notebook file looks like inside, and how an older one becomes a newer one. */

/** `QRNB`: marks the file as ours, so that neither an index nor another program's database is mistaken for notes. */
export const applicationId = 0x51524e42

/** From one format to the next. Steps only append: what an older Quarry wrote is never thrown away. */
export interface Step {
  /** The format that the step makes. */
  readonly to: number
  readonly sql: string
}

export interface Format {
  readonly version: number
  readonly steps: readonly Step[]
}

/**
 * 1 (0.1.0): notes in one table. Texts are bytes, since the driver cuts strings off at a NUL; `stamp` is a hash of all that is
 *   kept of a note, by which damage is found; `state.revision` counts the changes.
 *
 * Raise it with every change of the tables, say here what changed and add the step; a notebook of a higher version is never
 * touched, one of a lower version is backed up before its first step.
 */
export const format: Format = { version: 1, steps: [] }

export const schema = `
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    form TEXT NOT NULL,
    session TEXT,
    tags TEXT NOT NULL,
    time REAL NOT NULL,
    added REAL NOT NULL,
    origin TEXT,
    stamp TEXT NOT NULL,
    text BLOB NOT NULL
  ) STRICT;
  CREATE INDEX notes_by_session ON notes (session) WHERE session IS NOT NULL;
`
