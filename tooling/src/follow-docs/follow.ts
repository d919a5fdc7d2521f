import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Debian, openDebian } from './debian.ts'
import { readWalk, scriptOfWalk } from './walk.ts'

const root = join(import.meta.dirname, '../../..')

/** What a machine of its own would have. */
const replaced = [
  'in place of a new machine: a fresh Debian in a container with systemd, which reaches registries only',
  'in place of a release: git clone of this checkout into /opt/millseal, as last committed',
  'in place of an entry in the DNS: millseal.example.com in /etc/hosts',
  'in place of a certificate that everybody trusts: the one that the page makes',
]

const useIt =
  'cd /opt/millseal; NODE_EXTRA_CA_CERTS=/etc/ssl/millseal/fullchain.pem .runtime/bin/node tooling/src/follow-docs/client.ts'
const units = ['millseal@api-1', 'millseal@api-2', 'millseal@worker-1', 'millseal@worker-2']
const areTheyUp = `systemctl is-active ${units.join(' ')} postgresql rabbitmq-server nginx && systemctl --failed`

/** What dpkg says about each of some hundred packages. */
const aboutPackages = /^(?:Selecting|Preparing|Unpacking|Setting up|Get:|\(Reading|Processing triggers)/

/** Follows the pages on a fresh Debian and uses the installation. Rejects if anything fails. */
export const follow = async (print: (line: string) => void): Promise<void> => {
  const walk = await readWalk()
  for (const line of replaced) print(line)
  await using debian = await openDebian()
  await promisify(execFile)('git', [
    'clone',
    '--quiet',
    '--no-hardlinks',
    root,
    join(debian.root, 'opt/millseal'),
  ])
  const run = async (what: string, script: string): Promise<void> => {
    print(what)
    const printShort = (line: string): void => {
      if (!aboutPackages.test(line)) print(line)
    }
    if ((await debian.run(script, printShort)) === 0) return
    await printJournals(debian, print)
    throw new Error(`${what}: failed`)
  }
  await run('following the pages', scriptOfWalk(walk))
  await run('looking at the units', areTheyUp)
  await run('using it as a mill does', useIt)
}

const printJournals = async (debian: Debian, print: (line: string) => void): Promise<void> => {
  const journals =
    "journalctl --no-pager --lines 20 --unit 'millseal*' --unit rabbitmq-server --unit nginx || true"
  await debian.run(journals, print)
}
