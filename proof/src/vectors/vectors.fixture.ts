import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { encodeHex } from '../encoding/hex.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import { utf8 } from '../encoding/bytes.ts'
import { formatNoteKey, noteKey } from '../log/note.ts'
import type { FileHash } from '../verification/check-file.ts'
import { createTestLog, didOfOwner, record } from './log.fixture.ts'

/** One question to a verifier, and the verdict that every implementation must give. */
export type Vector = {
  readonly name: string
  readonly file: FileHash
  readonly bundle: JsonValue
  readonly policy: JsonValue
  readonly verdict: string
}

const sha256 = (text: string): string => encodeHex(primitives.sha256(utf8(text)))
const jsonHash = sha256('the JSON of a certificate')
const pdfHash = sha256('the PDF of a certificate')
const json: FileHash = { kind: 'json', hash: jsonHash }
const pdf: FileHash = { kind: 'pdf', hash: pdfHash }
const at = (minute: number): string => `2026-11-22T05:${String(minute).padStart(2, '0')}:00.000Z`

const mill = ownerOf(1)
const thief = ownerOf(2)
const recovery = ownerOf(3)
const did = didOfOwner(mill)

const identityOf = (owner = mill, more: Readonly<Record<string, string>> = {}) =>
  record(owner, {
    type: 'identity',
    did: didOfOwner(owner),
    publicKey: owner.publicKey,
    company: 'Rolling Mill “Grüße” 1',
    vatId: 'DE123456789',
    ...more,
  })

const reviewOf = (by: typeof mill, owner = mill, more: Readonly<Record<string, string>> = {}) =>
  record(by, {
    type: 'review',
    did: didOfOwner(owner),
    company: 'Rolling Mill “Grüße” 1',
    vatId: 'DE123456789',
    reviewedAt: at(2),
    evidence: sha256('evidence'),
    ...more,
  })

const correct = (by: typeof mill, members: Readonly<Record<string, string>>) =>
  record(by, { type: 'correction', reason: 'Wrong heat number\u0007', ...members })

/** A log with a published and reviewed mill, some other entries, and its certificate as the last one. */
const openLog = (origin = 'mill.example/ledger/live') => {
  const log = createTestLog(origin)
  const identity = log.add(identityOf(mill, { recoveryDid: didOfOwner(recovery) }), at(1))
  const review = log.add(reviewOf(log.operator), at(2))
  for (const owner of [11, 12, 13]) log.add(identityOf(ownerOf(owner)), at(3))
  const certificate = log.add(record(mill, { jsonHash, pdfHash }, { timestamp: at(9) }), at(10))
  return { log, identity, review, certificate, known: { identity, review } }
}
type Opened = ReturnType<typeof openLog>

const policyOf = (
  { log }: Pick<Opened, 'log'>,
  more: { readonly [name: string]: JsonValue } = {},
): JsonValue => ({
  logs: [log.vkey],
  ...more,
})

const one = async (
  name: string,
  verdict: string,
  prepare: (opened: Opened) => Promise<Partial<Vector> & { readonly bundle: JsonValue }>,
  origin?: string,
): Promise<Vector> => {
  const opened = openLog(origin)
  const { bundle, file = json, policy = policyOf(opened) } = await prepare(opened)
  return { name, file, bundle, policy, verdict }
}

/** The bundle after these corrections were recorded, from minute 20 on. */
const after = async (
  { log, certificate, known }: Opened,
  ...corrections: ReturnType<typeof record>[]
): Promise<{ readonly bundle: JsonValue }> => {
  for (const [place, correction] of corrections.entries()) log.add(correction, at(20 + place))
  return { bundle: await log.bundle(certificate, known, at(50)) }
}

const members = (bundle: JsonValue): { readonly [key: string]: JsonValue } => {
  if (typeof bundle !== 'object' || bundle === null || Array.isArray(bundle)) throw new TypeError('No bundle')
  return bundle
}

