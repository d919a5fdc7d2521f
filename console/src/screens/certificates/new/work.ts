import type { Certificate } from '@millseal/contract'
import { api, ApiError } from '../../../api/client.ts'
import { addressesIn, doubtsIn, findingsIn } from '../../../api/findings.ts'
import type { Entry, Fault, Owner } from './entry.ts'
import { readFile } from './read-file.ts'

type Change = Partial<Entry>

/** The server is away, asks to wait, or nobody is signed in: the same call may succeed later. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
  readonly why: 'away' | 'signed-out' | 'limit'
  readonly seconds: number

  constructor(why: Postponed['why'], seconds = 0) {
    super(`The work is postponed: ${why}`)
    this.why = why
    this.seconds = seconds
  }
}

const faultOf = ({ code, answer, message, requestId }: ApiError): Fault => {
  const details = answer?.details ?? []
  // The server appends the details to its message, after a colon.
  const ending = details.length === 0 ? '' : `: ${details.join(', ')}`
  const said = answer?.message ?? message
  return {
    code,
    message: ending !== '' && said.endsWith(ending) ? said.slice(0, -ending.length) : said,
    findings: answer === undefined ? [] : findingsIn(answer),
    requestId,
  }
}

/** Calls the server. Returns its refusal; throws `Postponed` if the same call can succeed later. */
const ask = async <T>(work: () => Promise<T>): Promise<{ answer: T } | { fault: Fault }> => {
  try {
    return { answer: await work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw new Postponed('away')
    if (error.status === 401) throw new Postponed('signed-out')
    if (error.status === 429) throw new Postponed('limit', error.retryAfterSeconds ?? 5)
    if (error.status === 502 || error.status === 503 || error.status === 504) throw new Postponed('away')
    return { fault: faultOf(error) }
  }
}

const documentOf = (bytes: Blob): Blob => new Blob([bytes], { type: 'application/json' })

/** Errors that only another file can cure. */
const faultsOfFiles: ReadonlySet<string> = new Set([
  'certificate_invalid',
  'schema_unknown',
  'malformed_json',
  'body_too_large',
])

/** Reads a file and lets the server check it, which stores nothing there. */
export const check = async (entry: Entry, owner: Owner, others: readonly Entry[]): Promise<Change> => {
  const { bytes } = entry
  if (bytes === undefined) return { state: 'failed' }
  const read = await readFile(await bytes.arrayBuffer())
  if (read.unreadable !== undefined) return { state: 'unreadable', unreadable: read.unreadable }
  const { hash, number } = read
  const same = others.find(
    (other) => other.order < entry.order && other.hash === hash && other.state !== 'repeated',
  )
  if (same !== undefined) return { state: 'repeated', hash, number, sameAs: same.name }
  const asked = await ask(() =>
    api.validateCertificate({
      company: owner.company,
      query: { report: true },
      document: documentOf(bytes),
    }),
  )
  if ('fault' in asked) {
    const state = asked.fault.code !== undefined && faultsOfFiles.has(asked.fault.code) ? 'invalid' : 'failed'
    return { state, hash, number, fault: asked.fault }
  }
  const { warnings, findings } = doubtsIn(asked.answer)
  const state = findings.length === 0 ? 'valid' : 'doubtful'
  const addresses = addressesIn(asked.answer)
  return { state, hash, number, warnings, doubts: findings, addresses, fault: undefined }
}

/** Submits a certificate. The key makes the server do it once, however often this is called. */
export const send = async (entry: Entry, owner: Owner): Promise<Change> => {
  const { bytes, identity, idempotencyKey, isOwn, isAccepted } = entry
  const onFindings = isAccepted === true ? 'accept' : 'refuse'
  if (bytes === undefined || identity === undefined || idempotencyKey === undefined)
    return { state: 'failed' }
  const asked = await ask(() =>
    api.notarizeCertificate({
      company: owner.company,
      query: { identity, mode: owner.mode, own: isOwn, onFindings },
      document: documentOf(bytes),
      idempotencyKey,
    }),
  )
  if ('fault' in asked) {
    const { fault } = asked
    return fault.code === 'findings_refused'
      ? { state: 'doubtful', doubts: fault.findings, fault: undefined }
      : { state: 'failed', fault }
  }
  const { answer } = asked
  if (answer.isNewInstance) {
    const state = answer.state === 'awaitingRelease' ? 'waiting' : 'sent'
    return { state, certificate: answer.jobId, acceptedAt: answer.timestamp, fault: undefined }
  }
  const own = await findByHash(answer.hash.value, owner)
  const recorded = { state: 'recorded', fault: undefined, wasThere: true } as const
  if (own !== undefined) return { ...recorded, bytes: undefined, certificate: own.id }
  const { name, time = answer.timestamp } = answer.issuer ?? {}
  return { ...recorded, isElsewhere: true, issuer: { name, time } }
}

const findByHash = async (hash: string, { company, mode }: Owner): Promise<Certificate | undefined> => {
  const asked = await ask(() => api.listCertificates({ company, query: { mode, hash, limit: 1 } }))
  return 'answer' in asked ? asked.answer[0] : undefined
}

const mostPages = 10

/** Reads the present state of certificates that were sent, with as few calls as possible. */
export const follow = async (
  sent: readonly Entry[],
  { company, mode }: Owner,
): Promise<ReadonlyMap<string, Change>> => {
  const times = sent
    .map(({ acceptedAt }) => Date.parse(acceptedAt ?? ''))
    .filter((time) => !Number.isNaN(time))
  const first = new Date(Math.min(...times) - 1_000).toISOString()
  const wanted = new Map(sent.map((entry) => [entry.certificate, entry.id]))
  const changes = new Map<string, Change>()
  let after: string | undefined
  for (let page = 0; page < mostPages && wanted.size > 0; page += 1) {
    const cursor = after
    const asked = await ask(() =>
      api.listCertificates({ company, query: { mode, createdFrom: first, limit: 1_000, after: cursor } }),
    )
    if ('fault' in asked) break
    for (const certificate of asked.answer) {
      const id = wanted.get(certificate.id)
      const change = changeBy(certificate)
      if (id !== undefined && change !== undefined) changes.set(id, change)
      wanted.delete(certificate.id)
    }
    after = asked.answer.at(-1)?.id
    if (asked.answer.length < 1_000) break
  }
  await followOthers(wanted, { company, changes })
  return changes
}

const changeBy = ({ state, error, reasons = [], summary }: Certificate): Change | undefined => {
  const number = summary?.identifier
  if (state === 'notarized')
    return { state: 'recorded', bytes: undefined, ...(number !== undefined && { number }) }
  if (state === 'awaitingRelease') return { state: 'waiting' }
  if (state !== 'failed') return undefined
  const fault = { code: undefined, message: error ?? '', reasons, findings: [], requestId: undefined }
  return { state: 'failed', fault }
}

/** A certificate that is not in our list belongs to another company, which submitted the same one first. */
const followOthers = async (
  left: ReadonlyMap<string | undefined, string>,
  { company, changes }: { readonly company: string; readonly changes: Map<string, Change> },
): Promise<void> => {
  for (const [certificate, id] of left) {
    if (certificate === undefined) continue
    const asked = await ask(() => api.readCertificate({ company, params: { id: certificate } }))
    if ('fault' in asked) {
      if (asked.fault.code === 'not_found')
        changes.set(id, { state: 'failed', isElsewhere: true, certificate: undefined })
    } else {
      const change = changeBy(asked.answer)
      if (change !== undefined) changes.set(id, change)
    }
  }
}
