import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Company, WalletWithKey } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { executeIn } from '../../../../test/execute-in.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newOwner } from '../../../../test/machines.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsOf } from '../../../../test/traces.ts'

type Side = {
  readonly client: Client
  readonly company: Company
  readonly wallet: WalletWithKey
  readonly about: { readonly company: string; readonly query: { readonly mode: 'test' } }
}

let server: TestServer
let ours: Side
let theirs: Side

const settle = async (username: string): Promise<Side> => {
  const { admin, company } = await newOwner(server, username)
  const client = server.client(admin.accessToken)
  const about = { company: company.id, query: { mode: 'test' } } as const
  return { client, company, about, wallet: await client.createWallet({ ...about, body: {} }) }
}

before(async () => {
  server = await startTestServer()
  ours = await settle('identity-owner')
  theirs = await settle('another-owner')
})
after(() => server[Symbol.asyncDispose]())

const create = ({ client, about, wallet }: Side, account: number, extra: { change?: 0 | 1 } = {}) =>
  client.createIdentity({ ...about, body: { coinType: 822, account, wallet: wallet.id, ...extra } })

describe('identities', () => {
  test('get the indices 0 to 49 and 50 keys if 50 are created at once in one account', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => create(ours, 7)))
    const indices = made.map(({ index }) => index).toSorted((a, b) => a - b)
    assert.deepEqual(indices, [...Array(50).keys()])
    assert.equal(new Set(made.map(({ publicKey }) => publicKey)).size, 50)
  })

  test('have indices of their own in each account and change', async () => {
    assert.equal((await create(ours, 8)).index, 0)
    assert.equal((await create(ours, 9)).index, 0)
    assert.equal((await create(ours, 8, { change: 1 })).index, 0)
    assert.equal((await create(ours, 8)).index, 1)
  })

  test('have a name that only their company sees, set when they are created or later', async () => {
    const { client, about, wallet } = ours
    const body = { coinType: 822, account: 11, wallet: wallet.id, name: ' Plate mill 2 ' }
    const made = await client.createIdentity({ ...about, body })
    assert.equal(made.name, 'Plate mill 2')
    const one = { ...about, params: { id: made.id } }
    const renamed = await client.updateIdentity({ ...one, body: { name: 'Finishing line' } })
    assert.deepEqual(
      [renamed.name, (await client.readIdentity(one)).name],
      ['Finishing line', 'Finishing line'],
    )
    await client.notarizeIdentity({ ...about, params: { identityId: made.id } })
    const seen = await theirs.client.readPublicIdentity({ ...theirs.about, params: { id: made.id } })
    assert.ok(!JSON.stringify(seen).includes('Finishing line'))
    const unnamed = await client.updateIdentity({ ...one, body: { name: null } })
    assert.equal(unnamed.name, undefined)
    const audited = await auditOf(server, ours.company.id)
    const named = audited.find(({ action }) => action === 'identities.update')
    assert.deepEqual(named?.details, { mode: 'test', name: 'Finishing line' })
    for (const name of ['', '  ', 'x'.repeat(65)])
      assert.equal((await refusal(client.updateIdentity({ ...one, body: { name } }))).status, 400, name)
    await assertRefused(
      theirs.client.updateIdentity({ ...theirs.about, params: { id: made.id }, body: { name: 'Ours' } }),
      'not_found',
    )
  })

  test('are found by account and index, 0 included, with the newest last', async () => {
    const first = await create(ours, 0)
    const second = await create(ours, 0)
    const list = (query: object) =>
      ours.client.listIdentities({ ...ours.about, query: { mode: 'test', ...query } })
    assert.deepEqual(
      (await list({ account: 0 })).map(({ id }) => id),
      [first.id, second.id],
    )
    assert.deepEqual(
      (await list({ account: 0, index: 0 })).map(({ id }) => id),
      [first.id],
    )
    assert.deepEqual(await list({ coinType: 100_000_000 }), [])
    assert.deepEqual(await list({ status: 'obsolete' }), [])
    assert.equal((await list({ limit: 3 })).at(-1)?.id, second.id)
  })

  test('are searched by a part of the name or the DID, and the first page says how many there are', async () => {
    const { client, about, wallet } = ours
    const body = { coinType: 822, account: 41, wallet: wallet.id }
    const made = await client.createIdentity({ ...about, body: { ...body, name: 'Plate mill 100 %' } })
    await client.createIdentity({ ...about, body: { ...body, name: 'Plate mill 1000' } })
    const list = async (query: object, side = ours) => {
      let headers = new Headers()
      const found = await side.client.listIdentities({
        ...side.about,
        query: { mode: 'test', ...query },
        onHeaders: (received) => (headers = received),
      })
      const counted = ['x-total-count', 'x-total-count-exact'].map((name) => headers.get(name))
      return { names: found.map(({ name }) => name), counted }
    }
    assert.deepEqual(await list({ text: ' LATE mill 100 ' }), {
      names: ['Plate mill 100 %', 'Plate mill 1000'],
      counted: ['2', 'true'],
    })
    assert.deepEqual((await list({ text: '0 %' })).names, ['Plate mill 100 %'])
    assert.deepEqual((await list({ text: made.did.slice(-12) })).names, ['Plate mill 100 %'])
    assert.deepEqual(await list({ text: 'plate', limit: 1 }), {
      names: ['Plate mill 1000'],
      counted: ['2', 'true'],
    })
    assert.deepEqual((await list({ text: 'plate', status: 'revoked' })).counted, ['0', 'true'])
    assert.deepEqual((await list({ text: 'plate', after: made.id })).counted, [null, null])
    assert.deepEqual((await list({ text: 'plate' }, theirs)).names, [])
  })

  test('are listed in pages without a gap, each with its newest last', async () => {
    for (let made = 0; made < 5; made += 1) await create(ours, 21)
    const whole = await ours.client.listIdentities({ ...ours.about, query: { mode: 'test', account: 21 } })
    const seen: string[] = []
    for (let page = 0; page < 3; page += 1) {
      const [oldest] = seen
      const found = await ours.client.listIdentities({
        ...ours.about,
        query: { mode: 'test', account: 21, limit: 2, after: oldest },
      })
      seen.unshift(...found.map(({ id }) => id))
    }
    assert.deepEqual(
      seen,
      whole.map(({ id }) => id),
    )
  })

  test('cannot have another coin type, a wallet of another company or an invalid account', async () => {
    const { client, about, wallet } = ours
    const body = { coinType: 822, account: 0, wallet: wallet.id }
    for (const coinType of [0, 60, 100_000_000]) {
      const refused = await refusal(client.createIdentity({ ...about, body: { ...body, coinType } }))
      assert.deepEqual([refused.status, refused.answer?.details], [400, ['/coinType must be 822']])
    }
    await assertRefused(
      client.createIdentity({ ...about, body: { ...body, wallet: theirs.wallet.id } }),
      'not_found',
    )
    for (const account of [-1, 0.5, 2 ** 31]) {
      const refused = await refusal(client.createIdentity({ ...about, body: { ...body, account } }))
      assert.ok(
        refused.answer?.details.some((detail) => detail.startsWith('/account')),
        String(account),
      )
    }
  })

  test('belong to only one of two wallets with the same mnemonic', async () => {
    const { client, about, wallet } = theirs
    const known = await create(ours, 33)
    await client.recoverWallet({
      ...about,
      params: { id: wallet.id },
      body: { mnemonic: ours.wallet.mnemonic },
    })
    await assertRefused(create(theirs, 33), 'identity_exists')
    assert.equal((await create(theirs, 34)).index, 0)
    assert.equal(
      (await ours.client.readIdentity({ ...ours.about, params: { id: known.id } })).status,
      'valid',
    )
  })
})

