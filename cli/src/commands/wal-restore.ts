import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { parseTime } from '../frame/options.ts'

export const walRestore = command({
  options: {
    to: {
      value: '<time>',
      about: 'a time with a time zone, such as 2026-11-23T09:41:07Z; without it, all that was archived',
    },
  },
  description: `Restores the embedded database from MILLSEAL_WAL_ARCHIVE into an empty data folder (MILLSEAL_DATA_DIR): all that was
committed until --to, and nothing after it. Then it verifies the logs. The data folder must already contain master.key, unless
MILLSEAL_MASTER_KEY is set. All other settings are those of the server.

Stop the original server first: both would append to the same logs. If a restore does not finish, empty the data folder, put
master.key back, and start again.`,
  examples: [
    'MILLSEAL_DATA_DIR=/srv/restored millseal wal restore --to 2026-11-23T09:41:07Z',
    'MILLSEAL_DATA_DIR=/srv/restored millseal wal restore',
  ],
  async run({ values, environment, terminal }) {
    const restored = await (await installation(environment)).restoreTo({
      to: values.to === undefined ? undefined : parseTime('--to', values.to),
      onProgress: (line) => terminal.progress(line),
    })
    const { base, lastChange, logs, problems } = restored
    const sizes = logs.map(([mode, { checkpoint }]) => [mode, checkpoint?.size ?? 0] as const)
    return {
      ok: problems.length === 0,
      result: { base, lastChange, logs: Object.fromEntries(sizes), problems },
      text: [
        `Restored the base of ${base} and the changes until ${lastChange ?? 'then'}.\n`,
        ...sizes.map(([mode, size]) => `  ${mode} log: ${size} entries\n`),
        ...problems.map((problem) => `  DIFFERENT: ${problem}\n`),
      ].join(''),
    }
  },
})
