import { writeFile } from 'node:fs/promises'
import type { JsonValue } from '@millseal/proof'
import { command } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'
import { fetchBundle, fetchLogKey, type Mode, otherMode } from '../verification/ask-server.ts'
import { readCertificateFile, readJsonFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { checklist } from '../verification/tell.ts'
import { isOnLedger, judge, type Verdict } from '../verification/judge.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const verify = command({
  args: ['pdf or json'],
  options: {
    bundle: { value: '<file>', about: 'its proof bundle; with it no network is used at all' },
    policy: { value: '<file>', about: 'whom you trust: the keys of logs, and of issuers' },
    mode: {
      value: '<mode>',
      among: ['live', 'test'],
      about: 'in which mode it was notarized, where a server is asked: live unless given',
    },
    server: serverOption,
    'save-bundle': { value: '<file>', about: 'keeps what the server answered, for later and offline' },
    'save-policy': { value: '<file>', about: 'keeps the key that the server said, to compare and to trust' },
  },
  details: `Checks what somebody was given as a certificate: the file is unchanged, its transaction is signed, the log that you
trust holds it, who signed, when, and who else vouches for it. JSON is compared by its values, a PDF by its bytes.

Without --policy the key of the log is asked of the server itself, which proves that the server agrees with itself:
compare the key once with what its operator publishes, and keep it as a policy.`,
  examples: [
    'millseal verify certificate.pdf --server https://millseal.example.com --save-bundle bundle.json',
    'millseal verify certificate.json --bundle bundle.json --policy policy.json',
  ],
  async run({ args: [path = ''], values, environment, terminal }) {
    const offline = values.bundle !== undefined
    for (const option of ['server', 'mode', 'save-bundle', 'save-policy'] as const) {
      if (offline && values[option] !== undefined)
        throw new WrongCall(`--${option} goes without --bundle, which asks nobody`)
    }
    if (values.policy !== undefined && values['save-policy'] !== undefined)
      throw new WrongCall('--save-policy goes without --policy')
    const file = await readCertificateFile(path)
    const given = values.policy === undefined ? undefined : await readJsonFile(values.policy, 'The policy')
    const source = offline
      ? undefined
      : { server: serverAddress(values.server, environment), mode: values.mode ?? ('live' as const) }
    const policy = given ?? (source === undefined ? {} : await askPolicy(source))
    const bundle = values.bundle === undefined ? undefined : await readJsonFile(values.bundle, 'The bundle')
    const verdict = await judge({
      file,
      policy: readTrust(policy),
      findBundle: async (hash) =>
        source === undefined ? bundle : await fetchBundle(source.server, { hash, mode: source.mode }),
    })
    const elsewhere = source === undefined ? undefined : await findElsewhere(verdict, source)
    if (values['save-policy'] !== undefined) await save(values['save-policy'], policy)
    if (values['save-bundle'] !== undefined) {
      if (verdict.bundle === undefined) terminal.tell('There is no bundle to save.')
      else await save(values['save-bundle'], verdict.bundle)
    }
    const trusted = given === undefined && source !== undefined ? source.server : undefined
    const { bundle: _, ...result } = verdict
    return {
      result: {
        ...result,
        ...source,
        ...(elsewhere && { knownIn: elsewhere }),
        policy: given === undefined ? (trusted ?? 'none') : values.policy,
      },
      said: checklist(path, verdict, { terminal, source, trusted, elsewhere }),
      ok: verdict.isValid,
    }
  },
})

/** The other mode, where its ledger has what that of the mode asked for has not. */
const findElsewhere = async (
  verdict: Verdict,
  { server, mode }: { server: string; mode: Mode },
): Promise<Mode | undefined> => {
  if (isOnLedger(verdict)) return undefined
  for (const { file } of [verdict, ...(verdict.embedded === undefined ? [] : [verdict.embedded])]) {
    const bundle = await fetchBundle(server, { hash: file.hash, mode: otherMode(mode) })
    if (bundle !== undefined) return otherMode(mode)
  }
  return undefined
}

const askPolicy = async ({ server, mode }: { server: string; mode: Mode }): Promise<JsonValue> => ({
  logs: [await fetchLogKey(server, mode)],
})

const save = (path: string, json: JsonValue): Promise<void> =>
  writeFile(path, `${JSON.stringify(json, null, 2)}\n`)
