import { canonicalJson } from '../json/canonical.ts'
import { encodeHex } from '../encoding/hex.ts'
import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { createTestLog, didOfOwner, record } from './log.fixture.ts'
import { zipOf } from './zip.fixture.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** The files of an honest mill. The policy names its log. */
export type Genuine = {
  readonly json: Bytes
  readonly bundle: Bytes
  readonly policy: Bytes
  readonly vkey: string
}

/** Files that a sender made so that a reader takes a forged certificate for a genuine one. */
export type HostileDrop = {
  readonly says: string
  readonly files: Readonly<Record<string, Bytes>>
  /** Policies that are to be shown as ignored. */
  readonly ignored: number
  /** The formats of a file that is two at once. */
  readonly two?: readonly [string, string]
}

/** The name that the attacker gives itself. */
export const attacker = 'Well-known Mill'

const bytesOf = (content: string | JsonValue): Bytes =>
  new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))

export const sha256Of = (data: Uint8Array): string => encodeHex(primitives.sha256(data))

const joined = (...parts: readonly Uint8Array[]): Bytes => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The smallest PDF in which a reader finds the file. */
export const pdfWith = (embedded: Bytes, end = '%%EOF\n'): Bytes =>
  joined(
    bytesOf(
      `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length ${embedded.length} >>\nstream\n`,
    ),
    embedded,
    bytesOf(`\nendstream\nendobj\n${end}`),
  )

const certificateOf = (seller: string, number: string): { [key: string]: JsonValue } => ({
  Certificate: { CommercialTransaction: { A01: { Name: seller }, A03: number }, Note: 'as ordered' },
})

/** A log whose operator says that a key belongs to a mill, and what proves a certificate of this key. */
const certified = async (origin: string, company: string, owner: number, certificate: JsonValue) => {
  const key = ownerOf(owner)
  const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
  const who = { did: didOfOwner(key), company, vatId: 'DE123456789' }
  const log = createTestLog(origin)
  const json = bytesOf(canonicalJson(certificate))
  const jsonHash = sha256Of(json)
  const pdf = pdfWith(json)
  const identity = log.add(record(key, { type: 'identity', publicKey: key.publicKey, ...who }), at(11))
  const entry = log.add(record(key, { jsonHash, pdfHash: sha256Of(pdf) }), at(20))
  const review = { type: 'review', ...who, reviewedAt: at(12), evidence: jsonHash }
  const named = { identity, review: log.add(record(log.operator, review), at(21)) }
  const bundle = bytesOf(await log.bundle(entry, named, at(30)))
  return { json, pdf, bundle, policy: bytesOf({ logs: [log.vkey] }), vkey: log.vkey, did: who.did }
}

export const honestMill = (): Promise<Genuine> =>
  certified('mill.example/ledger/live', 'Rolling Mill', 1, certificateOf('Rolling Mill', 'MC-1'))

type Certified = Awaited<ReturnType<typeof certified>>

const drop = (
  says: string,
  files: HostileDrop['files'],
  ignored = 0,
  two?: readonly [string, string],
): HostileDrop => (two === undefined ? { says, files, ignored } : { says, files, ignored, two })

const paperOf = ({ json, bundle }: Certified): HostileDrop['files'] => ({
  'certificate.json': json,
  'bundle.json': bundle,
})

const mark = '%PDF-1.7\n'

