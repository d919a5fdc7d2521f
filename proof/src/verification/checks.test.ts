import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  attachSignatures,
  buildCreate,
  completeTransaction,
  encodeBase58,
  portablePrimitives as primitives,
  type SignedTransaction,
  wantedSignatures,
} from '../index.ts'
import { checkFile } from './file-intact.ts'
import { checkIssuer } from './issuer.ts'
import { checkAnchors, checkTime } from './time.ts'

const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { base58: encodeBase58(bytes), privateKey }
}
type Key = ReturnType<typeof newKey>

const signedBy = (keys: readonly Key[], metadata: Record<string, string> | null): SignedTransaction => {
  const issuers = keys.map(({ base58 }) => base58)
  const unsigned = buildCreate(
    {
      asset: { jsonHash: 'a', pdfHash: 'b' },
      metadata,
      issuers,
      recipients: [{ publicKeys: issuers.slice(0, 1), amount: '1' }],
    },
    primitives,
  )
  const signatures = wantedSignatures(unsigned, primitives).map(({ inputIndex, publicKey, message }) => ({
    inputIndex,
    publicKey,
    signature: new Uint8Array(
      sign(
        null,
        message,
        keys.find(({ base58 }) => base58 === publicKey)?.privateKey ?? assert.fail('unknown key'),
      ),
    ),
  }))
  const complete = completeTransaction(attachSignatures(unsigned, signatures, primitives), primitives)
  return complete ?? assert.fail('a signature is missing')
}

const one = newKey()
const policy = { logs: [], issuers: [], onlyKnownIssuers: false }

describe('the check', () => {
  test('of the time repeats the time of the transaction, if it has one', () => {
    const timed = checkTime(signedBy([one], { timestamp: '2026-11-21T08:00:00.000Z' }))
    assert.deepEqual([timed.outcome, timed.says.startsWith('Notarized 2026-11-21T08')], ['unknown', true])
    const metadata: (Record<string, string> | null)[] = [null, { other: 'x' }, { timestamp: 'yesterday' }]
    for (const unusable of metadata)
      assert.equal(checkTime(signedBy([one], unusable)).says, 'The transaction contains no time')
  })

  test('of anchors counts them and accepts none', () => {
    assert.match(checkAnchors([]).says, /^No third party/)
    assert.match(checkAnchors(['x', 'y']).says, /^2 anchors that/)
  })

  test('of the file names PDF or JSON, whether it passes or not', () => {
    const transaction = signedBy([one], null)
    assert.match(checkFile({ kind: 'json', hash: 'a' }, transaction).says, /^The JSON is unchanged/)
    assert.match(checkFile({ kind: 'pdf', hash: 'b' }, transaction).says, /^The PDF is unchanged/)
    assert.match(
      checkFile({ kind: 'json', hash: 'x' }, transaction).says,
      /^The JSON is not the notarized one/,
    )
    assert.match(
      checkFile({ kind: 'pdf', hash: 'x' }, undefined).says,
      /^The bundle contains no valid transaction/,
    )
  })

  test('of the issuer fails if several keys have signed', () => {
    const transaction = signedBy([one, newKey()], null)
    const { outcome, says } = checkIssuer({ transaction, publication: undefined, policy }, primitives)
    assert.deepEqual([outcome, /several keys/.test(says)], ['failed', true])
  })

  test('of the issuer ignores the name in an invalid publication', () => {
    const transaction = signedBy([one], null)
    const publication = { company: 'Rolling Mill', transaction: { id: 'x' } }
    const { outcome, says } = checkIssuer({ transaction, publication, policy }, primitives)
    assert.deepEqual([outcome, /its owner is not published/.test(says)], ['unknown', true])
  })
})
