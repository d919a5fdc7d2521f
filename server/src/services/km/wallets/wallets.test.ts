import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mnemonicLanguages, type WalletWithKey } from '@millseal/contract'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'
import { seedOf } from '../../../lib/key-derivation/mnemonic.ts'

const mode = 'test'
const absent = '0198c0de-0000-7000-8000-000000000001'
const otherMnemonic = `${'abandon '.repeat(23)}art`

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const header = ({ company }: Owner) => ({ company: company.id, query: { mode } }) as const
const createWallet = (
  owner: Owner,
  body: Parameters<ReturnType<typeof as>['createWallet']>[0]['body'] = {},
) => as(owner).createWallet({ ...header(owner), body })
const about = (owner: Owner, { id }: { readonly id: string }) => ({ ...header(owner), params: { id } })
const createIdentity = (owner: Owner, wallet: string) =>
  as(owner).createIdentity({ ...header(owner), body: { coinType: 822, account: 0, wallet } })

/** Calls the address of earlier clients. */
const callEarlier = async (owner: Owner, path: string, init: { method: string; body: object }) => {
  const response = await fetch(`${server.url}/api/wallet${path}?mode=${mode}`, {
    method: init.method,
    headers: {
      authorization: `Bearer ${owner.admin.accessToken}`,
      company: owner.company.id,
      'content-type': 'application/json',
    },
    body: JSON.stringify(init.body),
  })
  return { status: response.status, answer: (await response.json()) as WalletWithKey }
}

describe('creating a wallet', () => {
  test('returns the wallet and its 24 words, which no other call returns', async () => {
    const owner = await newOwner(server, 'creator')
    const made = await createWallet(owner, { name: 'Rolling', options: { language: 'italian' } })
    const { mnemonic, wallet, masterKey, ...fields } = made
    assert.deepEqual(fields, wallet)
    assert.deepEqual(masterKey, { mnemonic, language: 'italian' })
    assert.equal(mnemonic.split(' ').length, 24)
    const { id, createdAt, updatedAt, ...rest } = wallet
    assert.deepEqual(rest, {
      name: 'Rolling',
      connectionUrl: `${server.url}/api/wallets/${id}`,
      backedUp: false,
      status: 'enabled',
      mode,
      language: 'italian',
      owner: owner.company.id,
      identities: [],
    })
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(await as(owner).readWallet(about(owner, wallet)), wallet)
    const ofCompany = { params: { id: owner.company.id }, query: { mode } } as const
    assert.deepEqual(await as(owner).readWalletOfCompany(ofCompany), wallet)
    assert.deepEqual(
      (await eventsAbout(server, id)).map(({ topic, payload }) => ({ topic, payload })),
      [{ topic: `company/${owner.company.id}/test/wallets/create_one`, payload: wallet }],
    )
    assert.ok((await auditOf(server, owner.company.id)).some(({ action }) => action === 'wallets.create'))
  })

  test('needs neither name nor language, and supports all ten languages', async () => {
    const owner = await newOwner(server, 'default-creator')
    const { name, language } = await createWallet(owner)
    assert.deepEqual({ name, language }, { name: 'Test wallet', language: 'english' })
    for (const [at, wanted] of mnemonicLanguages.entries()) {
      const polyglot = await newOwner(server, `polyglot-${at}`)
      const { mnemonic, masterKey } = await createWallet(polyglot, { options: { language: wanted } })
      assert.equal(mnemonic.split(/\s/).length, 24, wanted)
      assert.equal(masterKey.language, wanted)
    }
  })

  test('returns the seed of words and password to earlier clients, which call /wallet', async () => {
    const owner = await newOwner(server, 'earlier-creator')
    const body = { name: 'Rolling', options: { language: 'japanese', password: 'pass phrase' } }
    const { status, answer } = await callEarlier(owner, '', { method: 'POST', body })
    assert.equal(status, 201)
    const expected = await seedOf(answer.mnemonic, 'pass phrase')
    assert.equal(answer.masterKey.seedHex, expected.toString('hex'))
    const backup = await callEarlier(owner, `/${answer.wallet.id}/backup`, { method: 'PATCH', body: {} })
    assert.deepEqual(backup.answer.masterKey, answer.masterKey)
  })

  test('succeeds once per company and mode, even for ten concurrent calls', async () => {
    const owner = await newOwner(server, 'hasty-creator')
    const outcomes = await outcomesOf(Array.from({ length: 10 }, () => createWallet(owner)))
    assert.deepEqual(outcomes, { ok: 1, wallet_exists: 9 })
  })

  test('happens once for a repeated request, whose answer does not show the words again', async () => {
    const owner = await newOwner(server, 'repeating-creator')
    const call = { ...header(owner), body: {}, idempotencyKey: 'wallet-creation-0001' }
    const first = await as(owner).createWallet(call)
    const second = await as(owner).createWallet(call)
    assert.deepEqual(second, { ...first.wallet, wallet: first.wallet })
  })

  test('rejects an unknown language, a name that is too short, and live mode of an unverified company', async () => {
    const owner = await newOwner(server, 'refused-creator')
    const klingon = await refusal(createWallet(owner, { options: { language: 'klingon' } }))
    assert.equal(klingon.status, 400)
    assert.match(String(klingon.answer?.details[0]), /chinese_traditional/)
    await assertRefused(createWallet(owner, { name: 'abc' }), 'validation_failed')
    await assertRefused(
      as(owner).createWallet({ company: owner.company.id, query: { mode: 'live' }, body: {} }),
      'company_unverified',
    )
  })
})

