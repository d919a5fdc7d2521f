import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { certify, extensions, stampOf } from '../../node/stamp-authority.ts'
import { nodePrimitives } from '../../node/primitives.ts'
import type { JsonValue } from '../json/read.ts'
import { readAuthority } from '../stamps/verify-stamp.ts'
import { at, jsonHash, mill, pdfHash } from '../vectors/cases.fixture.ts'
import { createTestLog, record } from '../vectors/log.fixture.ts'
import { readPolicy } from './policy.ts'
import { stampsOn } from './stamped.ts'

const root = certify({ subject: 'Association root', more: [extensions.authority] })
const signer = certify({ subject: 'Association', by: root })
const other = certify({ subject: 'Other root', more: [extensions.authority] })
const byOther = certify({ subject: 'Other', by: other })
const authorities = [readAuthority('Association', root.bytes)]

const log = createTestLog('mill.example/ledger/live')
const certificate = log.add(record(mill, { jsonHash, pdfHash }), at(10))
const early = await log.bundle(certificate, {}, at(10), 3)
const later = log.add(record(mill, { jsonHash: pdfHash }), at(20))
log.addState(at(50))
const bundle = await log.bundle(certificate, {}, at(50), 3)
const policy = readPolicy({ logs: [log.vkey] }, nodePrimitives)

const stamp = (of: typeof bundle, time: string, by = signer): JsonValue => stampOf(of, { signer: by, time })
const saidBy = (stamps: readonly JsonValue[], more: Partial<Parameters<typeof stampsOn>[0]> = {}) =>
  stampsOn({ bundle: { ...bundle, stamps: [...stamps] }, policy, authorities, ...more }, nodePrimitives).map(
    ({ authority, before }) => `${authority} ${before}`,
  )
const stamped = stamp(bundle, '2026-11-22T05:51:00Z')
const said = ['Association 2026-11-22T05:51:00.000Z']

void describe('the time stamps of a bundle', () => {
  void it('say before when a certificate was recorded, also by an earlier checkpoint', () => {
    assert.deepEqual(saidBy([stamped]), said)
    assert.deepEqual(saidBy([stamp(early, '2026-11-22T05:11:00Z')]), ['Association 2026-11-22T05:11:00.000Z'])
  })

  void it('say the earliest time of each authority, the earliest first', () => {
    const all = [...authorities, readAuthority('Other', other.bytes)]
    assert.deepEqual(
      saidBy(
        [
          stamped,
          stamp(bundle, '2026-11-22T05:52:00Z'),
          stamp(early, '2026-11-22T05:12:00Z', byOther),
          stamp(early, '2026-11-22T05:13:00Z', byOther),
        ],
        { authorities: all },
      ),
      ['Other 2026-11-22T05:12:00.000Z', ...said],
    )
  })

  void it('count only with an authority and a log that the reader trusts', () => {
    assert.deepEqual(saidBy([stamped, stamp(bundle, '2026-11-22T05:51:00Z', byOther)]), said)
    assert.deepEqual(saidBy([stamped], { authorities: [] }), [])
    assert.deepEqual(saidBy([stamped], { policy: { ...policy, logs: [] } }), [])
  })

  void it('say nothing of another entry, and of a checkpoint of another log', async () => {
    const ofLater = await log.bundle(later, {}, at(50), 3)
    assert.deepEqual(saidBy([stamp(ofLater, '2026-11-22T05:51:00Z')]), [])
    const elsewhere = createTestLog('other.example/ledger/live')
    elsewhere.add(certificate, at(10))
    const there = await elsewhere.bundle(certificate, {}, at(50), 3)
    const both = readPolicy({ logs: [log.vkey, elsewhere.vkey] }, nodePrimitives)
    assert.deepEqual(saidBy([stamp(there, '2026-11-22T05:51:00Z')], { policy: both }), [])
  })

  void it('say nothing if they were altered, or are unknown, and leave the others', () => {
    const { checkpoint, path, token, kind } = stamped as Readonly<Record<string, string>>
    const wrong: readonly JsonValue[] = [
      {},
      { kind: 'unknown' },
      { ...(stamped as object), kind: 'evm' },
      { ...(stamped as object), token: 7 },
      { ...(stamped as object), token: 'AAAA' },
      { ...(stamped as object), path: 'x' },
      { ...(stamped as object), path: '' },
      { ...(stamped as object), checkpoint: (checkpoint ?? '').replace(/\n\d+\n/, '\n9\n') },
      { kind: kind ?? '', checkpoint: '', path: path ?? '', token: token ?? '' },
    ]
    for (const one of wrong) assert.deepEqual(saidBy([one, stamped]), said, JSON.stringify(one))
  })
})
