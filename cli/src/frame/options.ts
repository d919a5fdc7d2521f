import { nearest } from '@millseal/contract/nearest'
import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

export type Option = {
  readonly about: string
  /** The placeholder of the value in the help, such as `<file>`. An option without one is a switch. */
  readonly value?: string
  readonly required?: true
  readonly among?: readonly string[]
}
export type Options = Readonly<Record<string, Option>>

/** A string for each option with a value, a boolean for each switch. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { value: string }
    ?
        | (O[K] extends { among: readonly (infer V)[] } ? V : string)
        | (O[K] extends { required: true } ? never : undefined)
    : boolean
}

export type Parsed = {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly args: readonly string[]
  readonly json: boolean
}

/** Throws a `UsageError` that names the invalid argument. */
export const parseArguments = (
  given: readonly string[],
  {
    names,
    options,
    several,
  }: { readonly names: readonly string[]; readonly options: Options; readonly several: boolean },
): Parsed => {
  const { values, positionals } = parse(given, options)
  const missing = names[positionals.length]
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing`)
  const surplus = positionals[names.length]
  if (surplus !== undefined && !several) throw new UsageError(`unknown argument ${surplus}`)
  for (const [name, { value, required, among }] of Object.entries(options)) {
    const found = values[name]
    if (required && found === undefined) throw new UsageError(`--${name} is missing`)
    if (value === undefined || found === undefined) continue
    if (found === '') throw new UsageError(`--${name} needs ${value}`)
    if (among !== undefined && !among.includes(String(found)))
      throw new UsageError(`--${name} must be ${among.join(' or ')}`)
  }
  const switches = Object.entries(options).filter(([, { value }]) => value === undefined)
  const off = Object.fromEntries(switches.map(([name]) => [name, false]))
  return { values: { ...off, ...values }, args: positionals, json: values['json'] === true }
}

const parse = (given: readonly string[], options: Options) => {
  const known: Options = { ...options, json: { about: '' } }
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(known).map(([name, { value }]) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    })
  } catch (error) {
    throw new UsageError(reasonOf(error, Object.keys(known)), { cause: error })
  }
}

const reasonOf = (error: unknown, names: readonly string[]): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const unknown = /^Unknown option '(-[^']*)'/.exec(line)?.[1]
  if (unknown === undefined) return line
  const meant = nearest(unknown.replace(/^-+/, ''), names)
  return `unknown option ${unknown}${meant === undefined ? '' : `, did you mean --${meant}?`}`
}

/** The time that an option has. */
export const parseTime = (option: string, text: string): Date => {
  const time = new Date(text)
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(time.getTime())
  )
    throw new UsageError(`${option}: expected a time with a time zone, such as 2026-11-23T09:41:07Z`)
  return time
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }
const longestMs = 86_400_000

/** The milliseconds that an option says. */
export const parseDuration = (option: string, text: string): number => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  const ms = Number(count) * (units[unit] ?? 0)
  if (ms === 0 || ms > longestMs) throw new UsageError(`${option} must be a time from 1s to 24h, such as 60s`)
  return ms
}
