import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Verification } from '@millseal/contract'
import { didOf, decodeBase58 } from '@millseal/proof'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newApplication, newLiveOwner, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { enableMfa, type Person, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf, eventsOf } from '../../../../test/traces.ts'

type Notarized = Certificate & { readonly text: string }

let server: TestServer
let operator: Person
before(async () => {
  server = await startTestServer()
  operator = await signUpOperator(server)
})
after(() => server[Symbol.asyncDispose]())

const clientOf = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const query = { mode: 'test' } as const

const verify = ({ text, mode }: Notarized): Promise<Verification> =>
  server.client().verifyCertificate({
    query: { mode },
    document: new Blob([text], { type: 'application/json' }),
  })

const revoke = (owner: Owner, { id }: Pick<Identity, 'id'>, body: { reason: string; since?: string }) =>
  clientOf(owner).revokeIdentity({ company: owner.company.id, query, params: { id }, body })

const newSigner = async (owner: Owner): Promise<Identity> => {
  const identity = await newIdentity(clientOf(owner), owner.company.id)
  await publishIdentity(clientOf(owner), { company: owner.company.id, identity })
  return identity
}

describe('a key that was stolen', () => {
  test('and is revoked since then: what was recorded before stays genuine, what came after is not', async () => {
    const owner = await newLiveOwner(server, 'robbed-mill')
    const company = owner.company.id
    const client = clientOf(owner)
    const mode = 'live' as const
    const identity = await newIdentity(client, company, mode)
    await publishIdentity(client, { company, identity, mode })
    const earlier = await notarizeSample(client, { company, identity, mode })
    server.clock.advance({ seconds: 20 })
    const stolenAt = new Date(server.clock.now()).toISOString()
    server.clock.advance({ seconds: 20 })
    const later = await notarizeSample(client, { company, identity, mode })
    assert.equal((await verify(later)).verdict, 'genuine')

    server.clock.advance({ seconds: 20 })
    const revoked = await client.revokeIdentity({
      company,
      query: { mode },
      params: { id: identity.id },
      body: { since: stolenAt, reason: 'The backup of the wallet was stolen' },
    })
    assert.deepEqual([revoked.status, revoked.revokedSince], ['revoked', stolenAt])
    assert.equal((await verify(earlier)).verdict, 'genuine')
    const answer = await verify(later)
    assert.equal(answer.verdict, 'revoked')
    assert.deepEqual(
      answer.corrections?.map(({ kind, by, since }) => [kind, by, since]),
      [['revoked', 'issuer', stolenAt]],
    )
    const verifyOffline = await openVerifier(server)
    for (const [one, verdict] of [
      [earlier, 'genuine'],
      [later, 'revoked'],
    ] as const) {
      const hash = one.hash.value
      const bundle = await server.client().readProof({ params: { hash }, query: { mode } })
      assert.equal(verifyOffline({ kind: 'json', hash }, bundle).verdict, verdict)
    }
  })

  test('cannot sign any more, and notarizations that wait for it fail with the reason', async () => {
    const owner = await newOwner(server, 'stopped-mill')
    const identity = await newSigner(owner)
    await revoke(owner, identity, { reason: 'Lost' })
    const { answer } = await refusal(notarizeSample(clientOf(owner), { company: owner.company.id, identity }))
    assert.match(answer?.message ?? '', /revoked/)
    const [listed] = await clientOf(owner).listPublicIdentities({
      company: owner.company.id,
      query: { ...query, company: owner.company.id },
    })
    assert.equal(listed?.status, 'revoked')
  })

  test('stays revoked when its wallet is wiped and recovered', async () => {
    const owner = await newOwner(server, 'recovering-mill')
    const client = clientOf(owner)
    const about = { company: owner.company.id, query }
    const { id: wallet } = await client.createWallet({ ...about, body: {} })
    const identity = await client.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet } })
    await publishIdentity(client, { company: owner.company.id, identity })
    await revoke(owner, identity, { reason: 'Lost' })
    await client.wipeWallet({ ...about, params: { id: wallet } })
    const { status } = await client.readIdentity({ ...about, params: { id: identity.id } })
    assert.equal(status, 'revoked')
  })

  test('can be revoked by the operator of the service after a review', async () => {
    const owner = await newOwner(server, 'silent-mill')
    const identity = await newSigner(owner)
    const one = await notarizeSample(clientOf(owner), { company: owner.company.id, identity })
    const since = one.timestamp ?? ''
    const revoked = await server.client(operator.accessToken).revokeIdentity({
      query,
      params: { id: identity.id },
      body: { since, reason: 'Reported by its receiver' },
    })
    assert.equal(revoked.status, 'revoked')
    const { corrections, verdict } = await verify(one)
    assert.deepEqual([verdict, corrections?.[0]?.by], ['revoked', 'operator'])
  })
})