describe('a wallet', () => {
  test('can be renamed, with or without the id in the body, and sends an event', async () => {
    const owner = await newOwner(server, 'renamer')
    const { id } = await createWallet(owner)
    const call = about(owner, { id })
    assert.equal((await as(owner).updateWallet({ ...call, body: { id, name: 'Forge' } })).name, 'Forge')
    assert.equal((await as(owner).updateWallet({ ...call, body: { name: 'Forge' } })).name, 'Forge')
    await assertRefused(
      as(owner).updateWallet({ ...call, body: { id: absent, name: 'Mint' } }),
      'id_mismatch',
    )
    const topics = (await eventsAbout(server, id)).map(({ topic }) => topic.split('/').at(-1))
    assert.deepEqual(topics, ['create_one', 'update_one'])
  })

  test('shows its words only once more, and only after a recent sign-in', async () => {
    const owner = await newOwner(server, 'keeper')
    const { mnemonic, wallet } = await createWallet(owner, { options: { language: 'korean' } })
    const call = about(owner, wallet)
    server.clock.advance({ minutes: 11 })
    await assertRefused(as(owner).backUpWallet(call), 'step_up_required')
    const fresh = server.client((await owner.signInAgain()).accessToken)
    const shown = await fresh.backUpWallet(call)
    assert.equal(shown.mnemonic, mnemonic)
    assert.equal(shown.wallet.backedUp, true)
    await assertRefused(fresh.backUpWallet(call), 'wallet_backed_up')
    assert.equal((await fresh.readWallet(call)).backedUp, true)
  })

  test('of another company, or one that does not exist, is not found by any operation', async () => {
    const [owner, other] = [await newOwner(server, 'first-owner'), await newOwner(server, 'other-owner')]
    const { id } = await createWallet(owner)
    const client = as(other)
    for (const call of [about(other, { id }), about(other, { id: absent })]) {
      await assertRefused(client.readWallet(call), 'not_found')
      await assertRefused(client.updateWallet({ ...call, body: { name: 'Stolen' } }), 'not_found')
      await assertRefused(client.backUpWallet(call), 'not_found')
      await assertRefused(client.recoverWallet({ ...call, body: { mnemonic: otherMnemonic } }), 'not_found')
      await assertRefused(client.wipeWallet(call), 'not_found')
      await assertRefused(client.listIdentitiesOfWallet(call), 'not_found')
      const body = { coinType: 822, account: 0, index: 0 }
      await assertRefused(client.deriveWalletAddress({ ...call, body }), 'not_found')
    }
    assert.equal((await as(owner).readWallet(about(owner, { id }))).status, 'enabled')
  })

  test('derives the address of an identity before and after it is created, and nothing else', async () => {
    const [owner, other] = [await newOwner(server, 'deriver'), await newOwner(server, 'other-deriver')]
    const { id } = await createWallet(owner)
    const derive = (body: object) => as(owner).deriveWalletAddress({ ...about(owner, { id }), body })
    const expected = await derive({ coinType: 822, account: 0, index: 0 })
    const identity = await createIdentity(owner, id)
    assert.deepEqual(expected, { publicKey: identity.publicKey, did: identity.did })
    assert.deepEqual(await derive({ identity: { id: identity.id } }), expected)
    assert.notDeepEqual(await derive({ coinType: 822, account: 0, index: 0, change: 1 }), expected)
    assert.deepEqual(await as(owner).listIdentitiesOfWallet(about(owner, { id })), [identity])
    assert.deepEqual((await as(owner).readWallet(about(owner, { id }))).identities, [identity.id])

    const foreign = await createIdentity(other, (await createWallet(other)).id)
    await assertRefused(derive({ identity: { id: foreign.id } }), 'not_found')
    await assertRefused(derive({ coinType: 60, account: 0, index: 0 }), 'coin_type_unsupported')
    const missing = await refusal(derive({ coinType: 822, account: 0 }))
    assert.deepEqual(missing.answer?.details, ['/index is required if /identity is missing'])
  })
})

