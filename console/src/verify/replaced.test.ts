import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '@millseal/proof'
import { createTestLog, ownerOf, record } from '@millseal/proof/testing'
import { createReader } from './reader.fixture.ts'

const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
const mill = ownerOf(1)
const hashOf = (json: object): string =>
  createHash('sha256')
    .update(canonicalJson({ ...json }))
    .digest('hex')

const wrong = { Heat: '175508' }
const right = { Heat: '175509' }
const log = createTestLog('mill.example/ledger/live')
const entry = log.add(record(mill, { jsonHash: hashOf(wrong) }), at(20))
const successor = log.add(record(mill, { jsonHash: hashOf(right) }), at(21))
log.add(
  record(mill, {
    type: 'correction',
    action: 'replace',
    reason: 'Wrong heat',
    transactionId: entry.id,
    replacedBy: successor.id,
  }),
  at(22),
)
const bundle = await log.bundle(entry, {}, at(30))
const service = {
  keys: { live: log.vkey },
  bundles: { live: { [hashOf(wrong)]: bundle } },
  transactions: { [successor.id]: { asset: { data: { jsonHash: hashOf(right) } } } },
}

test('a replaced certificate links the one that replaces it, by the code on its paper', async () => {
  const [seen] = await createReader({ service }).drop({ 'wrong.json': wrong })
  assert.deepEqual([seen?.tone, seen?.says], ['bad', 'REPLACED'])
  assert.match(
    seen?.why ?? '',
    new RegExp(`^Replaced by another certificate, by its issuer .+ \\(transaction ${successor.id}\\)`),
  )
  const code = Buffer.from(hashOf(right), 'hex').subarray(0, 16).toString('base64url')
  assert.equal(seen?.result.replacement, `https://mill.example/v/${code}`)
})

test('it has no link offline, or if the service does not know the other one', async () => {
  const offline = createReader({ keys: [log.vkey] })
  const [alone] = await offline.drop({ 'wrong.json': wrong, 'bundle.json': bundle })
  const [unknown] = await createReader({ service: { ...service, transactions: {} } }).drop({
    'wrong.json': wrong,
  })
  for (const seen of [alone, unknown]) {
    assert.equal(seen?.says, 'REPLACED')
    assert.equal(seen?.result.replacement, undefined)
  }
})
