import { encodeBase64 } from '@millseal/proof'
import { installation, verifyLogFolder } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { installationHelp } from './installation-help.ts'

export const logVerify = command({
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], about: 'verify only the log of this mode' },
    folder: { value: '<folder>', about: 'verify a copy of the files of one log' },
    key: {
      value: '<key>',
      about: 'the key of the log you trust, in the format of the file vkey; default: the key in the folder',
    },
  },
  description: `Reads every entry of a log, rebuilds the tree from them, and compares it with tiles, checkpoint, signature and index.
Validates every transaction again. Prints all differences. Does not disturb a running server.

${installationHelp} With --folder it needs neither.`,
  examples: ['millseal log verify', 'millseal log verify --folder ./copy --key "$(cat log.vkey)"'],
  async run({ values: { mode, folder, key }, environment }) {
    if (key !== undefined && folder === undefined) throw new UsageError('--key needs --folder')
    if (mode !== undefined && folder !== undefined)
      throw new UsageError('--mode cannot be combined with --folder')
    const reports: readonly (readonly [string, LogReport])[] =
      folder === undefined
        ? [...(await (await installation(environment)).verifyLogs(mode))]
        : [[folder, await verifyLogFolder(folder, key)]]
    if (reports.length === 0) throw new Error('there are no logs yet')
    return {
      result: reports.map(([name, report]) => resultOf(name, report)),
      text: reports.map(([name, report]) => textOf(name, report)).join(''),
      ok: reports.every(([, { problems }]) => problems.length === 0),
    }
  },
})

type LogReport = Awaited<ReturnType<typeof verifyLogFolder>>

const resultOf = (name: string, { checkpoint, problems }: LogReport): object => ({
  name,
  origin: checkpoint?.origin,
  size: checkpoint?.size,
  root: checkpoint && encodeBase64(checkpoint.root),
  problems,
})

const textOf = (name: string, { checkpoint, problems }: LogReport): string => {
  const what = checkpoint === undefined ? 'no checkpoint' : `${checkpoint.origin}, ${checkpoint.size} entries`
  return problems.length === 0
    ? `${name}: ${what}: valid\n`
    : `${name}: ${what}: NOT VALID\n${problems.map((problem) => `  ${problem}\n`).join('')}`
}
