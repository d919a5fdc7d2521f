import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { honestMill, sha256Of } from '@millseal/proof/testing'
import { createReader } from './reader.fixture.ts'

const genuine = await honestMill()
const bundle = JSON.parse(new TextDecoder().decode(genuine.bundle)) as JsonValue
const service = { keys: { live: genuine.vkey }, bundles: { live: { [sha256Of(genuine.json)]: bundle } } }

const seenAt = async (now: string, language: 'en' | 'de' = 'en') => {
  const [seen] = await createReader({ service, now }, language).drop({ 'genuine.json': genuine.json })
  return seen ?? assert.fail('nothing is shown')
}

test('the page says how old a status is, and asks its reader to ask again if it is too old', async () => {
  const fresh = await seenAt('2026-11-22T06:00:00.000Z')
  assert.deepEqual([fresh.tone, fresh.says], ['good', 'GENUINE'])
  assert.match(fresh.why, /Not withdrawn or replaced as of .* \(today\)\.$/)
  assert.match((await seenAt('2026-12-22T05:30:00.000Z')).why, /as of .* \(30 days ago\)\.$/)
  const old = await seenAt('2026-12-22T05:30:01.000Z')
  assert.deepEqual([old.tone, old.says], ['caution', 'UNCHANGED, BUT ITS STATUS IS OLD'])
  assert.match(old.why, /^Unchanged since .*\. Status of .* \(30 days ago\): ask again\.$/)
})

test('a status in the future is of today, because clocks differ', async () => {
  assert.match((await seenAt('2026-11-20T06:00:00.000Z')).why, /\(today\)\.$/)
})

test('the page says it in German', async () => {
  const old = await seenAt('2027-01-01T05:30:00.000Z', 'de')
  assert.deepEqual([old.tone, old.says], ['caution', 'UNVERÄNDERT, ABER MIT ALTEM STAND'])
  assert.match(old.why, / Stand .* \(vor 40 Tagen\): Fragen Sie noch einmal\.$/)
})