describe('publishing an identity', () => {
  test('happens once, even for many concurrent calls', async () => {
    const { id, publicKey } = await create(ours, 40)
    const call = { ...ours.about, params: { identityId: id } }
    assert.deepEqual(await outcomesOf(Array.from({ length: 20 }, () => ours.client.notarizeIdentity(call))), {
      ok: 20,
    })
    assert.equal(await entriesAbout(publicKey), 1)
    assert.equal(await eventsAbout(id), 2)
  })

  test('is finished by the next call after a crash between ledger and database', async () => {
    const { id, publicKey } = await create(ours, 41)
    const call = { ...ours.about, params: { identityId: id } }
    await executeIn(
      server,
      `create function die() returns trigger language plpgsql as $$ begin
         if new.notarized_at is not null then raise exception 'died'; end if; return new; end $$;
       create trigger die before update on identities for each row execute function die();`,
    )
    assert.equal((await refusal(ours.client.notarizeIdentity(call))).status, 500)
    assert.equal(await entriesAbout(publicKey), 1)
    assert.equal((await ours.client.readIdentity({ ...ours.about, params: { id } })).isPublic, false)
    assert.equal(await eventsAbout(id), 0)
    await executeIn(server, 'drop trigger die on identities; drop function die();')

    // The name is part of the transaction: signing again would produce another transaction.
    await ours.client.updateCompany({
      params: { id: ours.company.id },
      body: { name: 'Renamed Rolling Mill' },
    })
    assert.equal((await ours.client.notarizeIdentity(call)).isPublic, true)
    assert.equal(await entriesAbout(publicKey), 1)
    assert.equal(await eventsAbout(id), 2)
  })

  test('rejects an identity of another company and one that is obsolete', async () => {
    const { id } = await create(ours, 42)
    const { client, about } = theirs
    await assertRefused(client.notarizeIdentity({ ...about, params: { identityId: id } }), 'not_found')
    const own = await create(theirs, 43)
    await client.wipeWallet({ ...about, params: { id: theirs.wallet.id } })
    await assertRefused(
      client.notarizeIdentity({ ...about, params: { identityId: own.id } }),
      'identity_not_usable',
    )
  })
})

const entriesAbout = async (publicKey: string): Promise<number> => {
  const query = { mode: 'test', coinType: 822, query: publicKey } as const
  return (await ours.client.searchLedger({ company: ours.company.id, query })).length
}

/** Events of the publication, without the one of the creation. */
const eventsAbout = async (id: string): Promise<number> =>
  (await eventsOf(server, ours.company.id)).filter(
    ({ topic, payload }) =>
      /identities\/(update|notarize)_one$/.test(topic) && (payload as { id: string }).id === id,
  ).length
