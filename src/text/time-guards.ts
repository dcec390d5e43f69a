/**
 * What tells a time that is meant from words that only look like one: "in 2020" is a time, "in 2020 rows" is not. A filter that
 * nobody asked for hides the answer, while a phrase that stays in the question costs little; in doubt it stays.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** What may follow a time. A noun would make it a part of a name: "last month column", "v2 api". */
const GOES_ON = words(`
  in on for to at by with without from and or but that which who whom how why what when where did was were had have has we i
  they he she it you the a an my our about around into near inside under because so until before after since as there
  someone anyone everyone if though during across between only still ever again back
  work worked look looked broke changed made introduced added removed fixed happened landed
`)

/** Sums with dates, and texts about them, rather than times at which something was done. */
const IS_SUBJECT = words(`
  compute computes computing calculate calculates calculating get gets getting format formats parse parses parsing render
  renders display displays show shows return returns handle handles select selects pick picks as is are like equals equal say
  says label labelled word words string literal called named button to and or vs versus than with by for next previous per
  each every same second not compare compares default defaults set sets highlight highlights include includes including
  exclude excludes plus minus the use uses using convert converts validate validates accept accepts whether when if older newer
  of between since after before until till in on from during
`)

/** What has a time of its own in the data of a program. */
const HAS_OWN_TIME = words(`
  active inactive expired expire expires expiring expiry seen visited logged login logins request requests session sessions
  event events user users record records row rows entry entries order orders sent received older newer date dates timestamp
  timestamps year years time times birthday birthdays valid certificate certificates token tokens message messages post posts
  invoice invoices payment payments signup signups metric metrics item items
  second seconds millisecond milliseconds ms millis microseconds nanoseconds minutes hours days ticks epoch elapsed offset
  number numbers value values integer integers range port ports random size timeout version versions releases
`)

const IS_COMPARED = words(`
  difference differences differ diff compare comparison choose switch convert converting conversion mapping map translate
  distinguish bridge compatibility compatible relationship migrate migrating migration interop overlap
`)

const WORKED = words('works worked working fine ok okay correctly passed passing compiled')
const OF_DATES = words(
  'day days start end beginning begin first last rest number date dates weekday middle length',
)
const OF_HISTORY = words('commit commits change changes changelog history log work fixes edits merges')
/** "since 2019 changes to …", "yesterday's commits". */
const TIES_A_NOUN = /^(?:since|in|during|from|'s)$/
const HISTORY =
  /\b(?:commit(?:s|ted)?|merged?|landed|pushed|changed?|changes|did|happened|broke|broken|fixed|wrote|added|removed|reverted|renamed|touched|edited|deleted|introduced)\b/i
const PRESENT = /\b(?:is|are|do|does|can|should|works?|looks?|currently)\b/i

/** A time in a question and the text around it. */
export interface Place {
  readonly before: string
  readonly after: string
  /** The word that ties it to the question, in lower case, or '' when there is none. */
  readonly tie: string
  /** As written. */
  readonly time: string
}

export const isMeant = (place: Place): boolean => {
  const { before, after, tie, time } = place
  const next = wordAt(after, /^\s*(?:[,;:!?)]|\.(?=\s|$)|$|([^\s,;:!?)]+))/)
  const previous = wordAt(before, /([\p{L}\p{N}_'-]+)[\s(]*$/u)
  if (next !== '' && !GOES_ON.has(next) && !(OF_HISTORY.has(next) && TIES_A_NOUN.test(tie))) return false
  // "in 1990 and 2015" is a list, of which one year would be left.
  if (/^\s*(?:and|or|to|through)\s+\d/.test(after) || HAS_OWN_TIME.has(previous)) return false
  if (tie === 'between' && IS_COMPARED.has(previous)) return false
  // Someone looking for what broke it would never find that among what was there before.
  if (/^(?:before|until|till)$/.test(tie) && WORKED.has(previous)) return false
  if (tie === 'of' && OF_DATES.has(previous)) return false
  if (tie === 'for' && !OF_HISTORY.has(previous)) return false
  if (tie === '' && IS_SUBJECT.has(previous)) return false
  if (MONTH_OR_WORD.test(time)) return next === '' || time.startsWith('M')
  return !/^today$/i.test(time) || isAboutToday(place)
}

/** Months that are words too, written small: "in may", but not "since may fail". */
const MONTH_OR_WORD = /^(?:may|march)$/i

/** "How does it work today" asks for the present, and the whole of history made that. */
const isAboutToday = ({ before, after, tie }: Place): boolean =>
  tie !== '' || (HISTORY.test(before + after) && !PRESENT.test(before + after))

const wordAt = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1]?.toLowerCase() ?? ''
