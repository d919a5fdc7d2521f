export type Paint = (text: string) => string

/** Results go to standard output, notes and progress to standard error, so that results can be piped. */
export type Terminal = {
  /** Without characters that cannot be seen, or that turn the direction of others: texts of strangers may have any. */
  print(text: string): void
  /** A line of JSON, with such characters as escapes. */
  printJson(value: object): void
  /** A file of ours, as it is. */
  printFile(text: string): void
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

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu
const ownColour = /^\[(?:0|2|3[123])m/

/** Keeps ends of lines, tabs between columns, and the colours below. */
const seen = (text: string): string =>
  text.replaceAll(unseen, (one, at: number) =>
    one === '\n' || one === '\t' || (one === '\u001b' && ownColour.test(text.slice(at + 1, at + 5)))
      ? one
      : '',
  )

const escapesOf = (unit: string): string =>
  unit
    .split('')
    .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

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
  const print = (text: string): void => {
    if (unfinished) err.write(finish())
    out.write(text)
  }
  return {
    print: (text) => print(seen(text)),
    printJson: (value) => print(`${JSON.stringify(value).replaceAll(unseen, escapesOf)}\n`),
    printFile: print,
    note: (line) => void err.write(`${finish()}${seen(line)}\n`),
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
