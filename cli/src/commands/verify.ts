import { writeFile } from 'node:fs/promises'
import type { JsonValue } from '@millseal/proof'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { checklist } from '../verification/checklist.ts'
import { fetchBundle, fetchLogKey, type Mode, otherMode } from '../verification/fetch-proof.ts'
import { readCertificateFile, readJsonFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { isOnLedger, type Verification, verifyFile } from '../verification/verify-file.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const verify = command({
  args: ['pdf or json'],
  options: {
    bundle: {
      value: '<file>',
      about: 'the proof bundle of the certificate; the command then uses no network',
    },
    policy: { value: '<file>', about: 'a trust policy: the keys of the logs and issuers you trust' },
    mode: {
      value: '<mode>',
      among: ['live', 'test'],
      about: 'the mode in which the certificate was notarized; default live',
    },
    server: serverOption,
    'save-bundle': {
      value: '<file>',
      about: 'save the proof bundle from the server for later, or for offline use',
    },
    'save-policy': {
      value: '<file>',
      about: 'save the log key from the server as a policy; check the key before you trust it',
    },
  },
  description: `Verifies a certificate you received: the file is unchanged, its transaction is signed, a log you trust contains the
transaction; who signed it, when, and who else confirms it. Compares JSON by its values and PDF by its bytes.

Without --policy, the command gets the key of the log from the server itself, which only proves that the server does not
contradict itself. Compare this key once with the key that the operator publishes, and save it as a policy.`,
  examples: [
    'millseal verify certificate.pdf --server https://millseal.example.com --save-bundle bundle.json',
    'millseal verify certificate.json --bundle bundle.json --policy policy.json',
  ],
  async run({ args: [path = ''], values, environment, terminal }) {
    const offline = values.bundle !== undefined
    for (const option of ['server', 'mode', 'save-bundle', 'save-policy'] as const) {
      if (offline && values[option] !== undefined)
        throw new UsageError(`--${option} cannot be combined with --bundle`)
    }
    if (values.policy !== undefined && values['save-policy'] !== undefined)
      throw new UsageError('--save-policy cannot be combined with --policy')
    const file = await readCertificateFile(path)
    const given = values.policy === undefined ? undefined : await readJsonFile(values.policy, 'The policy')
    const source = offline
      ? undefined
      : { server: serverAddress(values.server, environment), mode: values.mode ?? ('live' as const) }
    const policy = given ?? (source === undefined ? {} : await fetchPolicy(source))
    const bundle = values.bundle === undefined ? undefined : await readJsonFile(values.bundle, 'The bundle')
    const verification = await verifyFile({
      file,
      policy: readTrust(policy),
      findBundle: async (hash) =>
        source === undefined ? bundle : await fetchBundle(source.server, { hash, mode: source.mode }),
    })
    const elsewhere = source === undefined ? undefined : await findElsewhere(verification, source)
    if (values['save-policy'] !== undefined) await save(values['save-policy'], policy)
    if (values['save-bundle'] !== undefined) {
      if (verification.bundle === undefined) terminal.note('There is no bundle to save.')
      else await save(values['save-bundle'], verification.bundle)
    }
    const trusted = given === undefined && source !== undefined ? source.server : undefined
    const { bundle: _, ...result } = verification
    return {
      result: {
        ...result,
        ...source,
        knownIn: elsewhere,
        policy: given === undefined ? (trusted ?? 'none') : values.policy,
      },
      text: checklist(path, verification, { terminal, source, trusted, elsewhere }),
      ok: verification.isValid,
    }
  },
})

/** The other mode, if only its ledger contains the certificate. */
const findElsewhere = async (
  verification: Verification,
  { server, mode }: { server: string; mode: Mode },
): Promise<Mode | undefined> => {
  if (isOnLedger(verification)) return undefined
  for (const file of [verification.file, verification.embedded?.file]) {
    if (file === undefined) continue
    const bundle = await fetchBundle(server, { hash: file.hash, mode: otherMode(mode) })
    if (bundle !== undefined) return otherMode(mode)
  }
  return undefined
}

const fetchPolicy = async ({ server, mode }: { server: string; mode: Mode }): Promise<JsonValue> => ({
  logs: [await fetchLogKey(server, mode)],
})

const save = (path: string, json: JsonValue): Promise<void> =>
  writeFile(path, `${JSON.stringify(json, null, 2)}\n`)
