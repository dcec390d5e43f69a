/** The room's door: an answer as text, Markdown or JSON. Pure functions, for the CLI and for programs alike. */

export { explanationJson } from './explain-json.js'
export { explanationMarkdown } from './explain-markdown.js'
export { explanationSummary, explanationText } from './explain-text.js'
export { answerJson, answerLine, encode, hitLines } from './json.js'
export { answerMarkdown } from './markdown.js'
export { type Paint, paintWith } from './paint.js'
export { sanitise, sanitiseLine } from './sanitise.js'
export { closingLine, counted, grouped, isAboutVectors, warningText } from './talk.js'
export { answerText, type Detail, type TextOptions } from './text.js'
