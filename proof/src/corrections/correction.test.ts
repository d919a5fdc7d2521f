import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeBase58 } from '../encoding/base58.ts'
import { encodeBase64Url } from '../encoding/base64.ts'
import { ownerOf, signWholly } from '../ledger/owners.fixture.ts'
import { buildCreate } from '../ledger/build.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { didOfOwner, record } from '../vectors/log.fixture.ts'
import { correctedBy, readCorrection, recoveryOf, signerOf, subjectOf } from './correction.ts'

const mill = ownerOf(1)
const did = didOfOwner(mill)
const id = 'ab'.repeat(32)
const since = '2026-11-17T00:00:00.000Z'
const read = (members: Readonly<Record<string, string>>) =>
  readCorrection(record(mill, { type: 'correction', reason: 'Wrong heat', ...members }))

describe('a correction', () => {
  test('is read from the asset of a transaction', () => {
    const reason = 'Wrong heat'
    assert.deepEqual(read({ action: 'withdraw', transactionId: id }), {
      action: 'withdraw',
      transactionId: id,
      reason,
    })
    const replaced = read({ action: 'replace', transactionId: id, replacedBy: 'cd'.repeat(32) })
    assert.deepEqual(replaced, { action: 'replace', transactionId: id, replacedBy: 'cd'.repeat(32), reason })
    const revoked = read({ action: 'revoke-key', did, since })
    assert.deepEqual(revoked, { action: 'revoke-key', did, since, reason })
    assert.equal(replaced && subjectOf(replaced), `certificate ${id}`)
    assert.equal(revoked && subjectOf(revoked), `key ${did}`)
    assert.equal(readCorrection(record(mill, { type: 'identity', did })), undefined)
  })

  test('with a missing, unknown or malformed member is invalid', () => {
    const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{ action: 'forget', transactionId: id }, /withdraw, replace or revoke-key/],
      [{ action: 'withdraw' }, /transactionId/],
      [{ action: 'withdraw', transactionId: id.toUpperCase() }, /transactionId/],
      [{ action: 'withdraw', transactionId: id, did }, /did is not a member/],
      [{ action: 'replace', transactionId: id }, /replacedBy/],
      [{ action: 'replace', transactionId: id, replacedBy: id }, /replace itself/],
      [{ action: 'revoke-key', did: `${did}x`, since }, /did/],
      [{ action: 'revoke-key', did, since: '2026-11-17' }, /since/],
      [{ action: 'revoke-key', did, since: '2026-11-31T00:00:00.000Z' }, /since/],
      [{ action: 'withdraw', transactionId: id, reason: '' }, /reason/],
      [{ action: 'withdraw', transactionId: id, reason: 'x'.repeat(501) }, /reason/],
    ]
    for (const [members, message] of cases)
      assert.throws(() => read(members), { name: 'InvalidTransaction', message })
  })

  test('can be made by the issuer and the operator, and a revocation also by the recovery key', () => {
    const parties = { issuer: 'i', operator: 'o', recovery: 'r' }
    const byWhom = (action: 'withdraw' | 'replace' | 'revoke-key', signer: string | undefined) =>
      correctedBy({ action }, { ...parties, signer })
    assert.equal(byWhom('withdraw', 'i'), 'issuer')
    assert.equal(byWhom('replace', 'o'), 'operator')
    assert.equal(byWhom('revoke-key', 'r'), 'recovery')
    assert.equal(byWhom('withdraw', 'r'), undefined)
    assert.equal(byWhom('replace', 'r'), undefined)
    assert.equal(byWhom('withdraw', 'x'), undefined)
    assert.equal(byWhom('withdraw', undefined), undefined)
    assert.equal(
      correctedBy({ action: 'revoke-key' }, { signer: undefined, issuer: undefined, operator: undefined }),
      undefined,
    )
  })
})

describe('the signer of a transaction', () => {
  test('is its one key', () => {
    assert.equal(signerOf(record(mill, { lot: '1' })), did)
    const both = [mill.publicKey, ownerOf(2).publicKey]
    const shared = buildCreate(
      { asset: null, metadata: null, issuers: both, recipients: [{ publicKeys: both, amount: '1' }] },
      primitives,
    )
    assert.equal(signerOf(signWholly(shared, mill, ownerOf(2))), undefined)
  })

  test('is undefined if the fulfillment is not that of one Ed25519 key', () => {
    const { inputs, ...rest } = record(mill, { lot: '1' })
    const fulfillment = encodeBase64Url(
      Uint8Array.of(0xa2, 0x64, 0x80, 0x20, ...decodeBase58(mill.publicKey)),
    )
    const [input] = inputs
    assert.ok(input)
    assert.equal(
      signerOf({ ...rest, inputs: [{ ...input, fulfillment }] } as ReturnType<typeof record>),
      undefined,
    )
  })
})

test('an identity names its recovery key, if it is a DID', () => {
  const identity = (recoveryDid: string) => recoveryOf(record(mill, { type: 'identity', recoveryDid }))
  assert.equal(identity(did), did)
  assert.equal(identity('did:web:mill.example'), undefined)
  assert.equal(recoveryOf(record(mill, { recoveryDid: did })), undefined)
})
