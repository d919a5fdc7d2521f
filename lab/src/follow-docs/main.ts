import { parseArgs } from 'node:util'
import { lacksDebian } from './debian.ts'
import { follow } from './follow.ts'
import { walks } from './walks.ts'

const help = `Usage: script/follow-docs [debian | containers]

Installs a fresh Debian in a container, runs the commands of docs/deploy.md in it, as they are written: those of the installation on
Debian, or those that run it in containers. Then registers, notarizes, verifies and listens to MQTT through the proxy. Prints what it
runs and what stands for a machine of its own. Exits with 1 if anything fails. Takes some minutes, and 3 GB (containers: 10 GB) in the folder
for temporary files. Needs root, Linux and the Debian packages debootstrap and slirp4netns.
`

const {
  values,
  positionals: [name = 'debian', ...others],
} = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const main = async (): Promise<void> => {
  const walk = Object.entries(walks).find(([each]) => each === name)?.[1]
  if (walk === undefined || others.length > 0) throw new Error('Expected debian or containers; see --help')
  const lacking = await lacksDebian()
  if (lacking !== false) throw new Error(lacking)
  await follow(walk, print)
  print('every command of the pages worked')
}

if (values.help) process.stdout.write(help)
else
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
// The helpers of tests that it uses would report on tests otherwise.
process.exit()
