import { keys, operator, serve } from '@millseal/server'

type Environment = Readonly<Record<string, string | undefined>>
type Command = {
  readonly about: string
  readonly run: (args: readonly string[], environment: Environment) => Promise<number>
}

/** Exit codes: 0 done, 1 failed, 2 called wrongly or a setting cannot be used. */
const commands: Readonly<Record<string, Command>> = {
  serve: { about: 'start the whole product on this machine', run: serve },
  operator: { about: 'make an operator of the platform, who reviews companies', run: operator },
  keys: { about: 'replace the key that signs access tokens', run: keys },
}

const help = (): string =>
  [
    'Usage: millseal <command> [arguments]',
    '',
    ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
    '',
    'millseal <command> --help tells more, for example: millseal serve --help',
    '',
  ].join('\n')

export const millseal = async (args: readonly string[], environment: Environment): Promise<number> => {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help())
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    process.stderr.write(`millseal: there is no command ${name}; try millseal --help\n`)
    return 2
  }
  return command.run(rest, environment)
}