describe('wiping and recovering', () => {
  test('wiping disables the wallet and its identities; the words recover the same keys', async () => {
    const owner = await newOwner(server, 'phoenix')
    const client = as(owner)
    const options = { language: 'spanish', password: 'pass phrase' }
    const { mnemonic, id } = await createWallet(owner, { options })
    const call = about(owner, { id })
    const identities = [await createIdentity(owner, id), await createIdentity(owner, id)]

    const wiped = await client.wipeWallet(call)
    assert.equal(wiped.status, 'disabled')
    assert.deepEqual(await client.wipeWallet(call), wiped, 'wiping again changes nothing')
    const address = { ...call, body: { coinType: 822, account: 0, index: 0 } }
    await assertRefused(client.deriveWalletAddress(address), 'wallet_disabled')
    await assertRefused(client.backUpWallet(call), 'wallet_disabled')
    await assertRefused(createIdentity(owner, id), 'wallet_disabled')
    await assertRefused(createWallet(owner), 'wallet_exists')
    const statuses = async () => (await client.listIdentities(header(owner))).map(({ status }) => status)
    assert.deepEqual(await statuses(), ['obsolete', 'obsolete'])

    const recovered = await client.recoverWallet({ ...call, body: { mnemonic, ...options } })
    assert.equal(recovered.mnemonic, mnemonic)
    assert.equal(recovered.wallet.status, 'enabled')
    assert.equal(recovered.wallet.backedUp, true)
    assert.deepEqual(await statuses(), ['valid', 'valid'])
    assert.equal((await client.deriveWalletAddress(address)).did, identities[0]?.did)
    assert.equal((await createIdentity(owner, id)).index, 2)

    const ofIdentity = await eventsAbout(server, identities[0]?.id ?? assert.fail())
    assert.deepEqual(
      ofIdentity.map(({ topic, payload }) => [
        topic.split('/').at(-1),
        (payload as { status: string }).status,
      ]),
      [
        ['create_one', 'valid'],
        ['update_one', 'obsolete'],
        ['update_one', 'valid'],
      ],
    )
    const ofWallet = (await eventsAbout(server, id)).map(({ topic }) => topic.split('/').at(-1))
    assert.deepEqual(ofWallet, ['create_one', 'delete_one', 'update_one'])
    const audited = (await auditOf(server, owner.company.id)).map(({ action }) => action)
    assert.deepEqual(
      audited.filter((action) => action.startsWith('wallets.')),
      ['wallets.create', 'wallets.wipe', 'wallets.recover'],
    )
  })

  test('another mnemonic, or the same without its password, makes the existing identities obsolete', async () => {
    const owner = await newOwner(server, 'changer')
    const client = as(owner)
    const { mnemonic, id } = await createWallet(owner, { options: { password: 'pass phrase' } })
    const call = about(owner, { id })
    const identity = await createIdentity(owner, id)
    const statusNow = async () =>
      (await client.readIdentity({ ...header(owner), params: { id: identity.id } })).status
    for (const body of [{ mnemonic: otherMnemonic }, { mnemonic }]) {
      await client.recoverWallet({ ...call, body })
      assert.equal(await statusNow(), 'obsolete')
    }
    await client.recoverWallet({ ...call, body: { mnemonic, password: 'pass phrase' } })
    assert.equal(await statusNow(), 'valid')
  })

  test('an invalid mnemonic is rejected, and the answer does not repeat it', async () => {
    const owner = await newOwner(server, 'misspeller')
    const { mnemonic, id } = await createWallet(owner)
    const recover = (body: { mnemonic: string; language?: string }) =>
      as(owner).recoverWallet({ ...about(owner, { id }), body })
    const wrong = [
      { mnemonic: `${mnemonic} zoo` },
      { mnemonic: mnemonic.replace(/^\S+/, 'millseal') },
      { mnemonic, language: 'portuguese' },
    ]
    for (const body of wrong) {
      await assertRefused(recover(body), 'mnemonic_invalid')
      assert.ok(!JSON.stringify((await refusal(recover(body))).answer).includes(mnemonic.slice(-30)))
    }
    await assertRefused(recover({ mnemonic, language: 'klingon' }), 'language_unsupported')
    await assertRefused(recover({ mnemonic: 'too short' }), 'validation_failed')
    assert.equal((await as(owner).readWallet(about(owner, { id }))).status, 'enabled')
  })
})

test('the wallet of a company in an unknown mode is rejected with 406', async () => {
  const owner = await newOwner(server, 'mode-inventor')
  const ask = async (query: string) => {
    const response = await fetch(`${server.url}/api/companies/${owner.company.id}/wallet${query}`, {
      headers: { authorization: `Bearer ${owner.admin.accessToken}` },
    })
    return [response.status, ((await response.json()) as { message: string }).message]
  }
  const wrong = 'The mode must be test or live: query/mode must be one of: test, live'
  assert.deepEqual(await ask('?mode=production'), [406, wrong])
  assert.deepEqual(await ask('?mode=test&mode=live'), [406, wrong])
  assert.deepEqual(await ask(''), [400, 'The request is not valid: query/mode is required'])
})

test('a wallet and an identity are steps of the onboarding', async () => {
  const owner = await newOwner(server, 'beginner')
  const steps = async () => {
    const { walletCreated, identityCreated } = (await as(owner).readOnboarding()).steps
    return [walletCreated, identityCreated]
  }
  assert.deepEqual(await steps(), [false, false])
  const { id } = await createWallet(owner)
  assert.deepEqual(await steps(), [true, false])
  await createIdentity(owner, id)
  assert.deepEqual(await steps(), [true, true])
})
