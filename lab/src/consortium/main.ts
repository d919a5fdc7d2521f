import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { foundConsortium, walk } from './walk.ts'

const help = `Usage: script/consortium [--folder <folder>] [--keep]

Starts a mill, an inspector and an association as three installations on this machine, each with its own log, which the
two others hold and confirm. They issue certificates, the mill is killed, its certificates are verified without it, and
it comes back (docs/consortium.md). Sends nothing to other machines.

  --folder <folder>  where their files are (default: a new folder in ${tmpdir()})
  --keep             leave them running until Ctrl-C, to look at them
`

const { values } = parseArgs({
  options: { folder: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const run = async (): Promise<void> => {
  const folder = resolve(values.folder ?? join(tmpdir(), `millseal-consortium-${process.pid}`))
  await mkdir(folder, { recursive: true })
  await using consortium = await foundConsortium(folder, say)
  await walk(consortium, say)
  say(`Their files are in ${folder}`)
  if (values.keep !== true) return
  for (const { name, url } of [consortium.mill, consortium.inspector, consortium.association])
    say(`  ${name.padEnd(12)} ${url}/  node ${url}/node`)
  say('  Press Ctrl-C to stop')
  await once(process, 'SIGINT')
}

if (values.help === true) process.stdout.write(help)
else await run()
