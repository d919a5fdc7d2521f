import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LedgerObject } from '@millseal/proof'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { whatItRecords } from './what-it-records.ts'

const signer = makeLedgerSigner()
const id = 'a'.repeat(64)
const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

describe('what a transaction records', () => {
  const cases: readonly (readonly [LedgerObject, string, string])[] = [
    [{ jsonHash: id, pdfHash: id }, 'certificate', id],
    [{ type: 'identity', did, company: 'Mill' }, 'identity', did],
    [{ type: 'review', did, company: 'Mill' }, 'review', did],
    [{ type: 'correction', action: 'withdraw', transactionId: id, reason: 'x' }, 'withdrawal', id],
    [{ type: 'correction', action: 'replace', transactionId: id, replacedBy: id }, 'replacement', id],
    [{ type: 'correction', action: 'revoke-key', did, reason: 'x' }, 'revocation', did],
  ]
  for (const [data, kind, subject] of cases)
    test(`${kind}, with its subject`, () => {
      assert.deepEqual(whatItRecords(signer.create(data)), { kind, subject })
    })

  const foreign: readonly LedgerObject[] = [
    { heat: '4711' },
    { jsonHash: 'no hash' },
    { jsonHash: { is: 'an object' } },
    { type: 'identity', did: `did:key:z${'1'.repeat(10_000)}` },
    { type: 'correction', action: 'withdraw', transactionId: [id] },
    { type: 'correction', action: 'bless', did },
  ]
  for (const data of foreign)
    test(`nothing of ours: ${JSON.stringify(data).slice(0, 60)}`, () => {
      assert.deepEqual(whatItRecords(signer.create(data)), { kind: 'other', subject: null })
    })

  test('nothing of ours, if it only transfers a certificate', () => {
    const certificate = signer.create(certificateAsset())
    assert.equal(whatItRecords(certificate).kind, 'certificate')
    assert.equal(whatItRecords(signer.transfer(certificate, signer.publicKey)).kind, 'other')
  })
})
