import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosigned, createTestLog, didOfOwner, ownerOf, policy2Of, record } from '@millseal/proof/testing'
import type { JsonValue } from '@millseal/proof/verifier'
import { hashOfJson } from './read-file.ts'
import { createReader } from './reader.fixture.ts'

const mill = ownerOf(1)
const certificate = { Heat: 'H-1', Value: 545 }
const jsonHash = hashOfJson(certificate)
const log = createTestLog('mill.example/ledger/live')
const transaction = log.add(record(mill, { jsonHash }), '2026-11-22T05:10:00.000Z')
const addressed = policy2Of({ log }) as { readonly log: string; readonly [name: string]: JsonValue }
const policy = {
  ...addressed,
  issuers: [{ did: didOfOwner(mill), name: 'Our mill' }],
  log: addressed.log
    .replace(/^(witness inspector .*)$/m, '$1 https://inspection.example/node/')
    .replace(/^(witness association .*)$/m, '$1 javascript:alert(1)')
    .replace(/^(witness university .*)$/m, '$1 https://university.example'),
}
const chosen = async (language: 'en' | 'de' = 'en') => {
  const reader = createReader({}, language)
  await reader.drop({ 'policy.json': policy })
  const [ignored] = reader.given().ignored
  assert.ok(ignored)
  reader.use(ignored)
  return reader
}

test('the page names the nodes of the chosen policy that may have the proof, and no other address', async () => {
  const reader = await chosen()
  const [seen] = await reader.drop({ 'c.json': certificate })
  const [node, ...others] = seen?.result.nodes ?? []
  assert.deepEqual([node?.name, others], ['inspector: mill.example/ledger/live', []])
  assert.match(
    node?.href ?? '',
    new RegExp(`^https://inspection\\.example/node/[0-9a-f]{64}/proof/${jsonHash}\\?format=3$`),
  )
})

test('the page says who holds a certificate, in both languages, and is amber without the quorum of the policy', async () => {
  const bundle = await log.bundle(transaction, {}, '2026-11-22T05:50:00.000Z')
  const held = await cosigned(
    bundle,
    ['inspector', '2026-11-22T05:51:00.000Z'],
    ['association', '2026-11-22T05:52:00.000Z'],
  )
  for (const [language, genuine, alone] of [
    ['en', /^GENUINE/, /^UNCHANGED, BUT ONLY THE OPERATOR SAYS SO/],
    ['de', /^ECHT/, /^UNVERÄNDERT, ABER DAS SAGT NUR DER BETREIBER/],
  ] as const)
    for (const [given, says] of [
      [held, genuine],
      [bundle, alone],
    ] as const) {
      const reader = await chosen(language)
      const [seen] = await reader.drop({ 'c.json': certificate, 'bundle.json': given })
      assert.match(seen?.says ?? '', says)
    }
})

test('the page asks the nodes of the service if it denies a certificate, and believes none that lies', async () => {
  const fresh = createTestLog('mill.example/ledger/live')
  const own = fresh.add(record(mill, { jsonHash }), '2026-11-22T05:10:00.000Z')
  const bundle = await fresh.bundle(own, {}, '2026-11-22T05:50:00.000Z')
  const other = createTestLog('other.example/ledger/live')
  const foreign = await other.bundle(other.add(record(mill, { jsonHash }), '2026-11-22T05:10:00.000Z'))
  const asked: string[] = []
  const node = (name: string, answer: JsonValue | string | undefined) => ({
    name,
    ask: (path: string) => {
      asked.push(path)
      if (answer === 'silent') return Promise.reject(new Error('silent'))
      return Promise.resolve(typeof answer === 'string' ? answer : answer && JSON.stringify(answer))
    },
  })
  const seenWith = async (...holders: readonly ReturnType<typeof node>[]) => {
    const denying = { keys: { live: fresh.vkey }, bundles: {} }
    const [seen] = await createReader({ service: denying, holders }).drop({ 'c.json': certificate })
    return (
      seen?.result.outcome.kind === 'report' && [
        seen.result.outcome.report.answers.unchanged,
        seen.result.from,
      ]
    )
  }
  const liars = [
    node('foreign', foreign),
    node('garbage', 'no JSON'),
    node('away', 'silent'),
    node('none', undefined),
  ]
  assert.deepEqual(await seenWith(...liars, node('honest', bundle)), ['yes', ['foreign', 'honest']])
  assert.ok(asked.every((path) => /^[0-9a-f]{64}\/proof\/[0-9a-f]{64}\?format=3$/.test(path)))
  assert.notEqual(((await seenWith(...liars)) || [])[0], 'yes')
})
