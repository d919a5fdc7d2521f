import {
  decodeHex,
  encodeBase64Url,
  type FileHash,
  type JsonValue,
  otherSellerRemark,
  deepestBundle,
  readJson,
  type Report,
  type TrustPolicy,
  verifyBundle,
} from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { type Difference, differencesOf } from './differences.ts'
import { type Bundle, hashOfJson, type NamedPolicy, type Paper } from './read-file.ts'
import { type Service, Trouble } from './service.ts'
import { summaryOf } from './summary.ts'
import type { Say } from './texts/texts.ts'

export type Mode = 'test' | 'live'

/** Everything the page checks with. */
export type Trust = {
  readonly mode: Mode
  /** Undefined in the page that works offline. */
  readonly service: Service | undefined
  readonly bundles: readonly Bundle[]
  /** The one that the reader chose. */
  readonly policy: NamedPolicy | undefined
  /** The trust of the page itself, with further keys of logs. */
  readonly own: (keys: readonly string[]) => TrustPolicy
  /** The hashes that the scanned code names. Undefined if none was scanned. */
  readonly scanned: () => Promise<readonly string[] | undefined>
}

type Note = { readonly en: string; readonly de: string }

/** Independent of the language, so that the page can show it again in another one. */
export type Result = {
  readonly name: string
  readonly paper: Paper | undefined
  readonly outcome:
    | { readonly kind: 'report'; readonly report: Report; readonly elsewhere: Mode | undefined }
    | { readonly kind: 'another' }
    | { readonly kind: 'failed'; readonly say: Say }
  readonly remark?: string | undefined
  /** The policy that decided, if it is not the page's own, and whether the page trusts the log without it. */
  readonly by?: { readonly policy: string; readonly isOwnLog: boolean } | undefined
  readonly bundle?: JsonValue | undefined
  /** The certificate inside a PDF that was not notarized as a file. */
  readonly inside?: Report | undefined
  /** The fields in which the file differs from the notarized certificate. */
  readonly differences?: readonly Difference[] | undefined
  /** The service did not answer, so the page could not ask it. */
  readonly isUnasked?: boolean
  /** The service has no record that it notarized the entry. */
  /** The service says them of the entry, beside its proof. */
  readonly notes?: readonly Note[]
}

const notFound: Report = {
  verdict: 'notFound',
  answers: { unchanged: 'unknown', issuer: 'unknown', time: 'unknown', status: 'unknown' },
  checks: [],
}

export const failed = (name: string, error: unknown): Result => ({
  name,
  paper: undefined,
  outcome: { kind: 'failed', say: sayOf(error) },
})

export const sayOf = (error: unknown): Say => {
  if (error instanceof Trouble) return error.say
  return () => (error instanceof Error ? error.message : String(error))
}

export const judge = async (paper: Paper, trust: Trust): Promise<Result> => {
  const { name } = paper
  try {
    return { name, paper, ...(await outcomeOf(paper, trust)) }
  } catch (error) {
    return { ...failed(name, error), paper }
  }
}

const outcomeOf = async (paper: Paper, trust: Trust): Promise<Omit<Result, 'name' | 'paper'>> => {
  const found = await proofOf(paper, trust)
  const { bundle, own, isUnasked } = found
  const policy = trust.policy?.policy ?? own
  if (bundle === undefined) {
    if (isUnasked instanceof Error) throw isUnasked
    const report = trust.service === undefined ? noBundle : notFound
    return {
      outcome: { kind: 'report', report, elsewhere: await elsewhere(paper, trust) },
      ...(await within(paper, trust)),
    }
  }
  const check = (file: FileHash): Report => verifyBundle({ file, bundle, policy }, primitives)
  const scanned = await trust.scanned().catch((error: unknown) => {
    if (isUnasked === undefined) throw error
    return undefined
  })
  if (scanned?.every((hash) => isAnother(check({ kind: 'json', hash }))))
    return { outcome: { kind: 'another' } }
  const report = check({ kind: paper.kind, hash: paper.hash })
  const { certificate } = paper
  const inside =
    certificate === undefined ? undefined : check({ kind: 'json', hash: hashOfJson(certificate) })
  const isRecorded = inside !== undefined && !isAnother(inside)
  const remark = certificate !== undefined && isRecorded ? otherSellerRemark(report, certificate) : undefined
  const outcome = { kind: 'report', report, elsewhere: undefined } as const
  const by = trust.policy && {
    policy: trust.policy.name,
    isOwnLog: verifyBundle({ file: paper, bundle, policy: own }, primitives).answers.unchanged === 'yes',
  }
  const rest =
    isAnother(report) && paper.kind === 'pdf' && inside?.answers.unchanged === 'yes' ? { inside } : {}
  return {
    outcome,
    remark,
    by,
    bundle,
    isUnasked: isUnasked !== undefined,
    notes: found.notes,
    ...rest,
  }
}

