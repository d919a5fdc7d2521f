import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cosigned, policy2Of, tlogPolicyOf } from '@millseal/proof/testing'
import { certify, extensions, stampOf } from '@millseal/proof/node/stamp-authority'
import { at, bundleOf, openLog, verifying } from '../test/certified.ts'

let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = await verifying()
})
after(() => place[Symbol.asyncDispose]())

type Signed = Parameters<typeof cosigned>[1]
const first: Signed = ['inspector', '2026-11-22T05:51:00.000Z']
const second: Signed = ['association', '2026-11-22T05:52:00.000Z']
const witness: Signed = ['university', '2026-11-22T05:50:30.000Z']

const confirmed = async (...signed: readonly Signed[]) => {
  const opened = openLog('live')
  return { opened, bundle: await cosigned(await bundleOf(opened), ...signed) }
}

test('millseal verify says who holds a certificate, since when, and that it is genuine', async () => {
  const { opened, bundle } = await confirmed(first, second, witness)
  const { status, text, report } = await place.verify({ bundle, policy: policy2Of(opened) })
  assert.deepEqual([status, report.verdict], [0, 'genuine'])
  const whom = 'Held by 2 independent nodes: inspector, association, before 2026-11-22T05:52:01.000Z'
  assert.match(text, new RegExp(`: GENUINE\\n .*\\. ${whom}\\.\\n[^]* ✓ Confirmed +${whom}\\n`))
  assert.deepEqual(report.facts?.confirmation, {
    by: 'nodes',
    names: ['inspector', 'association'],
    of: 2,
    before: '2026-11-22T05:52:01.000Z',
    isDemanded: true,
  })
})

test('millseal verify says what witnesses do not see', async () => {
  const { opened, bundle } = await confirmed(first, witness)
  const { status, text } = await place.verify({ bundle, policy: policy2Of(opened) })
  assert.equal(status, 0)
  assert.match(
    text,
    / ✓ Confirmed +Witnessed by 2 of 3: inspector, university, before 2026-11-22T05:51:01\.000Z\. What was withdrawn is said by the operator alone\n/,
  )
})

test('millseal verify does not accept a certificate without the quorum of the policy, also in test mode', async () => {
  const { opened, bundle } = await confirmed(second)
  const { status, text, report } = await place.verify({ bundle, policy: policy2Of(opened) })
  assert.deepEqual([status, report.verdict], [3, 'unconfirmed'])
  assert.match(
    text,
    /: UNCHANGED, BUT ONLY THE OPERATOR SAYS SO\n {2}This file is unchanged since Rolling Mill/,
  )
  assert.match(text, / – Confirmed +Only the operator says so: 1 of 3 others have signed/)
  const tested = openLog('test')
  const asked = { bundle: await bundleOf(tested), policy: policy2Of(tested) }
  const inTest = await place.verify(asked, place.path('c.json'), '--mode', 'test')
  assert.deepEqual([inTest.status, inTest.report.verdict], [3, 'test'])
})

test('millseal verify says that a policy demands nobody but the operator', async () => {
  const { opened, bundle } = await confirmed(first, second)
  const { status, text } = await place.verify({ bundle, policy: { logs: [opened.log.vkey] } })
  assert.equal(status, 0)
  assert.match(text, / – Confirmed +Only the operator says so: your policy demands no others\n/)
})

test('millseal verify takes a bare tlog-policy of C2SP, which knows no nodes', async () => {
  const { opened, bundle } = await confirmed(first, second)
  const text = tlogPolicyOf(opened, 'group others 2 inspector association', 'quorum others')
  const said = await place.verify({ bundle, policy: text })
  assert.equal(said.status, 0)
  assert.match(said.text, / ✓ Confirmed +Witnessed by 2 of 3: inspector, association, before /)
  const broken = await place.verify({ bundle, policy: text.replace('quorum', 'quorums') })
  assert.deepEqual(
    [broken.status, broken.report.checks.map(({ says }) => says)],
    [5, ['The policy: log: line 6: Unknown keyword quorums']],
  )
})

test('a policy says how old a status may be, and no option makes that longer', async () => {
  const { opened, bundle } = await confirmed(first, second)
  const question = { bundle, policy: policy2Of(opened, { maxStatusAge: 7 }) }
  const codeAt = async (now: string, ...more: readonly string[]) =>
    (await place.verify(question, place.path('c.json'), '--now', now, ...more)).status
  assert.equal(await codeAt('2026-11-29T05:50:00Z'), 0)
  assert.equal(await codeAt('2026-11-29T05:50:01Z'), 6)
  assert.equal(await codeAt('2026-11-29T05:50:01Z', '--max-status-age', '90'), 6)
  assert.equal(await codeAt('2026-11-24T05:50:01Z', '--max-status-age', '1'), 6)
})

test('a policy names the authorities whose time stamps count', async () => {
  const root = certify({ subject: 'Association root', more: [extensions.authority] })
  const signer = certify({ subject: 'Association', by: root })
  const opened = openLog('live')
  opened.log.addState(at(50))
  const bundle = await opened.log.bundle(opened.transaction, opened.named, at(50), 3)
  const stamps = [stampOf(bundle, { signer, time: '2026-11-22T05:51:00Z' })]
  const given = await cosigned({ ...bundle, stamps }, first, second)
  const authorities = [{ name: 'Stamps Ltd', root: Buffer.from(root.bytes).toString('base64') }]
  const { status, text } = await place.verify({ bundle: given, policy: policy2Of(opened, { authorities }) })
  assert.equal(status, 0)
  assert.match(text, /✓ Time stamp {3}Recorded before 2026-11-22T05:51:00\.000Z, says Stamps Ltd\n/)
  const none = policy2Of(opened, { authorities: [{ name: 'None', root: 'AAAA' }] })
  const refused = await place.verify({ bundle: given, policy: none })
  assert.equal(refused.status, 5)
  assert.match(refused.report.checks[0]?.says ?? '', /^The policy: the root of the authority None: /)
})