const valid = (): Promise<Vector>[] => [
  one('a reviewed issuer, JSON', 'genuine', (opened) => after(opened)),
  one('a reviewed issuer, PDF', 'genuine', async (opened) => ({ ...(await after(opened)), file: pdf })),
  one('a test log', 'test', (opened) => after(opened), 'mill.example/ledger/test'),
  one('a log that continues another', 'genuine', (opened) => after(opened), 'mill.example/ledger/live/2'),
  one('a test log that continues another', 'test', (opened) => after(opened), 'mill.example/ledger/test/3'),
  one('an issuer of the policy, not published', 'genuine', async (opened) => ({
    bundle: await opened.log.bundle(opened.certificate, {}, at(50)),
    policy: policyOf(opened, {
      policyVersion: 1,
      issuers: [{ did, name: 'Our mill' }],
      onlyKnownIssuers: true,
    }),
  })),
  one('an issuer that nobody reviewed', 'unknownIssuer', async ({ log, certificate, identity }) => ({
    bundle: await log.bundle(certificate, { identity }, at(50)),
  })),
  one('only the issuers of the policy, and this is another', 'refused', async (opened) => ({
    ...(await after(opened)),
    policy: policyOf(opened, {
      issuers: [{ did: didOfOwner(thief), name: 'Other' }],
      onlyKnownIssuers: true,
    }),
  })),
  one('a policy without logs', 'unchecked', async (opened) => ({ ...(await after(opened)), policy: {} })),
  one('a policy with the key of another log', 'unchecked', async (opened) => ({
    ...(await after(opened)),
    policy: { logs: [createTestLog('other.example/ledger/live').vkey] },
  })),
  one('a log of BigchainDB transactions without times and status', 'unknownStatus', async () => {
    const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
    const certificate = log.add(record(mill, { jsonHash, pdfHash }))
    return {
      bundle: await log.bundle(certificate),
      policy: { logs: [log.vkey], issuers: [{ did, name: 'Our mill' }] },
    }
  }),
]

const corrected = (): Promise<Vector>[] => [
  one('withdrawn by the issuer', 'withdrawn', (opened) =>
    after(opened, correct(mill, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one('withdrawn by the operator', 'withdrawn', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one('replaced', 'replaced', (opened) => {
    const next = opened.log.add(record(mill, { jsonHash: sha256('a later one') }), at(15))
    return after(
      opened,
      correct(mill, { action: 'replace', transactionId: opened.certificate.id, replacedBy: next.id }),
    )
  }),
  one('replaced, then withdrawn', 'withdrawn', (opened) => {
    const next = opened.log.add(record(mill, { jsonHash: sha256('a later one') }), at(15))
    return after(
      opened,
      correct(mill, { action: 'replace', transactionId: opened.certificate.id, replacedBy: next.id }),
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
    )
  }),
  one('withdrawn by a stranger, which a log must refuse', 'genuine', (opened) =>
    after(opened, correct(thief, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one(
    'a withdrawn test certificate',
    'withdrawn',
    (opened) => after(opened, correct(mill, { action: 'withdraw', transactionId: opened.certificate.id })),
    'mill.example/ledger/test',
  ),
  one('key revoked since before the certificate', 'revoked', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'revoke-key', did, since: at(10) })),
  ),
  one('key revoked since after the certificate', 'genuine', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'revoke-key', did, since: at(11) })),
  ),
  one('key revoked by itself', 'revoked', (opened) =>
    after(opened, correct(mill, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('key revoked by its recovery key', 'revoked', (opened) =>
    after(opened, correct(recovery, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('key revoked by a stranger, which a log must refuse', 'genuine', (opened) =>
    after(opened, correct(thief, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('withdrawn with a key that was revoked before', 'genuine', (opened) =>
    after(
      opened,
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
    ),
  ),
  one('withdrawn by the operator after the key was revoked', 'withdrawn', (opened) =>
    after(
      opened,
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
      correct(opened.log.operator, { action: 'withdraw', transactionId: opened.certificate.id }),
    ),
  ),
  one('another certificate was withdrawn', 'genuine', (opened) => {
    const other = opened.log.add(record(mill, { jsonHash: sha256('another') }), at(12))
    return after(opened, correct(mill, { action: 'withdraw', transactionId: other.id }))
  }),
]

const forged = (): Promise<Vector>[] => [
  one('another JSON', 'altered', async (opened) => ({
    ...(await after(opened)),
    file: { kind: 'json', hash: sha256('forged') },
  })),
  one('the hash of the JSON for a PDF', 'altered', async (opened) => ({
    ...(await after(opened)),
    file: { kind: 'pdf', hash: jsonHash },
  })),
  one('a log with the same name and another key', 'altered', async (opened) => ({
    ...(await after(opened)),
    policy: { logs: [keyOfStranger('mill.example/ledger/live')] },
  })),
  one('an identity that is not on the log', 'altered', async ({ log, certificate, known }) => {
    const bundle = await log.bundle(certificate, known, at(50))
    const { identity } = members(bundle)
    const invented = identityOf(mill, { company: 'A well-known mill' })
    return {
      bundle: { ...bundle, identity: { ...members(identity ?? null), transaction: asJson(invented) } },
    }
  }),
  one(
    'an identity that somebody else recorded for this key',
    'unknownIssuer',
    async ({ log, certificate, review }) => {
      const claim = log.add(record(thief, { ...assetOf(identityOf(mill)) }), at(20))
      return { bundle: await log.bundle(certificate, { identity: claim, review }, at(50)) }
    },
  ),
  one(
    'a review that is not signed by the operator',
    'unknownIssuer',
    async ({ log, certificate, identity }) => {
      const claim = log.add(reviewOf(mill), at(20))
      return { bundle: await log.bundle(certificate, { identity, review: claim }, at(50)) }
    },
  ),
  one('a review of another key', 'unknownIssuer', async ({ log, certificate, identity }) => {
    const claim = log.add(reviewOf(log.operator, thief), at(20))
    return { bundle: await log.bundle(certificate, { identity, review: claim }, at(50)) }
  }),
  one('a review of another VAT id', 'unknownIssuer', async ({ log, certificate, identity }) => {
    const claim = log.add(reviewOf(log.operator, mill, { vatId: 'ATU12345675' }), at(20))
    return { bundle: await log.bundle(certificate, { identity, review: claim }, at(50)) }
  }),
  one('the key of a thief with the identity of the mill', 'unknownIssuer', async ({ log, known }) => {
    const forgery = log.add(record(thief, { jsonHash, pdfHash }), at(20))
    return { bundle: await log.bundle(forgery, known, at(50)) }
  }),
  one('a withdrawal left out', 'unchecked', async ({ log, certificate, known }) => {
    log.add(correct(mill, { action: 'withdraw', transactionId: certificate.id }), at(20))
    return { bundle: await log.bundle(certificate, { ...known, corrections: [] }, at(50)) }
  }),
  one('the status left out', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), status: [] },
  })),
  one('the status of an older checkpoint', 'altered', async ({ log, certificate, known }) => {
    const { status } = await log.bundle(certificate, known, at(15))
    log.add(correct(mill, { action: 'withdraw', transactionId: certificate.id }), at(20))
    const bundle = await log.bundle(certificate, { ...known, corrections: [] }, at(50))
    return { bundle: { ...bundle, status: status ?? [] } }
  }),
  one('an entry after the checkpoint', 'altered', async ({ log, certificate, known }) => ({
    bundle: await log.bundle(certificate, known, at(9)),
  })),
  one('extra data in the proof', 'altered', async (opened) => {
    const bundle = members((await after(opened)).bundle)
    const proof = String(bundle['proof']).replace('\nindex', '\nextra eA==\nindex')
    return { bundle: { ...bundle, proof } }
  }),
  one('a format of the future', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), formatVersion: 3 },
  })),
  one('a member of the future', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), anchors: [] },
  })),
]

