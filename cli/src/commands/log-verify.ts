import { encodeBase64 } from '@millseal/proof'
import { FilesUnavailable, installation, type ReadableFiles, verifyLogCopy } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { LogUnreachable, openHttpLog } from '@millseal/node/http-log'
import { installationHelp } from './installation-help.ts'

export const logVerify = command({
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], about: 'verify only the log of this mode' },
    folder: { value: '<folder>', about: 'verify a copy of the files of one log' },
    url: {
      value: '<url>',
      about: 'verify a log that is served there, such as https://mill.example/ledger/live',
    },
    key: {
      value: '<key>',
      about: 'the key of the log you trust, in the format of the file vkey; default: the one beside the log',
    },
  },
  description: `Reads every entry of a log, rebuilds the tree from them, and compares it with tiles, checkpoint, signature and index.
Validates every transaction again. Prints all differences. Does not disturb a running server.

${installationHelp} With --folder or --url it needs neither: any copy will do, also that of another holder.`,
  examples: [
    'millseal log verify',
    'millseal log verify --folder ./copy --key "$(cat log.vkey)"',
    'millseal log verify --url https://mill.example/ledger/live --key "$(cat log.vkey)"',
  ],
  async run({ values: { mode, folder, url, key }, environment }) {
    const place = folder ?? url
    if (folder !== undefined && url !== undefined)
      throw new UsageError('--folder cannot be combined with --url')
    if (key !== undefined && place === undefined) throw new UsageError('--key needs --folder or --url')
    if (mode !== undefined && place !== undefined)
      throw new UsageError('--mode cannot be combined with --folder or --url')
    const reports: readonly (readonly [string, LogReport])[] =
      place === undefined
        ? [...(await (await installation(environment)).verifyLogs(mode))]
        : [[place, await verifyLogCopy(folder ?? filesAt(place), key)]]
    if (reports.length === 0) throw new Error('there are no logs yet')
    return {
      result: reports.map(([name, report]) => resultOf(name, report)),
      text: reports.map(([name, report]) => textOf(name, report)).join(''),
      ok: reports.every(([, { problems }]) => problems.length === 0),
    }
  },
})

/** What a server publishes: neither `blocks` nor the earlier names of the log, of which it has no list. */
const filesAt = (url: string): ReadableFiles => {
  const log = openHttpLog(url)
  const read = async (name: string): Promise<Buffer | undefined> => {
    const bytes = await log.readFile(name).catch((error: unknown) => {
      throw error instanceof LogUnreachable ? new FilesUnavailable(error.message, { cause: error }) : error
    })
    return bytes && Buffer.from(bytes)
  }
  return {
    read,
    readRange: async (name, { offset, length }) => (await read(name))?.subarray(offset, offset + length),
    size: async () => undefined,
    list: async () => [],
  }
}

type LogReport = Awaited<ReturnType<typeof verifyLogCopy>>

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
