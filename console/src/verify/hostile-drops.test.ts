import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { attacker, honestMill, hostileDrops, sha256Of } from '@millseal/proof/testing'
import { noticesTextOf } from './given.ts'
import { policyOf } from './read-file.ts'
import { createReader, type Seen } from './reader.fixture.ts'
import { textsIn } from './texts/languages.ts'

const genuine = await honestMill()
const drops = await hostileDrops(genuine)
const hash = sha256Of(genuine.json)
const bundle = JSON.parse(new TextDecoder().decode(genuine.bundle)) as JsonValue
const service = { keys: { live: genuine.vkey }, bundles: { live: { [hash]: bundle } } }
const mine = await policyOf({ name: 'mine.json', bytes: () => Promise.resolve(genuine.policy) })

/** The pages that a reader may stand in front of, and what the genuine file is there. */
const pages = {
  'the page': { page: { service }, policy: undefined, says: 'GENUINE', tone: 'good' },
  'the page of the code of a genuine certificate': {
    page: { service, scanned: [hash] },
    policy: undefined,
    says: 'GENUINE',
    tone: 'good',
  },
  'the saved page': { page: { keys: [genuine.vkey] }, policy: undefined, says: 'GENUINE', tone: 'good' },
  'a saved page that trusts nothing': {
    page: {},
    policy: undefined,
    says: 'COULD NOT BE CHECKED',
    tone: 'none',
  },
  'a saved page with the policy of the reader': {
    page: {},
    policy: mine,
    says: 'GENUINE – BY YOUR POLICY mine.json',
    tone: 'caution',
  },
} as const

const assertUntrusted = ({ tone, says, why, result }: Seen): void => {
  assert.doesNotMatch(`${says} ${why}`, new RegExp(attacker))
  const isGenuine = result.paper?.hash === hash
  if (!isGenuine) assert.ok(tone === 'none' || tone === 'bad', `${tone}: ${says}`)
}

for (const [place, { page, policy, says: expected, tone: wanted }] of Object.entries(pages))
  describe(`hostile files on ${place}`, () => {
    for (const { says, files, ignored, two } of drops)
      test(`trust nobody and change nothing for the next file: ${says}`, async () => {
        const reader = createReader(page)
        reader.use(policy)
        const seen = await reader.drop(files)
        assert.ok(seen.length > 0)
        for (const one of seen) assertUntrusted(one)
        const given = reader.given()
        assert.deepEqual([given.ignored.length, given.policy], [ignored, policy])
        const notices = noticesTextOf(textsIn('en'), given.ignored)
        assert.equal(notices.length, Math.min(ignored, 5))
        for (const text of notices) {
          assert.match(text, /would trust .*well-known\.example\/ledger\/live/)
          assert.doesNotMatch(text, /\u202e/)
        }
        if (two !== undefined)
          assert.match(seen[0]?.why ?? '', new RegExp(`it is a ${two[0]} and ${two[1]} at once`))
        const [next] = await reader.drop({ 'genuine.json': genuine.json, 'bundle.json': bundle })
        assert.deepEqual([next?.tone, next?.says], [wanted, expected])
        assert.equal(reader.given().ignored.length, 0)
      })
  })

test('a policy that came with the files is used only by a deliberate act, is named, and never plain green', async () => {
  const reader = createReader({ service })
  const [drop] = drops
  assert.ok(drop)
  await reader.drop(drop.files)
  const [found] = reader.given().ignored
  assert.ok(found)
  reader.use(found)
  const [seen] = await reader.check()
  assert.deepEqual([seen?.tone, seen?.says], ['caution', 'GENUINE – BY YOUR POLICY policy.json'])
  reader.use(undefined)
  const [next] = await reader.check()
  assert.deepEqual([next?.tone, next?.says], ['none', 'COULD NOT BE CHECKED'])
})
