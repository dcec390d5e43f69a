/** What notes are called. A name is made of what people typed, and shown to them again: it holds nothing that could disturb. */

import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { QuarryError } from '../../core/errors.js'

/** Made by us: no file that is added gets a name below them. */
const OURS = /^(?:remembered|sessions)\//
const LONGEST_PART = 80
const LONGEST_TAG = 100

export const sessionName = (session: string, day: string): string =>
  `sessions/${session.split('/').map(part).join('/')}/${day}`

export const rememberedName = (id: string): string => `remembered/${id}`

/** The same words noted for the same time are the same note: an agent that says everything twice does no harm. */
export const rememberedId = (text: string, time: number | undefined): string =>
  digest(`${text}\0${time ?? ''}`, 12)

export const fileName = (name: string): string => {
  const safe = name.split('/').map(part).join('/')
  return OURS.test(safe) ? `files/${safe}` : safe
}

/** Of two files with one name the second is told apart by where it lies. */
export const otherName = (name: string, path: string): string => `${name}~${digest(dirname(path), 6)}`

/** Without what a terminal or a glob would stumble over; if that changes anything, told apart by a hash of the whole. */
const part = (text: string): string => {
  const safe = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu, '_')
    .slice(0, LONGEST_PART)
    .toWellFormed()
  const isWhole = safe === text && safe !== '.' && safe !== '..' && safe !== ''
  return isWhole ? safe : `${safe}~${digest(text, 6)}`
}

export const checkTags = (tags: readonly string[]): readonly string[] =>
  tags.map(tag => {
    const said = tag.trim().replace(/^#/, '')
    if (said === '' || said.length > LONGEST_TAG || /[\p{Cc}\p{Cf}]/u.test(said) || !said.isWellFormed())
      throw new QuarryError('BAD_INPUT', `${JSON.stringify(tag.slice(0, 60))} cannot be a tag`, {
        hint: `a tag is a word or a few, at most ${LONGEST_TAG} characters`,
      })
    return said
  })

/** Each once, sorted. */
export const union = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].sort()

export const digest = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)