const withPolicies = (forged: Certified, genuine: Genuine): readonly HostileDrop[] => {
  const paper = paperOf(forged)
  const all = { ...paper, 'policy.json': forged.policy }
  const named = { logs: [genuine.vkey, forged.vkey], issuers: [{ did: forged.did, name: attacker }] }
  const many = Array.from({ length: 9 }, (_, at) => [`${at}.json`, forged.policy] as const)
  return [
    drop('a policy beside the certificate', all, 1),
    drop('a policy in a zip', { 'papers.zip': zipOf(all) }, 1),
    drop('a policy in a zip in a zip', { 'papers.zip': zipOf({ 'more.zip': zipOf(all) }) }, 1),
    drop('a policy in a folder', { ...paper, 'papers/trust/policy.json': forged.policy }, 1),
    drop('a policy in a PDF', { ...paper, 'policy.pdf': pdfWith(forged.policy) }, 1),
    drop(
      'a policy in a PDF in a zip',
      { 'papers.zip': zipOf({ ...paper, 'p.pdf': pdfWith(forged.policy) }) },
      1,
    ),
    drop('a policy that names the log of the reader, too', { ...paper, 'mine.json': bytesOf(named) }, 1),
    drop('a policy with the name of the policy of the reader', { ...paper, 'mine.json': forged.policy }, 1),
    drop('two policies', { ...all, 'second.json': bytesOf(named) }, 2),
    drop('nine policies in a zip', { 'papers.zip': zipOf({ ...paper, ...Object.fromEntries(many) }) }, 9),
    drop('a policy whose name hides its end', { ...paper, 'policy\u202etxt.json': forged.policy }, 1),
    drop('a policy of a later version', {
      ...paper,
      'p.json': bytesOf({ policyVersion: 2, logs: [forged.vkey] }),
    }),
    drop('a policy with an unknown field', {
      ...paper,
      'p.json': bytesOf({ logs: [forged.vkey], all: true }),
    }),
    drop('a policy that says it is a bundle', {
      ...paper,
      'p.json': bytesOf({ formatVersion: 2, logs: [forged.vkey] }),
    }),
    drop('a certificate that is a policy, too', {
      ...paper,
      'p.json': bytesOf({ ...certificateOf(attacker, 'F-1'), logs: [forged.vkey] }),
    }),
  ]
}

const withBundles = (forged: Certified, again: Certified, genuine: Genuine): readonly HostileDrop[] => [
  drop(
    'a PDF with a forged certificate, its bundle and a policy',
    { 'c.pdf': forged.pdf, 'bundle.json': forged.bundle, 'policy.json': forged.policy },
    1,
  ),
  drop(
    'a bundle of another log for the genuine file',
    { 'genuine.json': genuine.json, 'bundle.json': again.bundle, 'policy.json': again.policy },
    1,
  ),
  drop(
    'the genuine bundle beside a forged file',
    { 'certificate.json': forged.json, 'bundle.json': genuine.bundle, 'policy.json': forged.policy },
    1,
  ),
]

const ofTwoFormats = (forged: Certified): readonly HostileDrop[] => {
  const all = { ...paperOf(forged), 'policy.json': forged.policy }
  return [
    drop(
      'a zip that is called a PDF and begins with one',
      { 'certificate.pdf': zipOf({ [mark]: bytesOf('1 0 obj'), ...all }) },
      0,
      ['PDF', 'ZIP'],
    ),
    drop('a PDF with a zip at its end', { 'certificate.pdf': joined(forged.pdf, zipOf(all)) }, 0, [
      'PDF',
      'ZIP',
    ]),
    drop(
      'JSON that is called a PDF and begins like one',
      { 'certificate.pdf': bytesOf({ mark, logs: [forged.vkey] }) },
      0,
      ['PDF', 'JSON'],
    ),
    drop(
      'a page that is called a PDF and begins like one',
      { 'certificate.pdf': bytesOf(`<script>document.title = 'GENUINE'</script>${mark}`) },
      0,
      ['PDF', 'HTML'],
    ),
    drop('a PDF that is called a page', { 'certificate.html': forged.pdf }, 0, ['PDF', 'HTML']),
    drop('JSON that is called a page', { 'certificate.htm': forged.json }, 0, ['JSON', 'HTML']),
  ]
}

/** The corpus: whatever the reader drops, it trusts what it trusted before. */
export const hostileDrops = async (genuine: Genuine): Promise<readonly HostileDrop[]> => {
  const origin = 'well-known.example/ledger/live'
  const forged = await certified(origin, attacker, 7, certificateOf(attacker, 'F-1'))
  const genuineJson = JSON.parse(new TextDecoder().decode(genuine.json)) as JsonValue
  const again = await certified(origin, attacker, 7, genuineJson)
  return [...withPolicies(forged, genuine), ...withBundles(forged, again, genuine), ...ofTwoFormats(forged)]
}
