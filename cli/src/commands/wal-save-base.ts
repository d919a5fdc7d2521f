import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'

export const walSaveBase = command({
  options: {
    keep: {
      value: '<number>',
      about: 'keep only so many bases with this one, and remove what only older ones need',
    },
  },
  description: `Saves the embedded database to MILLSEAL_WAL_ARCHIVE, where the server also archives its write-ahead log. From the end
of this command on, millseal wal restore can restore every second. You can leave the server running; it must run with
MILLSEAL_WAL_ARCHIVE. A restore reads all changes after the base, so save one regularly, for example every night.

The content is encrypted with the master key. Store master.key, or the value of MILLSEAL_MASTER_KEY, elsewhere: without it
nobody can restore anything.`,
  examples: ['millseal wal save-base', 'millseal wal save-base --keep 7'],
  async run({ values, environment, terminal }) {
    const keep = values.keep === undefined ? undefined : Number(values.keep)
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0))
      throw new UsageError('--keep: expected a number from 1 on')
    const saved = await (await installation(environment)).saveBase({
      keep,
      onProgress: (what) => terminal.progress(`saving ${what}`),
    })
    const { stoppedAt, place, bytes, removedBases, removedSegments } = saved
    return {
      result: saved,
      text: [
        `Saved ${bytes} bytes to ${place}. Every second after ${stoppedAt} can be restored.\n`,
        removedBases + removedSegments === 0
          ? ''
          : `  Removed ${removedBases} older bases and ${removedSegments} segments.\n`,
      ].join(''),
    }
  },
})
