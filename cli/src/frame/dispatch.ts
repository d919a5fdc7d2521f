import { nearest } from '@millseal/contract/nearest'
import released from '../../../package.json' with { type: 'json' }
import { asksForHelp, type Command, type Environment } from './command.ts'

/** Loaded on demand, so that no command waits for the code of another. */
export type Entry = { readonly about: string; readonly load: () => Promise<Command> }
export type Group = { readonly about: string; readonly verbs: Readonly<Record<string, Entry>> }
export type Commands = Readonly<Record<string, Entry | Group>>

/** A command that parses its arguments itself. */
export const plain = (
  run: (given: readonly string[], environment: Environment) => Promise<number>,
): Command => ({
  usage: (name) => `millseal ${name}`,
  words: () => ['--help'],
  run: (_name, given, environment) => run(given, environment),
})

export const dispatch = async (
  commands: Commands,
  given: readonly string[],
  environment: Environment,
): Promise<number> => {
  const [name, ...rest] = given
  if (name === 'help' && rest.length > 0) return await dispatch(commands, [...rest, '--help'], environment)
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    process.stdout.write(overview(commands))
    return name === undefined ? 2 : 0
  }
  if (name === 'version' || name === '--version') {
    process.stdout.write(`millseal ${released.version}, Node ${process.versions.node}\n`)
    return 0
  }
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (found === undefined) return refuse(`unknown command ${name}`, name, Object.keys(commands), '')
  if ('load' in found) return await (await found.load()).run(name, rest, environment)
  return await dispatchVerb(name, found, { given: rest, environment })
}

const dispatchVerb = async (
  name: string,
  { about, verbs }: Group,
  { given, environment }: { readonly given: readonly string[]; readonly environment: Environment },
): Promise<number> => {
  const [verb, ...rest] = given
  const names = Object.keys(verbs)
  const found = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (verb !== undefined && found !== undefined)
    return await (await found.load()).run(`${name} ${verb}`, rest, environment)
  if (asksForHelp(given)) {
    process.stdout.write(await groupHelp(name, { about, verbs }))
    return 0
  }
  return verb === undefined
    ? refuse(`millseal ${name} needs one of: ${names.join(', ')}`, '', [], `${name} `)
    : refuse(`unknown command ${name} ${verb}`, verb, names, `${name} `)
}

/** What may be typed now: the last word is not complete. */
export const wordsAfter = async (
  commands: Commands,
  typed: readonly string[],
): Promise<readonly string[]> => {
  const [name = '', ...rest] = typed[0] === 'help' ? typed.slice(1) : typed
  if (rest.length === 0)
    return [...described(commands), ...(typed.length > 1 ? [] : ['help\tprint the help'])]
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (found === undefined) return []
  if ('load' in found) return (await found.load()).words(rest)
  const [verb = '', ...further] = rest
  if (further.length === 0) return described(found.verbs)
  const entry = Object.hasOwn(found.verbs, verb) ? found.verbs[verb] : undefined
  return entry === undefined ? [] : (await entry.load()).words(further)
}

const described = (entries: Readonly<Record<string, { readonly about: string }>>): readonly string[] =>
  Object.entries(entries).map(([name, { about }]) => `${name}\t${about}`)

const refuse = (problem: string, wanted: string, names: readonly string[], before: string): number => {
  const meant = nearest(wanted, names)
  const guess = meant === undefined ? '' : `, did you mean ${before}${meant}?`
  process.stderr.write(`millseal: ${problem}${guess}; try millseal ${before}--help\n`)
  return 2
}

const overview = (commands: Commands): string =>
  [
    'Usage: millseal <command> [arguments]',
    '',
    ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
    '',
    'Every command has --help and --json (serve only --help). millseal --version prints the version.',
    'Exit codes: 0 success, 1 failure or a negative answer, 2 an invalid argument or setting. verify and log watch have more.',
    'Example: millseal verify certificate.pdf --server https://millseal.example.com',
    '',
  ].join('\n')

const groupHelp = async (name: string, { about, verbs }: Group): Promise<string> => {
  const lines = await Promise.all(
    Object.entries(verbs).map(
      async ([verb, entry]) => `  ${(await entry.load()).usage(`${name} ${verb}`)}\n      ${entry.about}`,
    ),
  )
  return [
    `millseal ${name}: ${about}`,
    '',
    ...lines,
    '',
    `For details, run millseal ${name} <command> --help.`,
    '',
  ].join('\n')
}
