import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

const python = '/usr/bin/python3'
const program = join(import.meta.dirname, 'mail-judge.py')

type Outline = string | readonly [string, readonly Outline[]]

/** What Python's parsers for mails and HTML, which are not ours, find in a mail. */
export type JudgedMail = {
  readonly headers: readonly (readonly [string, string])[]
  readonly outline: Outline
  readonly text: string
  readonly html: string
  /** The text that the HTML shows, with the address of every link after it. */
  readonly htmlText: string
  readonly tags: readonly string[]
  readonly references: readonly (readonly [tag: string, attribute: string, value: string])[]
  readonly faults: readonly string[]
  readonly contentIds: readonly string[]
  readonly attachments: readonly (readonly [string, number])[]
}

export const findPython = async (): Promise<string | undefined> =>
  await access(python).then(
    () => python,
    () => undefined,
  )

export const judgeMail = (raw: string | Uint8Array): Promise<JudgedMail> =>
  new Promise((resolve, reject) => {
    const child = execFile(python, [program], { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout) as JudgedMail)
      else reject(new Error('The mail could not be read', { cause: error }))
    })
    child.stdin?.end(raw)
  })