const format1 = (): Promise<Vector>[] => [
  one('format 1: at most the issuer is not known', 'unknownIssuer', (opened) => asFormat1(opened)),
  one('format 1: an issuer of the policy', 'unknownStatus', async (opened) => ({
    ...(await asFormat1(opened)),
    policy: policyOf(opened, { issuers: [{ did, name: 'Our mill' }] }),
  })),
  one('format 1: its copies are ignored', 'unknownIssuer', async (opened) => {
    const { bundle } = await asFormat1(opened)
    return { bundle: { ...members(bundle), timestamp: at(0), jsonHash: pdfHash, anchors: ['x'] } }
  }),
]

/** As versions before 0.2 wrote it, with an identity that is not on the log. */
const asFormat1 = async (opened: Opened): Promise<{ readonly bundle: JsonValue }> => {
  const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
  log.add(identityOf(ownerOf(11)))
  log.add(opened.certificate)
  const { entry, proof } = members(await log.bundle(opened.certificate))
  const { transaction } = members(entry ?? null)
  return {
    bundle: {
      formatVersion: 1,
      mode: 'live',
      algorithm: 'sha256',
      jsonHash,
      pdfHash,
      timestamp: at(9),
      transaction: transaction ?? null,
      identity: {
        did,
        publicKey: mill.publicKey,
        company: 'A well-known mill',
        transaction: asJson(identityOf()),
      },
      tlogProof: proof ?? '',
      anchors: [],
    },
  }
}

const keyOfStranger = (origin: string): string =>
  formatNoteKey(noteKey(origin, decodeBase58(thief.publicKey), primitives))

const asJson = (value: object): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue

const assetOf = ({ asset }: ReturnType<typeof record>): Readonly<Record<string, string>> =>
  ('data' in asset ? asset.data : {}) as Record<string, string>

/** Each file of `proof/vectors/`. */
export const vectors = async (): Promise<Readonly<Record<string, readonly Vector[]>>> => ({
  valid: await Promise.all(valid()),
  corrected: await Promise.all(corrected()),
  forged: await Promise.all(forged()),
  'format-1': await Promise.all(format1()),
})
