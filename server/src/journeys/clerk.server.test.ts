import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity, Mode } from '@millseal/contract'
import { sampleCertificate } from '../../test/certificates.ts'
import { newLiveOwner, type Owner } from '../../test/machines.ts'
import { notarizeSample } from '../../test/offline.ts'
import { invitationToken } from '../../test/invitations.ts'
import { enableMfa, password, type Person, signUp } from '../../test/people.ts'
import { assertRefused } from '../../test/refusal.ts'
import { newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
let mill: Owner
let clerk: Person
let identities: Readonly<Record<Mode, Identity>>

before(async () => {
  server = await startOwnServer()
  mill = await newLiveOwner(server, 'works-with-clerks')
  const admin = server.client(mill.admin.accessToken)
  identities = {
    test: await newIdentity(admin, company()),
    live: await newIdentity(admin, company(), 'live'),
  }
  clerk = await signUp(server, 'quality-clerk')
  await admin.addMember({ params: { id: company() }, body: { email: clerk.email, role: 'clerk' } })
  const code = (await enableMfa(server, clerk))()
  clerk = {
    ...clerk,
    ...(await server.client().login({ body: { username: clerk.username, password, code } })),
  }
})
after(() => server[Symbol.asyncDispose]())

const client = () => server.client(clerk.accessToken)
const company = () => mill.company.id
const notarize = (mode: Mode) =>
  notarizeSample(client(), { company: company(), identity: identities[mode], mode })

describe('a clerk', () => {
  test('issues, corrects, withdraws and mails certificates, in both modes', async () => {
    for (const mode of ['test', 'live'] as const) {
      const [wrong, right] = [await notarize(mode), await notarize(mode)]
      const document = new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' })
      await client().validateCertificate({ company: company(), document })
      await client().mailCertificateAgain({ company: company(), params: { id: right.id } })
      const replaced = await client().replaceCertificate({
        company: company(),
        params: { id: wrong.id },
        body: { reason: 'Wrong heat', replacedBy: right.id },
      })
      assert.equal(replaced.corrections?.[0]?.kind, 'replaced')
      const withdrawn = await client().withdrawCertificate({
        company: company(),
        params: { id: right.id },
        body: { reason: 'Wrong order' },
      })
      assert.equal(withdrawn.withdrawn, true)
    }
  })

  test('touches neither keys nor members, applications, webhooks or the company', async () => {
    const [id, query] = [company(), { mode: 'test' }] as const
    const params = { id }
    const identity = { identityId: identities.test.id }
    const body = { email: 'friend@works.example', role: 'admin' } as const
    for (const call of [
      () => client().createWallet({ company: id, query, body: {} }),
      () => client().notarizeIdentity({ company: id, query, params: identity, body: {} }),
      () =>
        client().revokeIdentity({
          company: id,
          params: { id: identities.test.id },
          query,
          body: { reason: 'Because I can' },
        }),
      () => client().createInvitation({ params, body }),
      () => client().addMember({ params, body }),
      () => client().updateMember({ params: { id, userId: clerk.id }, body: { role: 'admin' } }),
      () =>
        client().createApplication({
          company: id,
          body: { description: 'ERP', mode: 'test', scopes: { certificates: { actions: ['read_one'] } } },
        }),
      () =>
        client().createHook({
          company: id,
          body: {
            connectionUrl: 'https://example.com',
            scopes: [{ resource: 'certificates', actions: ['notarize_one'] }],
          },
        }),
      () => client().updateCompany({ params, body: { name: 'Taken Over' } }),
      () => client().deleteCompany({ params }),
    ])
      await assertRefused(call(), 'member_role_missing')
  })

  test('is what an invitation says, and stays one until an admin changes it', async () => {
    const admin = server.client(mill.admin.accessToken)
    const email = 'second-clerk@works.example'
    const invitation = await admin.createInvitation({
      params: { id: company() },
      body: { email, role: 'clerk' },
    })
    assert.equal(invitation.role, 'clerk')
    const token = await invitationToken(server, email)
    assert.equal((await server.client().readInvitationByLink({ query: { token } })).role, 'clerk')
    const joined = await server.client().acceptInvitation({
      query: { token },
      body: { username: 'second-clerk', password },
    })
    assert.equal(joined.role, 'clerk')
    const params = { id: company(), userId: joined.user.id }
    assert.equal((await admin.updateMember({ params, body: { role: 'read_only' } })).role, 'read_only')
    assert.equal((await admin.updateMember({ params, body: { role: 'clerk' } })).role, 'clerk')
  })
})
