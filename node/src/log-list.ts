import { type NoteKey, NoteRefused, parseNoteKey } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

export type ListedLog = {
  readonly key: NoteKey
  /** Where its checkpoint and its tiles are. */
  readonly url: string
}

/** The text is not a list of logs that a node can follow. The message begins with the number of the line. */
export class LogListUnreadable extends Error {
  override readonly name = 'LogListUnreadable'
}

type Section = { readonly line: number; readonly key: NoteKey; origin?: string; url?: string }

/** `logs/v0` of the witness network. A node also needs the comment `#url <address>` of each log. */
export const parseLogList = (text: string): readonly ListedLog[] => {
  const lines = text.split('\n').map((line) => line.trim())
  const first = lines.findIndex((line) => line !== '' && !line.startsWith('#'))
  if (lines[first] !== 'logs/v0') throw new LogListUnreadable(`line ${first + 1}: expected logs/v0`)
  const sections: Section[] = []
  for (const [at, line] of lines.entries()) if (at > first) readLine(line, { line: at + 1, sections })
  if (sections.length === 0) throw new LogListUnreadable(`line ${lines.length}: the list names no log`)
  const logs = sections.map(listed)
  const twice = logs.find(({ key }, at) => logs.some((one, other) => other < at && one.key.name === key.name))
  if (twice !== undefined) throw new LogListUnreadable(`line 1: the log ${twice.key.name} is listed twice`)
  return logs
}

const readLine = (
  text: string,
  { line, sections }: { readonly line: number; readonly sections: Section[] },
): void => {
  const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(text) ?? []
  if (name === 'vkey') return void sections.push({ line, key: readKey(value, line) })
  const section = sections.at(-1)
  if (name === 'origin' && section !== undefined) section.origin = value
  if (name === '#url' && section !== undefined) section.url = readUrl(value, line)
}

const readKey = (text: string, line: number): NoteKey => {
  try {
    return parseNoteKey(text, nodePrimitives)
  } catch (error) {
    if (error instanceof NoteRefused) throw new LogListUnreadable(`line ${line}: ${error.message}`)
    throw error
  }
}

const readUrl = (text: string, line: number): string => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new LogListUnreadable(`line ${line}: expected #url and an address that begins with https://`)
  return text.replace(/\/+$/, '')
}

const listed = ({ line, key, origin, url }: Section): ListedLog => {
  if (origin !== undefined && origin !== key.name)
    throw new LogListUnreadable(`line ${line}: the key has the name ${key.name}, not that of the origin`)
  if (url === undefined)
    throw new LogListUnreadable(`line ${line}: the log ${key.name} needs a line "#url <address>"`)
  return { key, url }
}
