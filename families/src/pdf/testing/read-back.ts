import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The texts of PDFs in the order in which they are drawn, read by Poppler. */
export const textsOf = async (pdfs: readonly Uint8Array[]): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  try {
    await Promise.all(pdfs.map((pdf, index) => writeFile(join(folder, `${index}.pdf`), pdf)))
    // One shell for all: a process for each would take longer than the reading.
    const each = 'for file in *.pdf; do pdftotext -raw "$file" || exit 1; done'
    await run('sh', ['-c', each], { cwd: folder, timeout: 300_000 })
    return await Promise.all(pdfs.map((_, index) => readFile(join(folder, `${index}.txt`), 'utf8')))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/gu, '')

export type Found = {
  /** On one line, with nothing but space around it. */
  readonly isWhole: (value: string) => boolean
  /** On one line, perhaps beside a unit or in brackets. */
  readonly isAlone: (value: string) => boolean
  /** Perhaps on several lines. */
  readonly isThere: (value: string) => boolean
}

/** Finds values in the text of a PDF. */
export const searchIn = (text: string): Found => {
  const lines = text
    .normalize('NFC')
    .split(/[\n\f]/u)
    .map((line) => ` ${line.replaceAll(/\s+/gu, ' ')} `)
  const all = withoutSpace(text.normalize('NFC'))
  return {
    isWhole: (value) => {
      const spaced = ` ${value.normalize('NFC').trim().replaceAll(/\s+/gu, ' ')} `
      return lines.some((line) => line.includes(spaced))
    },
    isAlone: (value) => lines.some((line) => line.includes(value.normalize('NFC').trim())),
    isThere: (value) => all.includes(withoutSpace(value.normalize('NFC'))),
  }
}
