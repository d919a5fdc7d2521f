import { parseArgs } from 'node:util'
import { lacksDebian } from './debian.ts'
import { follow } from './follow.ts'

const help = `Usage: script/follow-docs

Installs a fresh Debian in a container, runs the commands of docs/deploy.md and deploy/rabbitmq/README.md in it, as they are written, and
then registers, notarizes, verifies and listens to MQTT through the proxy. Prints what it runs and what stands for a machine of its own.
Exits with 1 if anything fails. Takes some minutes and 3 GB in the folder for temporary files. Needs root, Linux and the Debian
packages debootstrap and slirp4netns.
`

const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const main = async (): Promise<void> => {
  const lacking = await lacksDebian()
  if (lacking !== false) throw new Error(lacking)
  await follow(print)
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
