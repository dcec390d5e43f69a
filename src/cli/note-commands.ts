/** The commands of notes with their flags. */

import { type Command, Option } from 'commander'
import { addCommonFlags, addMultiQueryFlags, collectNames } from './flags.js'
import { addRecallFlags, noteTime } from './note-flags.js'
import type { Surroundings } from './program.js'

type Define = (name: string, description: string) => Command

export const addNoteCommands = (
  define: Define,
  surroundings: Surroundings,
  finish: (exitCode: number) => void,
): void => {
  addMultiQueryFlags(
    addRecallFlags(define('recall [question]', 'find notes, and who said what in conversations')),
  )
    .option(
      '--queries <file>',
      'ask every line of a file (.jsonl: {"id","query"}), - for stdin; one JSON answer a line',
    )
    .action(async (asked, flags) => {
      const { runSearch } = await import('./commands/search.js')
      finish(await runSearch('recall', asked, flags, surroundings))
    })

  addCommonFlags(define('remember [text]', 'note something; without a text, what comes from stdin'))
    .option('--tag <name>', 'repeat it or separate by commas', collectNames)
    .option('--time <when>', 'when it was: 2024-05-01, an ISO time, yesterday', noteTime)
    .action(async (text, flags) => {
      const { runRemember } = await import('./commands/remember.js')
      finish(await runRemember(text, flags, surroundings))
    })

  addCommonFlags(define('forget <id>', 'take out what was remembered, or one turn of a conversation')).action(
    async (id, flags) => {
      const { runForget } = await import('./commands/remember.js')
      finish(await runForget(id, flags, surroundings))
    },
  )

  const notes = define('notes', 'the notes of this directory')
  const part = (name: string, description: string): Command =>
    addCommonFlags(notes.command(name).description(description))
  part('add <path...>', 'take in Markdown, text and conversations, from files and directories')
    .option('--tag <name>', 'repeat it or separate by commas', collectNames)
    .addOption(
      new Option(
        '--format <name>',
        'how the files are written, unless their names and contents tell',
      ).choices(['markdown', 'text', 'jsonl', 'chatgpt', 'claude', 'slack', 'whatsapp']),
    )
    .action(async (paths, flags) => {
      const { runNotesAdd } = await import('./commands/notes.js')
      finish(await runNotesAdd(paths, flags, surroundings))
    })
  part('export [file]', 'write all notes as JSON Lines, to a file or stdout').action(async (file, flags) => {
    const { runNotesExport } = await import('./commands/notes-export.js')
    finish(await runNotesExport(file, flags, surroundings))
  })
  part('import <file>', 'take in what export wrote')
    .option('--replace', 'in place of other notes of the same name')
    .action(async (file, flags) => {
      const { runNotesImport } = await import('./commands/notes-export.js')
      finish(await runNotesImport(file, flags, surroundings))
    })
  part('list', 'what was noted')
    .option('--tag <name>', 'only what has this tag; repeat it or separate by commas', collectNames)
    .option('--session <name>', 'only this conversation')
    .action(async flags => {
      const { runNotesList } = await import('./commands/notes.js')
      finish(await runNotesList(flags, surroundings))
    })
  part('show <name>', 'a whole note').action(async (name, flags) => {
    const { runNotesShow } = await import('./commands/notes.js')
    finish(await runNotesShow(name, flags, surroundings))
  })
  part('remove <name...>', "take out whole notes, by name or a pattern such as 'diary/**'").action(
    async (names, flags) => {
      const { runNotesRemove } = await import('./commands/notes.js')
      finish(await runNotesRemove(names, flags, surroundings))
    },
  )
}
