import { parseArgs } from 'node:util'
import { WrongCall } from './wrong-call.ts'

export type Option = {
  readonly about: string
  /** What stands for the value in the help, like `<file>`; an option without one is a switch. */
  readonly value?: string
  readonly required?: true
  readonly among?: readonly string[]
}
export type Options = Readonly<Record<string, Option>>

/** What a command is given: a value for each option that takes one, true or false for each switch. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { value: string }
    ?
        | (O[K] extends { among: readonly (infer V)[] } ? V : string)
        | (O[K] extends { required: true } ? never : undefined)
    : boolean
}

export type Arguments = {
  /** By their names in the help; a name that ends with `?` may be left out. */
  readonly names: readonly string[]
  readonly options: Options
}

export type Read = {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly args: readonly string[]
  readonly json: boolean
}

/** Throws `WrongCall` naming what is wrong. */
export const readArguments = (given: readonly string[], { names, options }: Arguments): Read => {
  const { values, positionals } = parse(given, options)
  const missing = names.filter((name) => !name.endsWith('?'))[positionals.length]
  if (missing !== undefined) throw new WrongCall(`<${missing}> is missing`)
  const surplus = positionals[names.length]
  if (surplus !== undefined) throw new WrongCall(`unknown argument ${surplus}`)
  for (const [name, { value, required, among }] of Object.entries(options)) {
    const found = values[name]
    if (required && found === undefined) throw new WrongCall(`--${name} is missing`)
    if (value === undefined || found === undefined) continue
    if (found === '') throw new WrongCall(`--${name} takes ${value}`)
    if (among !== undefined && !among.includes(String(found)))
      throw new WrongCall(`--${name} takes ${among.join(' or ')}`)
  }
  const switches = Object.entries(options).filter(([, { value }]) => value === undefined)
  const off = Object.fromEntries(switches.map(([name]) => [name, false]))
  return { values: { ...off, ...values }, args: positionals, json: values['json'] === true }
}

const parse = (given: readonly string[], options: Options) => {
  try {
    const known = Object.entries({ ...options, json: { about: '' } } satisfies Options)
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: Object.fromEntries(
        known.map(([name, option]: [string, Option]) => [
          name,
          { type: option.value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new WrongCall(line.split('. To specify')[0] ?? line, { cause: error })
  }
}
