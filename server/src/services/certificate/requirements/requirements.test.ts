import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CheckCertificate } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let stack: AsyncDisposableStack
let server: TestServer
before(async () => {
  stack = new AsyncDisposableStack()
  server = stack.use(await startTestServer())
})
after(() => stack.disposeAsync())

const of = ({ company, admin }: Owner, accessToken = admin.accessToken) => {
  const client = server.client(accessToken)
  const header = { company: company.id }
  return {
    keep: (body: Record<string, unknown>) => client.keepRequirement({ ...header, body }),
    list: (query: { hash?: string; limit?: number; after?: string } = {}) =>
      client.listRequirements({ ...header, query }),
    read: (id: string) => client.readRequirement({ ...header, params: { id } }),
    delete: (id: string) => client.deleteRequirement({ ...header, params: { id } }),
    check: (body: CheckCertificate) => client.checkCertificate({ ...header, body }),
  }
}

const certificate = JSON.stringify(sampleCertificate())
const carbon = (max: string) => ({ of: 'C', max, unit: '%' })
const named = (name: string, max = '0.20', more: object = {}) => ({ name, rules: [carbon(max)], ...more })
const detailsOf = async (call: Promise<unknown>): Promise<string> =>
  (await refusal(call)).answer?.details.join('\n') ?? ''

describe('a check', () => {
  test('says of each limit what is printed, compared and required', async () => {
    const ours = of(await newOwner(server, 'checking-mill'))
    const { verdict, lines, requirement } = await ours.check({
      certificate,
      requirement: named('Bar', '0.10', { rules: [carbon('0.10'), { of: 'Rm', min: '470', unit: 'MPa' }] }),
    })
    assert.equal(verdict, 'fail')
    assert.equal(requirement?.name, 'Bar')
    assert.match(requirement?.hash ?? '', /^[0-9a-f]{64}$/)
    const [first, second] = lines
    assert.equal(first?.result, 'fail')
    assert.match(first?.reason ?? '', /^C \S+ % is above the maximum 0\.10 %/)
    assert.equal(first?.because?.code, 'check_above')
    assert.equal(first?.limit, 'max 0.10 %')
    assert.equal(first?.rounding, 'halfEven')
    assert.equal(second?.result, 'pass')
    assert.equal(second?.reason, undefined)
  })

  test('keeps the digits of the certificate', async () => {
    const ours = of(await newOwner(server, 'digit-mill'))
    const text = certificate.replace(/"Value":\s*"?0\.15\d*"?/, '"Value":"0.1500"')
    const { lines } = await ours.check({ certificate: text, requirement: named('Bar') })
    assert.ok(lines.every(({ printed = '' }) => text.includes(printed.split(' ')[0] ?? '–')))
  })

  test('is refused without certificate, or with two requirements', async () => {
    const ours = of(await newOwner(server, 'refused-checker'))
    const requirement = named('Bar')
    assert.match(await detailsOf(ours.check({ requirement })), /certificate or id/)
    assert.match(
      await detailsOf(ours.check({ certificate, requirement, against: 'Bar' })),
      /requirement or against/,
    )
    await assertRefused(ours.check({ certificate: '{"a":1,"a":2}', requirement }), 'malformed_json')
    await assertRefused(ours.check({ certificate, against: 'nothing of this name' }), 'requirement_invalid')
  })

  test('names the field of a requirement that cannot be read', async () => {
    const ours = of(await newOwner(server, 'unreadable-mill'))
    const check = (rule: object) =>
      detailsOf(ours.check({ certificate, requirement: { name: 'Bar', rules: [rule] } }))
    assert.match(
      await check({ of: 'Re', min: '355', unit: 'MPa' }),
      /^\/requirement\/rules\/0\/of "Re" has several/,
    )
    assert.match(
      await check({ ...carbon('0.2'), maxx: '1' }),
      /^\/requirement\/rules\/0 must not contain "maxx"/,
    )
    assert.match(
      await check({ of: 'C', max: 0.2, unit: '%' }),
      /^\/requirement\/rules\/0\/max must be a decimal as text/,
    )
  })

  test('needs a scope that no application had before', async () => {
    const owner = await newOwner(server, 'scoped-mill')
    const scopes = { certificates: { actions: ['*'] } }
    const machine = await tokenOf(server, await newApplication(server, owner, { scopes }))
    const body = { certificate, requirement: named('Bar') }
    await assertRefused(of(owner, machine).check(body), 'scope_missing')
    const allowed = { requirements: { actions: ['check_one'] } }
    const checker = await tokenOf(server, await newApplication(server, owner, { scopes: allowed }))
    assert.equal((await of(owner, checker).check(body)).verdict, 'pass')
  })
})

