import type { WriteStream } from 'node:tty'

export type Paint = (text: string) => string

/** Results go to standard output, all else to standard error, so that a result can be piped on. */
export type Terminal = {
  print(text: string): void
  tell(line: string): void
  /** Of long work: one line that is overwritten where somebody watches, plain lines where nobody does. */
  progress(line: string): void
  readonly good: Paint
  readonly bad: Paint
  readonly faint: Paint
}

type Stream = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }
type Streams = {
  readonly out: Stream
  readonly err: Stream
  readonly environment: Readonly<Record<string, string | undefined>>
}

const clearLine = '\r\u001b[K'

export const createTerminal = ({ out, err, environment }: Streams): Terminal => {
  let unfinished = false
  const finish = (): string => {
    if (!unfinished) return ''
    unfinished = false
    return clearLine
  }
  const noColor = environment['NO_COLOR']
  const colors = out.isTTY === true && (noColor === undefined || noColor === '')
  const paint =
    (code: number): Paint =>
    (text) =>
      colors ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    print(text) {
      if (unfinished) err.write(finish())
      out.write(text)
    },
    tell: (line) => void err.write(`${finish()}${line}\n`),
    progress(line) {
      const isWatched = err.isTTY === true
      err.write(isWatched ? `${finish()}${line}` : `${line}\n`)
      unfinished = isWatched
    },
    good: paint(32),
    bad: paint(31),
    faint: paint(2),
  }
}
