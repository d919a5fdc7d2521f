import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { installationHelp } from './installation-help.ts'

const places = ['folder', 'postgres', 's3'] as const

export const filesMove = command({
  args: ['place'],
  description: `Moves the logs and imported schemas to another place: folder (the data folder), postgres (the database) or s3
(MILLSEAL_S3_BUCKET). Machines without a shared folder need them in the database or in S3.

${installationHelp}
While a server runs, it only copies: stop all servers, then run the same command again. Then it copies what was recorded since,
verifies every entry of the copy, and names the new place in the database, which all processes follow. The old files stay
where they are. If the command is interrupted, run it again.`,
  examples: ['millseal files move postgres', 'millseal files move folder'],
  async run({ args: [wanted = ''], environment, terminal }) {
    const place = places.find((one) => one === wanted)
    if (place === undefined) throw new UsageError(`<place>: expected ${places.join(' or ')}`)
    const moved = await (await installation(environment)).moveFiles({
      to: place,
      onProgress: (what) => terminal.progress(what),
    })
    const { from, to, logs, packs, isDone } = moved
    const sizes = Object.entries(logs).map(([mode, size]) => `  ${mode} log: ${size} entries\n`)
    return {
      ok: isDone,
      result: moved,
      text: [
        `${isDone ? 'Moved' : 'Copied'} from ${from} to ${to}:\n`,
        ...sizes,
        `  imported schemas: ${packs} packs\n`,
        isDone
          ? `Start all servers with MILLSEAL_FILES=${place}. Then you can delete the old files.\n`
          : 'A server is still writing, so the old files are still in use: stop all servers, then run this command again.\n',
      ].join(''),
    }
  },
})
