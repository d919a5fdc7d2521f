import { exitCodeOf, messageOf } from './error-message.ts'
import { type Options, parseArguments, type Values } from './options.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Outcome = {
  /** Printed with `--json`. */
  readonly result: object
  /** Printed without `--json`. */
  readonly text: string
  /** `false` means exit code 1. */
  readonly ok?: boolean
  /** For commands with more answers than yes and no. */
  readonly exitCode?: number
}

export type Call<O extends Options> = {
  readonly args: readonly string[]
  readonly values: Values<O>
  readonly json: boolean
  readonly environment: Environment
  readonly terminal: Terminal
}

type Described = {
  /** Names of the required arguments. */
  readonly args?: readonly string[]
  /** The last argument may be repeated. */
  readonly several?: true
  readonly options?: Options
  readonly description: string
  readonly examples: readonly string[]
}

export type Declaration<O extends Options> = Described & {
  readonly options?: O
  /** Undefined if the command has printed its results itself. */
  readonly run: (call: Call<O>) => Promise<Outcome | undefined>
  /** For commands that verify: what to print with `--json` if they cannot. Then an error is exit code 5, not 1. */
  readonly unchecked?: (reason: string) => object
}

/** Exit codes: 0 success, 1 failure or a negative answer, 2 an invalid argument or setting. Others: docs/cli.md. */
export type Command = {
  usage(name: string): string
  /** What may follow these words, perhaps with a description after a tab. The last word is the one that is being typed. */
  words(typed: readonly string[]): readonly string[]
  run(name: string, given: readonly string[], environment: Environment): Promise<number>
}

export const command = <const O extends Options>(declared: Declaration<O>): Command => ({
  usage: (name) => usageOf(name, declared),
  words: (typed) => wordsOf(declared, typed),
  async run(name, given, environment) {
    const terminal = createTerminal({ out: process.stdout, err: process.stderr, environment })
    if (asksForHelp(given)) {
      terminal.print(helpOf(name, declared))
      return 0
    }
    try {
      const { args = [], options = {}, several = false } = declared
      const parsed = parseArguments(given, { names: args, options, several })
      const values = parsed.values as Values<O>
      const outcome = await declared.run({ ...parsed, values, environment, terminal })
      if (outcome === undefined) return 0
      if (parsed.json) terminal.printJson(outcome.result)
      else terminal.print(outcome.text)
      return outcome.exitCode ?? (outcome.ok === false ? 1 : 0)
    } catch (error) {
      const hint = error instanceof UsageError ? `; try millseal ${name} --help` : ''
      terminal.note(`millseal: ${messageOf(error)}${hint}`)
      const exitCode = exitCodeOf(error)
      if (declared.unchecked === undefined || exitCode !== 1) return exitCode
      if (given.includes('--json')) terminal.printJson(declared.unchecked(messageOf(error)))
      return 5
    }
  },
})

export const asksForHelp = (given: readonly string[]): boolean => {
  const end = given.indexOf('--')
  return (end < 0 ? given : given.slice(0, end)).some((one) => one === '--help' || one === '-h')
}

const wordsOf = ({ options = {} }: Described, typed: readonly string[]): readonly string[] => {
  const before = typed.at(-2) ?? ''
  const option = before.startsWith('--') ? options[before.slice(2)] : undefined
  if (option?.value !== undefined) return option.among ?? []
  const known = { ...options, json: { about: 'print the result as JSON' }, help: { about: 'print the help' } }
  return Object.entries(known).flatMap(([name, { about }]) =>
    typed.includes(`--${name}`) ? [] : `--${name}\t${about}`,
  )
}

const usageOf = (name: string, { args = [], options = {}, several }: Described): string =>
  [
    `millseal ${name}`,
    ...args.map((arg) => `<${arg}>`),
    ...(several === true ? ['…'] : []),
    ...Object.entries(options).map(([option, { value, required }]) => {
      const shown = value === undefined ? `--${option}` : `--${option} ${value}`
      return required ? shown : `[${shown}]`
    }),
    '[--json]',
  ].join(' ')

const helpOf = (name: string, declared: Described): string => {
  const options = Object.entries({
    ...declared.options,
    json: { about: 'print the result as JSON' },
  } satisfies Options)
  const width = Math.max(...options.map(([option]) => option.length)) + 4
  return [
    `Usage: ${usageOf(name, declared)}`,
    '',
    declared.description,
    '',
    ...options.map(([option, { about }]) => `  ${`--${option}`.padEnd(width)}${about}`),
    '',
    declared.examples.length === 1 ? 'Example:' : 'Examples:',
    ...declared.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}
