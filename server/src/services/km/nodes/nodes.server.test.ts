import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { LedgerNode } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

const mode = { query: { mode: 'test' } } as const

let server: TestServer
let operator: Client
let owner: Owner
let machine: Client

before(async () => {
  server = await startOwnServer()
  operator = server.client((await signUpOperator(server)).accessToken)
  owner = await newOwner(server, 'node-reader')
  const scopes = {
    nodes: { actions: ['read_one', 'read_many'] },
    cointypes: { actions: ['read_one', 'read_many'] },
  }
  machine = server.client(await tokenOf(server, await newApplication(server, owner, { scopes })))
})
after(() => server[Symbol.asyncDispose]())

/** A port on which no process listens. */
const closedPort = async (): Promise<number> => {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : assert.fail('not listening')
}

const add = (connectionUrl: string, name = 'A network') =>
  operator.createNode({ ...mode, body: { name, coinType: 822, connectionUrl } })

const activeOf = async (): Promise<LedgerNode | undefined> =>
  (await operator.listNodes(mode)).find(({ status }) => status === 'active')

describe('coin types', () => {
  test('are numbers; 822 exists from the start', async () => {
    assert.deepEqual(await machine.listCoinTypes(), [822])
    const { bip44Id, status } = await machine.readCoinType({ params: { coinType: 822 } })
    assert.deepEqual([bip44Id, status], [822, 'active'])
    await assertRefused(machine.readCoinType({ params: { coinType: 60 } }), 'not_found')
  })

  test('are managed by operators, who cannot add another or delete one that nodes use', async () => {
    const person = server.client(owner.admin.accessToken)
    await assertRefused(person.toggleCoinType({ params: { coinType: 822 } }), 'role_missing')
    await assertRefused(machine.toggleCoinType({ params: { coinType: 822 } }), 'person_required')
    await assertRefused(operator.createCoinType({ body: { bip44Id: 60 } }), 'coin_type_unsupported')
    await assertRefused(operator.createCoinType({ body: { bip44Id: 822 } }), 'coin_type_exists')
    await assertRefused(operator.deleteCoinType({ params: { coinType: 822 } }), 'coin_type_in_use')
    await assertRefused(operator.toggleCoinType({ params: { coinType: 60 } }), 'coin_type_unacceptable')
    await assertRefused(operator.toggleCoinType({ params: { coinType: 100_000_000 } }), 'not_found')
  })

  test('prevent new identities while they are inactive', async () => {
    const client = server.client(owner.admin.accessToken)
    const about = { company: owner.company.id, ...mode }
    const wallet = await client.createWallet({ ...about, body: {} })
    const create = () =>
      client.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet: wallet.id } })
    assert.equal((await operator.toggleCoinType({ params: { coinType: 822 } })).status, 'inactive')
    assert.deepEqual(await machine.listCoinTypes(), [])
    await assertRefused(create(), 'coin_type_unsupported')
    assert.equal((await operator.toggleCoinType({ params: { coinType: 822 } })).status, 'active')
    assert.equal((await create()).index, 0)
  })
})

describe('ledger nodes', () => {
  test('contain the healthy embedded ledger of each mode from the start', async () => {
    const [node, ...others] = await machine.listNodes(mode)
    assert.deepEqual([node?.connectionUrl, node?.status, others], ['embedded', 'active', []])
    const read = await machine.readNode({ ...mode, params: { id: node?.id ?? '' } })
    assert.equal(read.health?.reachable, true)
    await assertRefused(machine.listNodes({ query: { mode: 'live' } }), 'mode_mismatch')
    const [live] = await operator.listNodes({ query: { mode: 'live' } })
    await assertRefused(machine.readNode({ ...mode, params: { id: live?.id ?? '' } }), 'not_found')
  })

  test('start inactive, and exactly one is active after another is switched on', async () => {
    const present = await activeOf()
    const added = await add(`http://127.0.0.1:${await closedPort()}/`)
    assert.equal(added.status, 'inactive')
    assert.ok(!added.connectionUrl.endsWith('/'))
    assert.equal((await activeOf())?.id, present?.id)
    const params = { id: added.id }
    const switched = await operator.updateNode({ ...mode, params, body: { status: 'active' } })
    assert.equal(switched.status, 'active')
    assert.equal((await operator.listNodes(mode)).filter(({ status }) => status === 'active').length, 1)
    await operator.updateNode({ ...mode, params: { id: present?.id ?? '' }, body: { status: 'active' } })
    assert.equal((await activeOf())?.id, present?.id)
    assert.equal(await operator.deleteNode({ ...mode, params }), added.id)
    await assertRefused(operator.readNode({ ...mode, params }), 'not_found')
  })

  test('that do not answer are reported as unreachable, and calls that need them are answered 503', async () => {
    const embedded = await activeOf()
    const away = await add(`http://127.0.0.1:${await closedPort()}`)
    const params = { id: away.id }
    const { health } = await operator.readNode({ ...mode, params })
    assert.equal(health?.reachable, false)
    assert.notEqual(health.error ?? '', '')
    await operator.updateNode({ ...mode, params, body: { status: 'active' } })
    const search = server.client(owner.admin.accessToken).searchLedger({
      company: owner.company.id,
      query: { mode: 'test', coinType: 822, query: 'anything' },
    })
    await assertRefused(search, 'unavailable')
    await operator.updateNode({ ...mode, params, body: { status: 'inactive' } })
    const without = await refusal(
      server.client(owner.admin.accessToken).searchLedger({
        company: owner.company.id,
        query: { mode: 'test', coinType: 822, query: 'anything' },
      }),
    )
    assert.deepEqual(without.answer?.details, ['No ledger node is active in test mode'])
    await operator.updateNode({ ...mode, params: { id: embedded?.id ?? '' }, body: { status: 'active' } })
    await operator.deleteNode({ ...mode, params })
  })

  test('need a valid address, and an id that matches the path', async () => {
    for (const connectionUrl of [
      'Embedded',
      'ftp://ledger.example.com',
      'ledger.example.com',
      'https://user:secret@ledger.example.com',
      'https://ledger.example.com/?key=secret',
      'http://',
    ]) {
      const { status, answer } = await refusal(add(connectionUrl))
      assert.equal(status, 400, connectionUrl)
      assert.match(answer?.details.join() ?? '', /^\/connectionUrl must /, connectionUrl)
    }
    const node = await add('https://ledger.example.com/bigchaindb')
    const params = { id: node.id }
    const otherId = '0198c0de-0000-7000-8000-00000000ffff'
    await assertRefused(operator.updateNode({ ...mode, params, body: { id: otherId } }), 'id_mismatch')
    const renamed = await operator.updateNode({ ...mode, params, body: { id: node.id, name: 'Renamed' } })
    assert.deepEqual([renamed.name, renamed.connectionUrl], ['Renamed', node.connectionUrl])
    await assertRefused(
      operator.createNode({ ...mode, body: { name: 'Other coin', coinType: 60, connectionUrl: 'embedded' } }),
      'coin_type_unsupported',
    )
    const live = { query: { mode: 'live' } } as const
    await assertRefused(operator.updateNode({ ...live, params, body: { name: 'Renamed' } }), 'not_found')
    await operator.deleteNode({ ...mode, params })
  })
})
