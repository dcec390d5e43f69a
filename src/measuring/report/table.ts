/** Renders result lines, or any rows, as a Markdown table that also reads well as plain text. */

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number | undefined
  /** Digits behind the point of a number. */
  readonly digits?: number
}

/** A missing value is a dash; columns that hold numbers stand to the right. */
export const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string => {
  const cells = columns.map(column => rows.map(row => column.value(row)))
  const numeric = cells.map(values => values.every(value => typeof value !== 'string'))
  const texts = columns.map((column, index) => [
    column.title,
    ...cells[index]!.map(value => cellText(value, column.digits)),
  ])
  const widths = texts.map(column => Math.max(3, ...column.map(text => text.length)))
  const aligned = (text: string, index: number): string =>
    numeric[index] ? text.padStart(widths[index]!) : text.padEnd(widths[index]!)
  const line = (row: number): string => texts.map((column, index) => aligned(column[row]!, index)).join(' | ')
  const rule = widths.map((width, index) => '-'.repeat(width - 1) + (numeric[index] ? ':' : '-')).join(' | ')
  return [line(0), rule, ...rows.map((_, index) => line(index + 1))].map(text => `| ${text} |`).join('\n')
}

const cellText = (value: string | number | undefined, digits: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (typeof value === 'string') return value.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return digits === undefined ? String(value) : value.toFixed(digits)
}
