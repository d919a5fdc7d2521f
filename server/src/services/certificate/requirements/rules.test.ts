import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RequirementChoice } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { deskOf, openSupplier, type Supplier } from '../../../../test/desk.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newOwner } from '../../../../test/machines.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let server: TestServer
let supplier: Supplier
before(async () => {
  server = await startTestServer()
  supplier = await openSupplier(server, 'ruled-mill')
})
after(() => server[Symbol.asyncDispose]())

const open = async (name: string) => {
  const owner = await newOwner(server, name)
  const desk = deskOf(server, owner)
  const header = { company: owner.company.id }
  for (const [requirement, max] of [
    ['Plate', '0.20'],
    ['Strict', '0.10'],
  ] as const)
    await desk.require(requirement, max)
  return {
    owner,
    desk,
    rule: (...rules: RequirementChoice[]) => desk.client.keepRequirementRules({ ...header, body: { rules } }),
    rules: () => desk.client.readRequirementRules(header),
    check: (body: { against?: string } = {}) =>
      desk.client.checkCertificate({
        ...header,
        body: { certificate: JSON.stringify(sampleCertificate()), ...body },
      }),
    file: async () => desk.file((await supplier.notarize(undefined)).text),
  }
}

describe('the rules of a company', () => {
  test('choose the requirement of a check and of the desk, unless somebody chose one', async () => {
    const { owner, rule, rules, check, file, desk } = await open('ruling-works')
    assert.deepEqual(await rules(), { rules: [] })
    const plate = { grade: '*S355J2+N*', priority: 0, requirement: 'Plate' }
    assert.deepEqual(await rule(plate), { rules: [plate] })
    assert.deepEqual(await rules(), { rules: [plate] })
    const found = await check()
    assert.deepEqual([found.verdict, found.requirement?.name], ['pass', 'Plate'])
    assert.equal((await check({ against: 'Strict' })).requirement?.name, 'Strict')
    const entry = await file()
    assert.deepEqual([entry.advice, entry.check?.requirement.name], ['meetsEverything', 'Plate'])
    const [decided] = await desk.decide({ ids: [entry.id], decision: 'accepted' })
    assert.equal(decided?.decision?.requirement?.hash, entry.check?.requirement.hash)
    const actions = (await auditOf(server, owner.company.id)).map(({ action }) => action)
    assert.equal(actions.filter((action) => action === 'requirements.update_rules').length, 1)
  })

  test('that match nothing, or name several requirements, are said and never green', async () => {
    const { rule, check, file } = await open('unclear-works')
    await rule({ order: 'PO-1', requirement: 'Plate' })
    const none = await check()
    assert.deepEqual([none.verdict, none.unchecked], ['unknown', 'noRequirement'])
    await rule({ order: 'PO-4711', requirement: 'Plate' }, { grade: '*S355*', requirement: 'Strict' })
    const several = await check()
    assert.deepEqual([several.verdict, several.unchecked], ['unknown', 'severalRequirements'])
    const entry = await file()
    assert.deepEqual([entry.advice, entry.unchecked, entry.check], ['look', 'severalRequirements', undefined])
    await rule({ requirement: 'Nothing of this name' })
    assert.deepEqual((await file()).unchecked, 'requirementInvalid')
  })

  test('are those of the company alone, and what is open is answered again when they change', async () => {
    const { rule, file, desk } = await open('changing-rules')
    const other = await open('other-rules')
    await other.rule({ requirement: 'Strict' })
    const { id, unchecked } = await file()
    assert.equal(unchecked, 'noRequirement')
    await rule({ requirement: 'Plate' })
    const answered = await eventually(async () => {
      const entry = await desk.read(id)
      return entry.check !== undefined && entry
    })
    assert.deepEqual([answered.check?.requirement.name, answered.advice], ['Plate', 'meetsEverything'])
  })
})
