export type Paint = (text: string) => string

/** Results go to standard output, notes and progress to standard error, so that results can be piped. */
export type Terminal = {
  print(text: string): void
  note(line: string): void
  /** One line that is overwritten on a terminal; plain lines elsewhere. */
  progress(line: string): void
  readonly good: Paint
  readonly bad: Paint
  readonly caution: Paint
  readonly faint: Paint
}

type Stream = { write(text: string): unknown; readonly isTTY?: boolean }
const clearLine = '\r\u001b[K'

export const createTerminal = ({
  out,
  err,
  environment,
}: {
  readonly out: Stream
  readonly err: Stream
  readonly environment: Readonly<Record<string, string | undefined>>
}): Terminal => {
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
    note: (line) => void err.write(`${finish()}${line}\n`),
    progress(line) {
      const isTerminal = err.isTTY === true
      err.write(isTerminal ? `${finish()}${line}` : `${line}\n`)
      unfinished = isTerminal
    },
    good: paint(32),
    bad: paint(31),
    caution: paint(33),
    faint: paint(2),
  }
}
