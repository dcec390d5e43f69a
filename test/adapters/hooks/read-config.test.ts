import { describe, expect, it } from 'vitest'
import { configValue } from '../../../dist/adapters/hooks/read-config.js'

const hooksPath = (text: string) => configValue(text, 'core', 'hooksPath')

describe('configValue', () => {
  it.each([
    ['[core]\n\thooksPath = .githooks\n', '.githooks'],
    ['[CORE]\n\tHOOKSPATH=.githooks', '.githooks'],
    ['[core] hooksPath = here\n', 'here'],
    ['[core]\r\n\thooksPath = here\r\n', 'here'],
    ['[core]\nhooksPath = a b  # comment\n', 'a b'],
    ['[core]\nhooksPath = "a # b "  ; comment\n', 'a # b '],
    ['[core]\nhooksPath = C:\\\\hooks\\tx\n', 'C:\\hooks\tx'],
    ['[core]\nhooksPath = one\\\ntwo\n', 'onetwo'],
    ['[core]\nhooksPath = one\n[user]\nname = x\n[core]\nhooksPath = two\n', 'two'],
    ['[core]\nhooksPath\n', ''],
  ])('%j', (text, expected) => {
    expect(hooksPath(text)).toBe(expected)
  })

  it.each([
    '',
    '[core]\nbare = false\n',
    '[core]\n# hooksPath = x\n; hooksPath = x\n',
    '[core "hooksPath"]\nhooksPath = x\n',
    '[other]\nhooksPath = x\n',
    '[core]\nbare = false\n[alias]\nhooksPath = x\n',
    'hooksPath = x\n',
  ])('does not set it: %j', text => {
    expect(hooksPath(text)).toBeUndefined()
  })
})
