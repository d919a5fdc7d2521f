import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { enableMfa, foundCompany, signUp, signUpOperator, verifyCompany } from '../../test/people.ts'
import { assertRefused, refusal } from '../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const scopes = { companies: { actions: ['read_many'] } }

describe('from registration to an application in live mode', () => {
  test('register, company, review, MFA, application, token, rotation', async () => {
    const person = await signUp(server, 'quality-manager')
    const client = server.client(person.accessToken)
    const company = await foundCompany(server, person)
    const create = (mode: 'test' | 'live') =>
      client.createApplication({ company: company.id, body: { description: 'ERP', mode, scopes } })
    assert.equal((await create('test')).mode, 'test')
    await assertRefused(create('live'), 'company_unverified')

    await verifyCompany(server, await signUpOperator(server), company.id)
    const { status, answer } = await refusal(create('live'))
    assert.equal(status, 403)
    assert.match(answer?.message ?? '', /multi-factor authentication \(MFA\)/)

    await enableMfa(server, person)
    const application = await create('live')
    assert.equal(application.mode, 'live')

    const { clientId, clientSecret } = application
    const { accessToken, application: shown } = await server
      .client()
      .createToken({ body: { clientId, clientSecret } })
    assert.equal(shown.mode, 'live')
    assert.equal(shown.owner.id, company.id)
    const machine = server.client(accessToken)
    assert.deepEqual(
      (await machine.listCompanies()).map(({ id }) => id),
      [company.id],
    )
    await assertRefused(
      machine.updateCompany({ params: { id: company.id }, body: { name: 'Another name' } }),
      'scope_missing',
    )

    const rotated = await client.rotateApplicationSecret({
      params: { id: application.id },
      company: company.id,
      body: {},
    })
    assert.equal(rotated.clientId, clientId)
    assert.equal((await refusal(machine.listCompanies())).status, 401)
    await assertRefused(
      server.client().createToken({ body: { clientId, clientSecret } }),
      'credentials_wrong',
    )
    const { accessToken: next } = await server
      .client()
      .createToken({ body: { clientId, clientSecret: rotated.clientSecret } })
    assert.equal((await server.client(next).listCompanies()).length, 1)
  })

  test('disabling MFA ends live mode for the person, but not for the applications of the company', async () => {
    const person = await signUp(server, 'on-and-off')
    const client = server.client(person.accessToken)
    const company = await foundCompany(server, person)
    await verifyCompany(server, await signUpOperator(server), company.id)
    const nextCode = await enableMfa(server, person)
    const { id, clientId, clientSecret } = await client.createApplication({
      company: company.id,
      body: { description: 'MES', mode: 'live', scopes },
    })
    const { accessToken } = await server.client().createToken({ body: { clientId, clientSecret } })
    const { authenticators } = await client.readMfa()
    for (const factor of authenticators)
      await client.deleteTotp({ params: { id: factor.id }, body: { code: nextCode() } })
    await assertRefused(client.readApplication({ params: { id }, company: company.id }), 'mfa_required')
    assert.equal((await server.client(accessToken).listCompanies()).length, 1)
  })
})
