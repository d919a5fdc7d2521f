import { decodeBase58 } from '../encoding/base58.ts'
import { buildCreate } from '../ledger/build.ts'
import { signWholly } from '../ledger/owners.fixture.ts'
import { formatNoteKey, noteKey } from '../log/note.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import {
  after,
  asJson,
  assetOf,
  at,
  correct,
  identityOf,
  jsonHash,
  members,
  mill,
  one,
  pdfHash,
  reviewOf,
  sha256,
  thief,
  type Vector,
} from './cases.fixture.ts'
import { createTestLog, record } from './log.fixture.ts'

export const forged: readonly (() => Promise<Vector>)[] = [
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
  ...['2026-11-22T05:21:00.001Z', '2036-11-22T05:00:00.000Z', '2026-11-22'].map((reviewedAt) =>
    one(
      `a review at 05:20 that is dated ${reviewedAt}`,
      'unknownIssuer',
      async ({ log, certificate, identity }) => {
        const claim = log.add(reviewOf(log.operator, mill, { reviewedAt }), at(20))
        return { bundle: await log.bundle(certificate, { identity, review: claim }, at(50)) }
      },
    ),
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
  one('an identity that two keys signed', 'altered', async ({ log, certificate, review }) => {
    const claim = log.add(signedByTwo(assetOf(identityOf(mill))), at(20))
    return { bundle: await log.bundle(certificate, { identity: claim, review }, at(50)) }
  }),
  one('a certificate that two keys signed', 'altered', async ({ log, known }) => {
    const shared = log.add(signedByTwo({ jsonHash, pdfHash }), at(20))
    return { bundle: await log.bundle(shared, known, at(50)) }
  }),
  one('an entry with a malformed time', 'unchecked', async ({ log, certificate, known }) => {
    const bundle = await log.bundle(certificate, known, at(50))
    const entry = { ...members(bundle['identity'] ?? null), time: '2026-11-22' }
    return { bundle: { ...bundle, identity: entry } }
  }),
  one('corrections without a status tree', 'unchecked', async ({ certificate }) => {
    const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
    log.add(certificate)
    const withdrawal = log.add(correct(mill, { action: 'withdraw', transactionId: certificate.id }))
    return { bundle: await log.bundle(certificate, { corrections: [withdrawal] }) }
  }),
  one('extra data in the proof', 'altered', async (opened) => {
    const bundle = members((await after(opened)).bundle)
    const { proof } = bundle
    if (typeof proof !== 'string') throw new TypeError('The bundle has no proof')
    return { bundle: { ...bundle, proof: proof.replace('\nindex', '\nextra eA==\nindex') } }
  }),
  one('a format of the future', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), formatVersion: 4 },
  })),
  one('a member of the future', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), anchors: [] },
  })),
]

const keyOfStranger = (origin: string): string =>
  formatNoteKey(noteKey(origin, decodeBase58(thief.publicKey), primitives))

const signedByTwo = (asset: Readonly<Record<string, string>>) => {
  const issuers = [mill.publicKey, thief.publicKey]
  const recipients = [{ publicKeys: issuers, amount: '1' }]
  return signWholly(buildCreate({ asset, metadata: null, issuers, recipients }, primitives), mill, thief)
}
