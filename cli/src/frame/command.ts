import { exitCodeOf, sentenceOf } from './failure.ts'
import { type Options, readArguments, type Values } from './options.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { WrongCall } from './wrong-call.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Outcome = {
  /** Printed with `--json`. */
  readonly result: object
  /** Printed without. */
  readonly said: string
  /** False where the answer is no: exit code 1. */
  readonly ok?: boolean
}

export type Call<O extends Options> = {
  readonly args: readonly string[]
  readonly values: Values<O>
  readonly json: boolean
  readonly environment: Environment
  readonly terminal: Terminal
}

type Described = {
  /** Their names; one that ends with `?` may be left out. */
  readonly args?: readonly string[]
  readonly options?: Options
  /** Sentences below the usage. */
  readonly details: string
  readonly examples: readonly string[]
}

export type Declaration<O extends Options> = Described & {
  readonly options?: O
  /** Undefined from a command that has printed by itself, as things came. */
  readonly run: (call: Call<O>) => Promise<Outcome | undefined>
}

/** Exit codes: 0 done, 1 failed or the answer is no, 2 called wrongly or a setting cannot be used. */
export type Command = {
  usage(name: string): string
  run(name: string, given: readonly string[], environment: Environment): Promise<number>
}

export const command = <const O extends Options>(declared: Declaration<O>): Command => ({
  usage: (name) => usageOf(name, declared),
  async run(name, given, environment) {
    const terminal = createTerminal({ out: process.stdout, err: process.stderr, environment })
    if (asksForHelp(given)) {
      terminal.print(helpOf(name, declared))
      return 0
    }
    try {
      const { args = [], options = {} } = declared
      const read = readArguments(given, { names: args, options })
      const outcome = await declared.run({ ...read, values: read.values as Values<O>, environment, terminal })
      if (outcome === undefined) return 0
      terminal.print(read.json ? `${JSON.stringify(outcome.result)}\n` : outcome.said)
      return outcome.ok === false ? 1 : 0
    } catch (error) {
      const hint = error instanceof WrongCall ? `; try millseal ${name} --help` : ''
      terminal.tell(`millseal: ${sentenceOf(error)}${hint}`)
      return exitCodeOf(error)
    }
  },
})

export const asksForHelp = (given: readonly string[]): boolean => {
  const end = given.indexOf('--')
  return (end < 0 ? given : given.slice(0, end)).some((one) => one === '--help' || one === '-h')
}

const usageOf = (name: string, { args = [], options }: Described): string =>
  [
    `millseal ${name}`,
    ...args.map((arg) => (arg.endsWith('?') ? `[<${arg.slice(0, -1)}>]` : `<${arg}>`)),
    ...Object.entries(options ?? {}).map(([option, { value, required }]) => {
      const shown = value === undefined ? `--${option}` : `--${option} ${value}`
      return required ? shown : `[${shown}]`
    }),
    '[--json]',
  ].join(' ')

const helpOf = (name: string, declared: Described): string => {
  const options = Object.entries({
    ...declared.options,
    json: { about: 'prints the result as JSON' },
  } satisfies Options)
  const width = Math.max(...options.map(([option]) => option.length)) + 4
  return [
    `Usage: ${usageOf(name, declared)}`,
    '',
    declared.details.trim(),
    '',
    ...options.map(([option, { about }]) => `  ${`--${option}`.padEnd(width)}${about}`),
    '',
    declared.examples.length === 1 ? 'Example:' : 'Examples:',
    ...declared.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}
