import { encodeBase64 } from '@millseal/proof'
import { installation, verifyLogFolder } from '@millseal/server'
import { command } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'
import { whereItWorks } from './where-it-works.ts'

export const logVerify = command({
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], about: 'only the log of this mode' },
    folder: { value: '<folder>', about: 'a copy of the files of one log, instead of an installation' },
    key: {
      value: '<key>',
      about: 'whom to believe, as the file vkey has it; without it, the one in the folder',
    },
  },
  details: `Reads every entry of a log, rebuilds its tree, compares tiles, checkpoint, signature and index with it, plays all
transactions through again, and says whatever differs. Beside a running server it does not disturb.

${whereItWorks} With --folder it needs neither.`,
  examples: ['millseal log verify', 'millseal log verify --folder ./copy --key "$(cat log.vkey)"'],
  async run({ values: { mode, folder, key }, environment }) {
    if (key !== undefined && folder === undefined) throw new WrongCall('--key goes with --folder')
    if (mode !== undefined && folder !== undefined) throw new WrongCall('--folder takes no --mode')
    const reports: readonly (readonly [string, LogReport])[] =
      folder === undefined
        ? [...(await (await installation(environment)).verifyLogs(mode))]
        : [[folder, await verifyLogFolder(folder, key)]]
    if (reports.length === 0) throw new Error('there is no log yet')
    return {
      result: reports.map(([name, report]) => ({ name, ...plain(report) })),
      said: reports.map(([name, report]) => tell(name, report)).join(''),
      ok: reports.every(([, { problems }]) => problems.length === 0),
    }
  },
})

type LogReport = Awaited<ReturnType<typeof verifyLogFolder>>

const plain = ({ checkpoint, problems }: LogReport): object => ({
  ...(checkpoint === undefined
    ? {}
    : { origin: checkpoint.origin, size: checkpoint.size, root: encodeBase64(checkpoint.root) }),
  problems,
})

const tell = (name: string, { checkpoint, problems }: LogReport): string => {
  const what = checkpoint === undefined ? 'no checkpoint' : `${checkpoint.origin}, ${checkpoint.size} entries`
  return problems.length === 0
    ? `${name}: ${what}: sound\n`
    : `${name}: ${what}: NOT SOUND\n${problems.map((problem) => `  ${problem}\n`).join('')}`
}
