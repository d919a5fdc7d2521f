import { appendFile, readFile } from 'node:fs/promises'

/** What became of a file: a line of a report, so that a command that was stopped goes on where it was. */
export type Reported = { readonly file: string; readonly sha256: string; readonly isDone: boolean }

export type Report<Line extends Reported> = {
  /** What an earlier run did with these bytes of this file, unless it failed. */
  readonly doneBefore: (file: string, sha256: string) => Line | undefined
  readonly add: (line: Line) => Promise<void>
}

/** A file of JSON lines, or nothing without a path. A line that was cut off is none. */
export const openReport = async <Line extends Reported>(path: string | undefined): Promise<Report<Line>> => {
  if (path === undefined) return { doneBefore: () => undefined, add: async () => {} }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const before = new Map<string, Line>()
  for (const line of text.split('\n').flatMap((one) => readLine<Line>(one))) before.set(line.file, line)
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
  return {
    doneBefore: (file, sha256) => {
      const found = before.get(file)
      return found?.sha256 === sha256 && found.isDone ? found : undefined
    },
    add: (line) => appendFile(path, `${JSON.stringify(line)}\n`),
  }
}

const readLine = <Line extends Reported>(text: string): readonly Line[] => {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null && 'file' in line && 'sha256' in line
      ? [line as Line]
      : []
  } catch {
    return []
  }
}