describe('revoking an identity', () => {
  test('has effect once, with an audit entry and events', async () => {
    const owner = await newOwner(server, 'calm-mill')
    const identity = await newSigner(owner)
    const one = await notarizeSample(clientOf(owner), { company: owner.company.id, identity })
    const first = await revoke(owner, identity, { since: one.timestamp ?? '', reason: 'Key lost' })
    assert.deepEqual(await revoke(owner, identity, { reason: 'Another reason' }), first)
    const hash = one.hash.value
    const { corrections } = await server.client().readProof({ params: { hash }, query })
    assert.equal(corrections.length, 1)
    const entries = (await auditOf(server, owner.company.id)).filter(
      ({ action }) => action === 'identities.revoke',
    )
    assert.equal(entries.length, 1)
    const told = (await eventsOf(server, owner.company.id)).filter(({ topic }) =>
      topic.endsWith('/test/identities/revoke_one'),
    )
    assert.equal(told.length, 1)
    assert.equal((told[0]?.payload as Identity | undefined)?.status, 'revoked')
  })

  test('is refused for a time to come, a time that is none, and without a reason', async () => {
    const owner = await newOwner(server, 'hasty-mill')
    const identity = await newSigner(owner)
    for (const since of [new Date(server.clock.now() + 60_000).toISOString(), 'yesterday', '']) {
      const { answer } = await refusal(revoke(owner, identity, { since, reason: 'x' }))
      assert.equal(answer?.statusCode, 400)
      assert.match(answer.details.join(), /since/)
    }
    await assertRefused(revoke(owner, identity, { reason: '' }), 'validation_failed')
    const { status } = await clientOf(owner).readIdentity({
      company: owner.company.id,
      query,
      params: { id: identity.id },
    })
    assert.equal(status, 'valid')
  })

  test('concerns only identities of the own company and the mode', async () => {
    const owner = await newLiveOwner(server, 'own-mill')
    const other = await newOwner(server, 'other-mill')
    const identity = await newSigner(owner)
    await assertRefused(revoke(other, identity, { reason: 'Not ours' }), 'not_found')
    await assertRefused(
      clientOf(owner).revokeIdentity({
        company: owner.company.id,
        query: { mode: 'live' },
        params: { id: identity.id },
        body: { reason: 'The other mode' },
      }),
      'not_found',
    )
  })

  test('needs a scope of its own from applications', async () => {
    const owner = await newOwner(server, 'machine-mill')
    const identity = await newSigner(owner)
    const as = async (action: string) =>
      server.client(
        await tokenOf(
          server,
          await newApplication(server, owner, { scopes: { identities: { actions: [action] } } }),
        ),
      )
    const call = { company: owner.company.id, query, params: { id: identity.id }, body: { reason: 'Lost' } }
    await assertRefused((await as('update_one')).revokeIdentity(call), 'scope_missing')
    assert.equal((await (await as('revoke_one')).revokeIdentity(call)).status, 'revoked')
  })

  test('of a key that signed nothing on the log revokes it here', async () => {
    const owner = await newOwner(server, 'unused-mill')
    const identity = await newIdentity(clientOf(owner), owner.company.id)
    assert.equal((await revoke(owner, identity, { reason: 'Never used' })).status, 'revoked')
    assert.equal((await revoke(owner, identity, { reason: 'Again' })).status, 'revoked')
  })
})

describe('a recovery key', () => {
  test('cannot be added to an identity that was published without one', async () => {
    const owner = await newOwner(server, 'late-mill')
    const identity = await newSigner(owner)
    const publish = (body: { recoveryDid?: string }) =>
      clientOf(owner).notarizeIdentity({
        company: owner.company.id,
        query,
        params: { identityId: identity.id },
        body,
      })
    const recoveryDid = didOf(decodeBase58(makeLedgerSigner().publicKey))
    const { answer } = await refusal(publish({ recoveryDid }))
    assert.equal(answer?.statusCode, 400)
    assert.match(answer.details.join(), /^\/recoveryDid cannot be changed/)
    await publish({})
  })

  test('is recorded with the identity', async () => {
    const owner = await newOwner(server, 'careful-mill')
    await enableMfa(server, owner.admin)
    const client = clientOf(owner)
    const company = owner.company.id
    const identity = await newIdentity(client, company)
    const recoveryDid = didOf(decodeBase58(makeLedgerSigner().publicKey))
    const publish = (did: string) =>
      client.notarizeIdentity({
        company,
        query,
        params: { identityId: identity.id },
        body: { recoveryDid: did },
      })
    for (const wrong of [identity.did, 'did:key:zNotAKeyAtAll', 'did:web:mill.example'])
      await assertRefused(publish(wrong), 'validation_failed')
    await publish(recoveryDid)
    await publish(recoveryDid)
    const other = didOf(decodeBase58(makeLedgerSigner().publicKey))
    const changed = await refusal(publish(other))
    assert.equal(changed.answer?.statusCode, 400)
    assert.match(
      changed.answer.details.join(),
      new RegExp(`^/recoveryDid cannot be changed: .*${recoveryDid}`),
    )
    const { hash } = await notarizeSample(client, { company, identity })
    const { identity: published } = await server.client().readProof({ params: { hash: hash.value }, query })
    const asset = published?.transaction.asset['data'] as Record<string, unknown>
    assert.equal(asset['recoveryDid'], recoveryDid)
  })
})
