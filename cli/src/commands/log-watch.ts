import { formatNoteKey, type NoteKey, originOf, parseKeyFile } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type Call, command, type Outcome } from '../frame/command.ts'
import { messageOf } from '../frame/error-message.ts'
import { parseDuration } from '../frame/options.ts'
import { UsageError } from '../frame/usage-error.ts'
import { LogsApart, readContinuation, readSigned, type SignedCheckpoint } from '../log/continuation.ts'
import { evidenceResult, evidenceText } from '../log/evidence.ts'
import { readHeldNote } from '../log/held-checkpoint.ts'
import { type HttpLog, openHttpLog } from '@millseal/node/http-log'
import { watchLog } from '../log/watch.ts'
import { readState, type WatchState, writeState } from '../log/watch-state.ts'
import { readPolicyFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { serverAddress, serverOption } from './server-address.ts'

const options = {
  from: {
    value: '<file>',
    about: 'what you hold: a checkpoint, a proof bundle, a tlog-proof or a state file',
  },
  state: { value: '<file>', about: 'keep the newest verified checkpoint in this file, and continue from it' },
  url: { value: '<url>', about: 'the address of the log, without /checkpoint' },
  server: serverOption,
  mode: { value: '<mode>', among: ['live', 'test'], about: 'the log of the server; default live' },
  key: { value: '<key>', about: 'the key of the log, in the format of the file vkey' },
  policy: { value: '<file>', about: 'a trust policy with the key of the log' },
  every: { value: '<time>', about: 'the time between two questions, such as 30s, 5m or 1h; default 60s' },
  once: { about: 'ask once: exit code 0 if the log continues, 1 if it does not, 5 if it cannot be checked' },
} as const

export const logWatch = command({
  options,
  description: `Watches a log from outside, over HTTP: verifies that every new checkpoint is signed, and proves that the log only grew since
the one before, by its tiles. Works with every log of the format c2sp.org/tlog-tiles. Runs until Ctrl-C.

If the log was rewritten, shortened or dated back, the command prints both checkpoints, signed by the log, and exits with 1. Without
--key, --policy or a state file, it uses the key that the log serves, and says so.`,
  examples: [
    'millseal log watch --from bundle.json --server https://millseal.example.com --state mill.state',
    'millseal log watch --url https://log.example.com/2026 --key "$(cat log.vkey)" --from checkpoint --once',
  ],
  unchecked: (reason) => ({ outcome: 'unchecked', reason }),
  async run(call) {
    const { values, terminal } = call
    const everyMs = parseDuration('--every', values.every ?? '60s')
    const stopped = new AbortController()
    const log = openHttpLog(addressOf(call), { signal: stopped.signal })
    const state = values.state === undefined ? undefined : await readState(values.state)
    const from = values.from === undefined ? undefined : await readHeldNote(values.from)
    const key = await keyOf(call, { log, state, note: from ?? state?.checkpoint })
    const known = [state?.checkpoint, from].flatMap((note) =>
      note === undefined ? [] : [readSigned(note, key)],
    )
    const keep = async (newest: SignedCheckpoint): Promise<void> => {
      if (values.state !== undefined)
        await writeState(values.state, { key: formatNoteKey(key), checkpoint: newest.note })
    }
    try {
      if (values.once) {
        const newest = await readContinuation(log, { known, key })
        await keep(newest)
        return continued(newest, known[0])
      }
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
      await watchLog({
        log,
        key,
        known,
        everyMs,
        signal: stopped.signal,
        async onContinued(newest, before) {
          await keep(newest)
          if (newest.note !== before?.note) print(call, continued(newest, before))
        },
        onUnreachable: (error) => terminal.note(`millseal: ${messageOf(error)}. Trying again`),
      })
      return undefined
    } catch (error) {
      if (!(error instanceof LogsApart)) throw error
      return {
        exitCode: 1,
        text: evidenceText(error),
        result: { outcome: 'apart', ...evidenceResult(error) },
      }
    }
  },
})

type WatchCall = Call<typeof options>

const addressOf = ({ values: { url, server, mode }, environment }: WatchCall): string => {
  if (url === undefined) return `${serverAddress(server, environment)}/ledger/${mode ?? 'live'}`
  for (const [name, value] of Object.entries({ server, mode }))
    if (value !== undefined) throw new UsageError(`--${name} cannot be combined with --url`)
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (!['http:', 'https:'].includes(protocol))
    throw new UsageError('--url must be a URL that starts with http:// or https://')
  return url
}

type KeySource = {
  readonly log: HttpLog
  readonly state: WatchState | undefined
  readonly note: string | undefined
}

const keyOf = async ({ values, terminal }: WatchCall, { log, state, note }: KeySource): Promise<NoteKey> => {
  if (values.key !== undefined && values.policy !== undefined)
    throw new UsageError('--key cannot be combined with --policy')
  const named =
    values.policy === undefined
      ? values.key
      : await keyInPolicy(values.policy, note ?? (await log.readCheckpoint()))
  if (named !== undefined && state !== undefined && named !== state.key)
    throw new Error('the state file was written with another key of the log; use another --state file')
  const kept = named ?? state?.key
  if (kept === undefined)
    terminal.note(
      `The key of the log comes from ${log.url} itself. Compare it with the key that the operator publishes.`,
    )
  return parseKeyFile(kept ?? (await log.readKey()), nodePrimitives)
}

const keyInPolicy = async (path: string, note: string): Promise<string> => {
  const { logs } = readTrust(await readPolicyFile(path))
  const key = logs.find(({ name }) => name === originOf(note))
  if (key === undefined) throw new Error(`the policy ${path} has no key for the log ${originOf(note)}`)
  return formatNoteKey(key)
}

const continued = (newest: SignedCheckpoint, before: SignedCheckpoint | undefined): Outcome => {
  const { origin, size, time, note } = newest
  const since = before === undefined ? 'first seen' : `continues the ${before.size} entries known before`
  return {
    text: `${origin}: ${size} entries${time === undefined ? '' : ` at ${time}`}, ${since}\n`,
    result: { outcome: 'continues', origin, size, time, since: before?.size, checkpoint: note },
  }
}

const print = ({ json, terminal }: WatchCall, { text, result }: Outcome): void => {
  if (json) terminal.printJson(result)
  else terminal.print(text)
}