const noBundle: Report = { ...notFound, verdict: 'unchecked' }

const isAnother = ({ checks }: Report): boolean =>
  checks.some(({ name, outcome }) => name === 'file' && outcome === 'failed')

type Proof = {
  readonly bundle: JsonValue | undefined
  /** The trust of the page itself. */
  readonly own: TrustPolicy
  /** The reason if the service was not asked, although there is one. */
  readonly isUnasked: Error | undefined
  readonly notes: readonly Note[]
}

/** The newest bundle: from the service or, without one, from the reader. */
const proofOf = async ({ hash }: FileHash, trust: Trust): Promise<Proof> => {
  const { service, bundles, mode, own } = trust
  const given =
    bundles.find(({ hashes }) => hashes.includes(hash)) ?? (bundles.length === 1 ? bundles[0] : undefined)
  const withGiven = { bundle: given?.json, own: own([]), notes: [] }
  if (service === undefined) return { ...withGiven, isUnasked: undefined }
  try {
    let notes: readonly Note[] = []
    const [bundle, key] = await Promise.all([
      fetchBundle(service, { hash, mode }, (headers) => {
        notes = JSON.parse(headers.get('x-notes-text') ?? '[]') as Note[]
      }),
      service(`ledger/${mode}/vkey`),
    ])
    const fresh = key === undefined ? [] : [key.trim()]
    if (bundle === undefined) return { ...withGiven, own: own(fresh), isUnasked: undefined }
    return { bundle, own: own(fresh), isUnasked: undefined, notes }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ...withGiven, isUnasked: error }
  }
}

const fetchBundle = async (
  service: Service,
  { hash, mode }: { readonly hash: string; readonly mode: Mode },
  onHeaders?: (headers: Headers) => void,
): Promise<JsonValue | undefined> => {
  const text = await service(`api/certificates/proof/${hash}?mode=${mode}`, onHeaders)
  return text === undefined
    ? undefined
    : readJson(new TextEncoder().encode(text), { maxDepth: deepestBundle })
}

/** The other mode, if the file was notarized there. */
const elsewhere = async ({ hash }: FileHash, { service, mode }: Trust): Promise<Mode | undefined> => {
  const other = mode === 'live' ? 'test' : 'live'
  if (service === undefined) return undefined
  return (await fetchBundle(service, { hash, mode: other })) === undefined ? undefined : other
}

/** Looks for the certificate inside an unknown PDF. */
const within = async ({ kind, certificate }: Paper, trust: Trust): Promise<Pick<Result, 'inside'>> => {
  if (kind === 'json' || certificate === undefined) return {}
  const hash = hashOfJson(certificate)
  const { bundle, own } = await proofOf({ kind: 'json', hash }, trust)
  if (bundle === undefined) return {}
  const policy = trust.policy?.policy ?? own
  const inside = verifyBundle({ file: { kind: 'json', hash }, bundle, policy }, primitives)
  return inside.answers.unchanged === 'yes' ? { inside } : {}
}

/** The certificate in its notarized form, if this is one or contains one. */
const notarizedIn = ({ paper, outcome, inside }: Result): JsonValue | undefined => {
  const isUnchanged = outcome.kind === 'report' && outcome.report.answers.unchanged === 'yes'
  return isUnchanged || inside !== undefined ? paper?.certificate : undefined
}

/** Compares each altered file with the unaltered certificate of the same number. */
export const withDifferences = (results: readonly Result[], known: readonly JsonValue[]): readonly Result[] =>
  results.map((result) => {
    const here = result.paper?.certificate
    const { outcome } = result
    const isChanged =
      outcome.kind === 'report' &&
      ['altered', 'notFound', 'unchecked'].includes(outcome.report.verdict) &&
      result.inside === undefined
    const { number } = summaryOf(here)
    const notarized =
      isChanged && number !== undefined && known.find((one) => summaryOf(one).number === number)
    if (notarized === false || notarized === undefined) return result
    return { ...result, differences: differencesOf(notarized, here) }
  })

/** All certificates in their notarized form. */
export const notarizedAmong = (results: readonly Result[]): readonly JsonValue[] =>
  results.map(notarizedIn).filter((one) => one !== undefined)

export const shortCodeOf = (hash: string): string => encodeBase64Url(decodeHex(hash).subarray(0, 16))
