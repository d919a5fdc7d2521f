import {
  type FileHash,
  isChanged,
  type JsonValue,
  nodeProofPath,
  otherSellerRemark,
  deepestBundle,
  readJson,
  type Reading,
  type Report,
  sellersOf,
  type TrustPolicy,
  verifyBundle,
} from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { type Difference, differencesOf } from './differences.ts'
import { type Bundle, hashOfJson, type NamedPolicy, type Paper } from './read-file.ts'
import { replacementOf } from './replacement.ts'
import { askNodes, type Node } from './nodes.ts'
import { type Service, Trouble } from './service.ts'
import { summaryOf } from './summary.ts'
import type { Say } from './texts/texts.ts'

export type Mode = 'test' | 'live'

/** Everything the page checks with. */
export type Trust = {
  /** The one to ask for first. */
  readonly mode: Mode
  /** Undefined in the page that works offline. */
  readonly service: Service | undefined
  /** Asked if the service is silent, or has no proof. */
  readonly holders: readonly Node[]
  /** The address of the service. */
  readonly server: string | undefined
  readonly bundles: readonly Bundle[]
  /** The only bundle that came with the files and names none of them, if they are of one certificate. */
  readonly beside: Bundle | undefined
  /** The one that the reader chose. */
  readonly policy: NamedPolicy | undefined
  /** The trust of the page itself, with further keys of logs. */
  readonly own: (keys: readonly string[]) => TrustPolicy
  /** The hashes that the scanned code names. Undefined if none was scanned. */
  readonly scanned: () => Promise<readonly string[] | undefined>
  /** When the files are checked, and how old a status may be. */
  readonly reading: Reading
}

type Named = { readonly name: string; readonly href: string }

type Note = { readonly en: string; readonly de: string }

/** Independent of the language, so that the page can show it again in another one. */
export type Result = {
  readonly name: string
  readonly paper: Paper | undefined
  readonly outcome:
    | { readonly kind: 'report'; readonly report: Report }
    | { readonly kind: 'another' }
    | { readonly kind: 'failed'; readonly say: Say }
  readonly remark?: string | undefined
  /** The policy that decided, if it is not the page's own, and whether the page trusts the log without it. */
  readonly by?: { readonly policy: string; readonly isOwnLog: boolean } | undefined
  /** The proof that decided. */
  readonly proof?: Proof | undefined
  /** The notarized certificate: the file, or inside of it. */
  readonly original?: JsonValue | undefined
  /** The fields in which the file differs from the notarized certificate, if that is at hand. */
  readonly differences?: readonly Difference[] | undefined
  /** The address of the certificate that replaces it. */
  readonly replacement?: string | undefined
  /** The service did not answer, so the page could not ask it. */
  readonly isUnasked?: boolean
  /** The nodes that had a proof when the service did not. */
  readonly from?: readonly string[] | undefined
  /** Where nodes of the policy have a proof of the file, if the service has none at hand. */
  readonly nodes?: readonly Named[]
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
  const result = await outcomeOf(paper, trust)
    .then((judged): Result => ({ name, paper, ...judged }))
    .catch((error: unknown): Result => ({ ...failed(name, error), paper }))
  return { ...result, nodes: nodesOf(paper, trust) }
}

/** Where the reader may ask: the page itself connects to the service and to its nodes only. */
const nodesOf = ({ hash }: Paper, { policy, own }: Trust): readonly Named[] => {
  const { cosigners, nodes, logs } = policy?.policy ?? own([])
  return (cosigners?.witnesses ?? [])
    .filter(({ name, url = '' }) => nodes?.includes(name) === true && /^https?:/.test(url))
    .flatMap(({ name, url = '' }) =>
      logs.map((log) => ({
        name: `${name}: ${log.name}`,
        href: url.replace(/\/+$/, '') + nodeProofPath(log.name, hash, primitives),
      })),
    )
}

type Judged = Omit<Result, 'name' | 'paper'>

const outcomeOf = async (paper: Paper, trust: Trust): Promise<Judged> => {
  const proof = await proofOf(paper, trust)
  if (proof.bundle !== undefined) return judged(paper, { ...proof, bundle: proof.bundle }, trust)
  for await (const lead of leadsOf(paper, proof, trust)) {
    const found = await judged(paper, lead, trust)
    const { outcome } = found
    if (outcome.kind === 'another' || lead.bundle === trust.beside?.json) return found
    if (outcome.kind === 'report' && isChanged(outcome.report)) return found
  }
  if (proof.isUnasked !== undefined) throw proof.isUnasked
  return { outcome: { kind: 'report', report: trust.service === undefined ? noBundle : notFound } }
}

/** Proofs of other files to which something about this one leads. */
async function* leadsOf({ certificate, kind }: Paper, proof: Found, trust: Trust): AsyncGenerator<Proof> {
  const inside = kind === 'pdf' && certificate !== undefined ? [hashOfJson(certificate)] : []
  const scanned = await trust.scanned().catch(() => undefined)
  for (const hash of [...inside, ...(scanned ?? [])]) {
    const { bundle, ...rest } = await proofOf({ kind: 'json', hash }, trust)
    if (bundle !== undefined) yield { ...rest, bundle }
  }
  if (trust.beside !== undefined) yield { ...proof, bundle: trust.beside.json }
}

