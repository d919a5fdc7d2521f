import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { uuidv7 } from '../../../lib/uuid.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import { placeOf } from './span-place.ts'
import { createSampler } from './sampler.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('the header traceparent', () => {
  test('is read as W3C Trace Context says, also of later versions', () => {
    const sampled = { traceId, spanId, isSampled: true }
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), sampled)
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-03`), sampled)
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-00`), { ...sampled, isSampled: false })
    assert.deepEqual(readTraceparent(`cc-${traceId}-${spanId}-01-of-the-future`), sampled)
    assert.deepEqual(readTraceparent(writeTraceparent({ traceId, spanId }, true)), sampled)
  })

  for (const header of [
    '',
    traceId,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-1`,
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    `00-${traceId}x-${spanId}-01`,
  ]) {
    test(`is ignored if it is ${JSON.stringify(header)}`, () => {
      assert.equal(readTraceparent(header), undefined)
    })
  }
})

describe('a sampler', () => {
  const caller = (isSampled: boolean) => ({ traceId, spanId, isSampled })

  test('decides by the id of the trace, which is random enough, so that all processes agree', () => {
    const ids = Array.from(
      { length: 4_000 },
      () => placeOf(certificateSpan(uuidv7(Date.now()), 'accept')).traceId,
    )
    const one = createSampler({ sampler: 'parentbased_traceidratio', ratio: 0.25 })
    const other = createSampler({ sampler: 'traceidratio', ratio: 0.25 })
    const sampled = ids.filter((id) => one.ofTrace(id))
    assert.deepEqual(
      sampled,
      ids.filter((id) => other.ofTrace(id)),
    )
    // Nine standard deviations around 1,000.
    assert.ok(sampled.length > 750 && sampled.length < 1_250, `${sampled.length} of 4,000`)
  })

  test('follows the caller only if it is parentbased', () => {
    for (const [sampler, root, followsOff] of [
      ['always_on', true, false],
      ['always_off', false, false],
      ['parentbased_always_on', true, true],
      ['parentbased_always_off', false, true],
    ] as const) {
      const { ofTrace, ofCaller } = createSampler({ sampler, ratio: 0.5 })
      assert.equal(ofTrace(traceId), root, sampler)
      assert.equal(ofCaller(caller(true)), followsOff || root, sampler)
      assert.equal(ofCaller(caller(false)), !followsOff && root, sampler)
    }
    const none = createSampler({ sampler: 'traceidratio', ratio: 0 })
    assert.equal(none.ofTrace('f'.repeat(32)), false)
  })
})