describe('the requirements of a company', () => {
  test('are kept, listed, read, used by name and hash, and taken out of use', async () => {
    const owner = await newOwner(server, 'requiring-mill')
    const ours = of(owner)
    const kept = await ours.keep(named('Plate'))
    assert.deepEqual(kept.requirement, named('Plate'))
    assert.deepEqual(await ours.read(kept.id), kept)
    const { requirement: _, ...listed } = kept
    assert.deepEqual(await ours.list(), [{ ...listed, rules: 1 }])
    for (const against of ['Plate', kept.hash])
      assert.equal((await ours.check({ certificate, against })).verdict, 'pass')
    assert.deepEqual(await ours.delete(kept.id), { id: kept.id })
    assert.deepEqual(await ours.list(), [])
    await assertRefused(ours.delete(kept.id), 'not_found')
    await assertRefused(ours.check({ certificate, against: 'Plate' }), 'requirement_invalid')
    assert.equal((await ours.check({ certificate, against: kept.hash })).verdict, 'pass')
    const entries = (await auditOf(server, owner.company.id)).filter(({ action }) =>
      action.startsWith('requirements.'),
    )
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details]),
      ['create', 'delete'].map((verb) => [`requirements.${verb}`, { hash: kept.hash }]),
    )
  })

  test('of the same name are versions: the newest is in use, and each is found by its hash', async () => {
    const ours = of(await newOwner(server, 'changing-mill'))
    const first = await ours.keep(named('Plate'))
    const second = await ours.keep(named('Plate', '0.10'))
    assert.notEqual(first.hash, second.hash)
    assert.deepEqual(
      (await ours.list()).map(({ hash }) => hash),
      [second.hash],
    )
    assert.deepEqual(
      (await ours.list({ hash: first.hash })).map(({ id, inUse }) => [id, inUse]),
      [[first.id, false]],
    )
    assert.equal((await ours.check({ certificate, against: 'Plate' })).verdict, 'fail')
    assert.equal((await ours.check({ certificate, against: first.hash })).verdict, 'pass')
    const again = await ours.keep(named('Plate'))
    assert.deepEqual([again.id, again.inUse], [first.id, true])
  })

  test('include others, whose change changes the hash of the whole', async () => {
    const ours = of(await newOwner(server, 'including-mill'))
    await ours.keep(named('Grade'))
    await ours.keep(named('Order', '0.30', { includes: ['Grade'] }))
    const earlier = await ours.check({ certificate, against: 'Order' })
    assert.equal(earlier.verdict, 'pass')
    assert.deepEqual(
      earlier.lines.map(({ requirement }) => requirement),
      ['Order', 'Grade'],
    )
    await ours.keep(named('Grade', '0.10'))
    const later = await ours.check({ certificate, against: 'Order' })
    assert.equal(later.verdict, 'fail')
    assert.notEqual(later.requirement?.hash, earlier.requirement?.hash)
    const unknown = ours.keep(named('Other', '0.30', { includes: ['Nothing'] }))
    assert.match(await detailsOf(unknown), /^\/includes\/0 .*Nothing/)
    const circular = ours.keep(named('Grade', '0.30', { includes: ['Order'] }))
    assert.match(await detailsOf(circular), /includes itself/)
  })

  test('are those of no other company', async () => {
    const [ours, others] = [of(await newOwner(server, 'own-mill')), of(await newOwner(server, 'other-mill'))]
    const kept = await ours.keep(named('Plate'))
    await assertRefused(others.read(kept.id), 'not_found')
    await assertRefused(others.delete(kept.id), 'not_found')
    for (const against of ['Plate', kept.hash])
      await assertRefused(others.check({ certificate, against }), 'requirement_invalid')
    assert.deepEqual(await others.list({ hash: kept.hash }), [])
  })
})

test('the format is published as a JSON Schema, for everybody', async () => {
  const schema = await server.client().readRequirementSchema()
  assert.equal(schema['$id'], 'https://millseal.org/schemas/requirement-1.schema.json')
  assert.deepEqual(schema['required'], ['name', 'rules'])
  const response = await fetch(`${server.url}/schemas/requirement-1.schema.json`)
  assert.equal(response.status, 200)
})