const judged = async (paper: Paper, proof: Proof, trust: Trust): Promise<Judged> => {
  const { own, isUnasked } = proof
  const check = (file: FileHash): Report => verifyBundle({ ...proof, file }, primitives)
  const report = check(paper)
  const scanned = await trust.scanned().catch((error: unknown) => {
    if (isUnasked === undefined) throw error
    return undefined
  })
  if (scanned?.every((hash) => isAnother(check({ kind: 'json', hash }))))
    return { outcome: { kind: 'another' } }
  const { certificate } = paper
  const inside =
    certificate === undefined ? undefined : check({ kind: 'json', hash: hashOfJson(certificate) })
  const original = inside?.answers.unchanged === 'yes' ? certificate : undefined
  return {
    outcome: { kind: 'report', report },
    replacement: await replacementIn(trust, report),
    remark: original === undefined ? undefined : otherSellerRemark(report, original),
    by: trust.policy && {
      policy: trust.policy.name,
      isOwnLog: verifyBundle({ ...proof, file: paper, policy: own }, primitives).answers.unchanged === 'yes',
    },
    proof,
    original,
    isUnasked: isUnasked !== undefined,
    notes: proof.notes,
    from: proof.from,
  }
}

const replacementIn = async ({ service, server }: Trust, { facts }: Report): Promise<string | undefined> => {
  const code =
    service && facts?.mode && (await replacementOf(service, facts.mode, facts.status.newest?.replacedBy))
  return code && new URL(`v/${code}`, server).href
}

const noBundle: Report = { ...notFound, verdict: 'unchecked' }

const isAnother = ({ checks }: Report): boolean =>
  checks.some(({ name, outcome }) => name === 'file' && outcome === 'failed')

/** A bundle, and what decides about it. */
type Proof = Reading & {
  readonly bundle: JsonValue
  readonly policy: TrustPolicy
  /** The trust of the page itself. */
  readonly own: TrustPolicy
  /** The reason if the service was not asked, although there is one. */
  readonly isUnasked: Error | undefined
  readonly notes: readonly Note[]
  /** The nodes that it comes from. */
  readonly from: readonly string[] | undefined
}
type Found = Omit<Proof, 'bundle'> & { readonly bundle: JsonValue | undefined }

/** The newest bundle: from the service or, without one, from the reader. */
const proofOf = async ({ hash }: FileHash, trust: Trust): Promise<Found> => {
  const { service, bundles, reading } = trust
  const order = trust.mode === 'live' ? modes : modes.toReversed()
  const given = bundles.find(({ hashes }) => hashes.includes(hash))?.json
  const keys: string[] = []
  let notes: readonly Note[] = []
  const found = (bundle: JsonValue | undefined, isUnasked?: Error, from?: readonly string[]): Found => {
    const own = trust.own(keys)
    return { ...reading, bundle, own, policy: trust.policy?.policy ?? own, isUnasked, notes, from }
  }
  const elsewhere = async (isUnasked?: Error): Promise<Found> => {
    for (const mode of order) {
      const { policy } = found(given)
      const held = await askNodes(trust.holders, { hash, mode, given, policy, reading })
      if (held !== undefined) return found(held.bundle, isUnasked, held.from)
    }
    return found(given, isUnasked)
  }
  if (service === undefined) return found(given)
  try {
    for (const one of order) {
      const [bundle, key] = await Promise.all([
        fetchBundle(service, { hash, mode: one }, (headers) => {
          notes = JSON.parse(headers.get('x-notes-text') ?? '[]') as Note[]
        }),
        service(`ledger/${one}/vkey`),
      ])
      if (key !== undefined) keys.push(key.trim())
      if (bundle !== undefined) return found(bundle)
    }
    return await elsewhere()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return await elsewhere(error)
  }
}

const modes = ['live', 'test'] as const

const fetchBundle = async (
  service: Service,
  { hash, mode }: { readonly hash: string; readonly mode: Mode },
  onHeaders: (headers: Headers) => void,
): Promise<JsonValue | undefined> => {
  const text = await service(`api/certificates/proof/${hash}?mode=${mode}&format=3`, onHeaders)
  return text === undefined
    ? undefined
    : readJson(new TextEncoder().encode(text), { maxDepth: deepestBundle })
}

/** A certificate in its notarized form. */
export type Known = { readonly certificate: JsonValue; readonly result: Result }

export const knownAmong = (results: readonly Result[]): readonly Known[] =>
  results.flatMap((result) =>
    result.original === undefined ? [] : [{ certificate: result.original, result }],
  )

/** Compares each file that is not notarized with the known certificate of the same number and seller. */
export const againstKnown = (result: Result, known: readonly Known[]): Result => {
  const { paper, outcome, original } = result
  const here = paper?.certificate
  const { number } = summaryOf(here)
  const isProven = outcome.kind !== 'report' || outcome.report.answers.unchanged === 'yes'
  if (paper === undefined || here === undefined || number === undefined || isProven || original !== undefined)
    return result
  const sellers = namesOf(here)
  const one = known.find(
    ({ certificate }) =>
      summaryOf(certificate).number === number &&
      namesOf(certificate).some((name) => sellers.some((seller) => seller === name)),
  )
  if (one?.result.proof === undefined) return result
  const { proof, by, isUnasked } = one.result
  const report = verifyBundle({ file: paper, ...proof }, primitives)
  if (!isChanged(report)) return result
  return {
    ...result,
    outcome: { kind: 'report', report },
    proof,
    by,
    isUnasked,
    differences: differencesOf(one.certificate, here),
  }
}

/** Names and VAT ids; a certificate that names no seller is compared by its number alone. */
const namesOf = (certificate: JsonValue): readonly (string | undefined)[] => {
  const names = sellersOf(certificate)
    .flatMap(({ name, vatId }) => [name, vatId])
    .filter(Boolean)
  return names.length === 0 ? [undefined] : names
}
