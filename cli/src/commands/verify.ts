import { writeFile } from 'node:fs/promises'
import { exitCodeOf, type JsonValue, plainLine, type Reading } from '@millseal/proof/verifier'
import { type Call, command } from '../frame/command.ts'
import { parseTime } from '../frame/options.ts'
import { UsageError } from '../frame/usage-error.ts'
import type { Since } from '../log/since.ts'
import { checklist, sealOf } from '../verification/checklist.ts'
import { exitCodeIn, refusalOfMode } from '../verification/expected-mode.ts'
import { fetchBundle, fetchLogKey, type Mode, otherMode, wordsOfNotes } from '../verification/fetch-proof.ts'
import { findBundle, nodesOf } from '../verification/find-bundle.ts'
import { readCertificateFile, readJsonFile, readPolicyFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { isOnLedger, type Verification, verifyFile } from '../verification/verify-file.ts'
import { serverAddress, serverOption } from './server-address.ts'

const options = {
  bundle: {
    value: '<file>',
    about: 'the proof bundle of the certificate; the command then uses no network',
  },
  policy: {
    value: '<file>',
    about: 'a trust policy: the keys of the logs, cosigners and issuers you trust; or a tlog-policy of C2SP',
  },
  mode: {
    value: '<mode>',
    among: ['live', 'test'],
    about:
      'the mode that you expect; a certificate of the other is refused. Default: live, or that of the bundle',
  },
  'max-status-age': {
    value: '<days>',
    about:
      'for how many days after its checkpoint a status counts; default 30. If the policy says less, that counts',
  },
  now: { value: '<time>', about: 'verify as of this time, to repeat an earlier verification' },
  since: {
    value: '<file>',
    about: 'an older bundle or checkpoint: prove over the network that the log still continues it',
  },
  'stamp-roots': {
    value: '<file>',
    about: 'root certificates (PEM or DER) of the authorities whose time stamps you trust',
  },
  nodes: {
    value: '<url,…>',
    about:
      'addresses of nodes that hold the log, or "policy" for those in the policy: asked if the server has no proof or does not answer',
  },
  server: serverOption,
  'save-bundle': {
    value: '<file>',
    about: 'save the proof bundle from the server for later, or for offline use',
  },
  report: {
    value: '<file>',
    about: 'of several: add a line of JSON for each to this file, and do not verify again what it has',
  },
  'save-policy': {
    value: '<file>',
    about: 'save the log key from the server as a policy; check the key before you trust it',
  },
} as const

type VerifyCall = Call<typeof options>

export const verify = command({
  args: ['pdf or json'],
  several: true,
  options,
  description: `Verifies a certificate you received: is the file unchanged, who signed it, when did the log record it, is it still valid?
Compares JSON by its values and PDF by its bytes.

Without --policy, the command gets the key of the log from the server itself, which only proves that the server does not
contradict itself. Compare this key once with the key that the operator publishes, and save it as a policy.

Of several files, the exit code is that of the worst: 1, then 4, 5, 3, 6, 0. After a stop, --report goes on where it was.

Exit codes: 0 genuine (a test certificate only with --mode test), 1 altered, forged or not found, 2 invalid arguments, 3 unchanged, but
the issuer or its status is not known, not accepted, not confirmed by those whom the policy demands, or it is a test, 4 withdrawn, replaced or signed with a revoked key, 5 not checked,
6 genuine as of a status that is too old (--max-status-age): ask again.`,
  examples: [
    'millseal verify certificate.pdf --server https://millseal.example.com --save-bundle bundle.json',
    'millseal verify certificate.json --bundle bundle.json --policy policy.json',
    'millseal verify delivery/*.pdf --policy policy.json --report verified.ndjson',
    'millseal verify certificate.pdf --policy policy.json --nodes policy',
  ],
  unchecked: (reason) => ({
    verdict: 'unchecked',
    answers: { unchanged: 'unknown', issuer: 'unknown', time: 'unknown', status: 'unknown' },
    checks: [{ name: 'bundle', outcome: 'unknown', says: reason }],
  }),
  async run(call) {
    const { values, terminal } = call
    const [path = '', ...others] = call.args
    const reading = readingOf(values)
    if (others.length > 0 || values.report !== undefined) return await severalOf(call, reading)
    const source = sourceOf(call)
    const file = await readCertificateFile(path)
    const given = values.policy === undefined ? undefined : await readPolicyFile(values.policy)
    const json = given ?? (await fetchPolicy(source))
    const policy = readTrust(json)
    const bundle = values.bundle === undefined ? undefined : await readJsonFile(values.bundle, 'The bundle')
    const { found, notes, asked, words } = await findIn(call, { file, bundle, source, policy, reading })
    const stamps = await stampsOf(values, found, policy)
    const seal = await sealOf(file, { roots: values['stamp-roots'], policy })
    const since = await sinceOf(call, { policy, source, bundle: found.bundle })
    const verification = withSince(found, since)
    const isServerEnough = bundle === undefined && asked === undefined
    const elsewhere = isServerEnough && source ? await findElsewhere(verification, source) : undefined
    await saveWanted(call, { policy: json, bundle: found.bundle })
    const trusted = given === undefined ? source?.server : undefined
    const refusal = refusalOfMode(verification, values.mode)
    const { bundle: _, ...result } = verification
    const online = bundle === undefined ? source : undefined
    const evidence = since?.apart && (await import('../log/evidence.ts'))
    const text = checklist(path, verification, {
      terminal,
      source: online,
      trusted,
      policy: values.policy,
      trustsLog: policy.logs.length > 0,
      elsewhere,
      otherMode: refusal,
      stamps,
      seal: seal?.line,
      notes: words.map((each) => plainLine(each, 1_000)),
    })
    return {
      result: {
        ...result,
        ...online,
        notes: notes.length === 0 ? undefined : notes,
        nodes: asked,
        knownIn: elsewhere,
        refusal,
        stamps,
        seal: seal?.result,
        policy: given === undefined ? (trusted ?? 'none') : values.policy,
        since: since?.apart && evidence?.evidenceResult(since.apart),
      },
      text: since?.apart && evidence ? `${text}\n${evidence.evidenceText(since.apart)}` : text,
      exitCode: exitCodeIn(verification, values.mode),
    }
  },
})

const forOne = ['bundle', 'since', 'stamp-roots', 'save-bundle', 'save-policy'] as const

const severalOf = async ({ args, values, environment, terminal }: VerifyCall, reading: Reading) => {
  for (const option of forOne)
    if (values[option] !== undefined) throw new UsageError(`--${option} is for one file`)
  const { verifyMany } = await import('../verification/verify-many.ts')
  const source = { server: serverAddress(values.server, environment), mode: values.mode ?? 'live' }
  const policy = readTrust(
    values.policy === undefined ? await fetchPolicy(source) : await readPolicyFile(values.policy),
  )
  const { mode: expected, report } = values
  const nodes = nodesOf(values.nodes, policy)
  return await verifyMany({ files: args, ...source, expected, policy, nodes, reading, report, terminal })
}

/** The verification, the codes of what the server adds, what the nodes answered, and both in words. */
const findIn = async (
  { values }: VerifyCall,
  {
    file,
    bundle,
    ...more
  }: {
    readonly file: Parameters<typeof verifyFile>[0]['file']
    readonly bundle: JsonValue | undefined
    readonly source: Source | undefined
    readonly policy: ReturnType<typeof readTrust>
    readonly reading: Reading
  },
) => {
  let notes: readonly string[] = []
  let words: readonly string[] | undefined
  let asked: readonly string[] | undefined
  const finding = {
    ...more,
    given: bundle,
    nodes: nodesOf(values.nodes, more.policy),
    mode: more.source?.mode,
    serve: async (hash: string) =>
      more.source &&
      (await fetchBundle(more.source.server, {
        hash,
        mode: more.source.mode,
        onNotes: (...said) => ([notes, words] = said),
      })),
    onAsked: (said: readonly string[]) => (asked = said),
  }
  const found = await verifyFile({ file, ...more, findBundle: (hash) => findBundle(hash, finding) })
  return { found, notes, asked, words: [...(words ?? (await wordsOfNotes(notes))), ...(asked ?? [])] }
}

const stampsOf = async (
  { 'stamp-roots': roots }: VerifyCall['values'],
  verification: Verification,
  policy: ReturnType<typeof readTrust>,
) => {
  if (roots === undefined && (policy.authorities ?? []).length === 0) return undefined
  const { readStamps } = await import('../verification/read-stamps.ts')
  return await readStamps(roots, verification, policy)
}

const readingOf = ({ now, 'max-status-age': days }: VerifyCall['values']): Reading => {
  if (days !== undefined && (!/^\d{1,5}$/.test(days) || Number(days) > 36_500))
    throw new UsageError('--max-status-age must be a number of days from 0 to 36500')
  return {
    now: now === undefined ? new Date() : parseTime('--now', now),
    maxStatusAgeDays: days === undefined ? undefined : Number(days),
  }
}

type Source = { readonly server: string; readonly mode: Mode }

/** Undefined without a network. */
const sourceOf = ({ values, environment }: VerifyCall): Source | undefined => {
  const offline = values.bundle !== undefined
  for (const option of ['save-bundle', 'save-policy'] as const)
    if (offline && values[option] !== undefined)
      throw new UsageError(`--${option} cannot be combined with --bundle`)
  if (offline && values.server !== undefined && values.since === undefined)
    throw new UsageError('--server cannot be combined with --bundle, except with --since')
  if (values.policy !== undefined && values['save-policy'] !== undefined)
    throw new UsageError('--save-policy cannot be combined with --policy')
  if (offline && values.since === undefined) return undefined
  return { server: serverAddress(values.server, environment), mode: values.mode ?? 'live' }
}

const sinceOf = async (
  { values }: VerifyCall,
  {
    policy,
    source,
    bundle,
  }: {
    readonly policy: ReturnType<typeof readTrust>
    readonly source: Source | undefined
    readonly bundle: JsonValue | undefined
  },
): Promise<Since | undefined> => {
  if (values.since === undefined || source === undefined) return undefined
  const { checkSince } = await import('../log/since.ts')
  return await checkSince({ path: values.since, ...source, policy, bundle })
}

/** A log that was rewritten proves nothing, whatever its bundle says. */
const withSince = (verification: Verification, since: Since | undefined): Verification => {
  if (since === undefined) return verification
  const { verdict, answers, checks } = verification
  const { check } = since
  if (check.outcome === 'passed') return { ...verification, checks: [...checks, check] }
  const report = { ...verification, checks: [check, ...checks] }
  if (check.outcome === 'failed')
    return { ...report, verdict: 'altered', answers: { ...answers, unchanged: 'no' } }
  const isWorse = [1, 4, 5].includes(
    exitCodeOf(verdict, { ...answers, isUnconfirmed: false, isStatusOld: false, isTestWanted: true }),
  )
  return isWorse ? report : { ...report, verdict: 'unchecked', answers: { ...answers, unchanged: 'unknown' } }
}

/** The other mode, if only its ledger contains the certificate. */
const findElsewhere = async (
  verification: Verification,
  { server, mode }: Source,
): Promise<Mode | undefined> => {
  if (isOnLedger(verification)) return undefined
  for (const file of [verification.file, verification.embedded?.file]) {
    if (file === undefined) continue
    const bundle = await fetchBundle(server, { hash: file.hash, mode: otherMode(mode) })
    if (bundle !== undefined) return otherMode(mode)
  }
  return undefined
}

const fetchPolicy = async (source: Source | undefined): Promise<JsonValue> =>
  source === undefined ? {} : { logs: [await fetchLogKey(source.server, source.mode)] }

const saveWanted = async (
  { values, terminal }: VerifyCall,
  { policy, bundle }: { readonly policy: JsonValue; readonly bundle: JsonValue | undefined },
): Promise<void> => {
  if (values['save-policy'] !== undefined) await save(values['save-policy'], policy)
  if (values['save-bundle'] === undefined) return
  if (bundle === undefined) terminal.note('There is no bundle to save.')
  else await save(values['save-bundle'], bundle)
}

const save = (path: string, json: JsonValue): Promise<void> =>
  writeFile(path, `${JSON.stringify(json, null, 2)}\n`)
