import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CheckCertificate, OrderLine } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { deskOf, openSupplier, type Supplier } from '../../../../test/desk.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let server: TestServer
let supplier: Supplier
before(async () => {
  server = await startTestServer()
  supplier = await openSupplier(server, 'ordering-mill')
})
after(() => server[Symbol.asyncDispose]())

const ordersOf = ({ company, admin }: Owner, token = admin.accessToken) => {
  const client = server.client(token)
  const header = { company: company.id }
  return {
    keep: (...lines: OrderLine[]) => client.keepOrderLines({ ...header, body: { lines } }),
    list: (query: { order?: string; hash?: string; limit?: number; after?: string } = {}) =>
      client.listOrderLines({ ...header, query }),
    read: (id: string) => client.readOrderLine({ ...header, params: { id } }),
    delete: (id: string) => client.deleteOrderLine({ ...header, params: { id } }),
    check: (body: CheckCertificate) => client.checkCertificate({ ...header, body }),
  }
}

const certificate = JSON.stringify(sampleCertificate())
/** What the sample says of its order. */
const ordered: OrderLine = {
  order: 'PO-4711',
  item: '10',
  grade: 'S355J2+N',
  dimensions: '20 x 2000 x 6000',
  quantity: '10',
  unit: 'pcs',
}

describe('the order lines of a company', () => {
  test('are kept, listed, read, replaced, found by hash, and taken out of use', async () => {
    const owner = await newOwner(server, 'purchasing-works')
    const ours = ordersOf(owner)
    const [first = assert.fail(), second] = await ours.keep(ordered, { order: 'PO-4711', item: '20' })
    const { id, hash, inUse, createdAt, ...line } = first
    assert.deepEqual([line, inUse], [ordered, true])
    assert.match(hash, /^[0-9a-f]{64}$/)
    assert.ok(Date.parse(createdAt) > 0)
    assert.deepEqual(await ours.read(id), first)
    assert.deepEqual(
      new Set((await ours.list({ order: 'po-4711' })).map((one) => one.id)),
      new Set([id, second?.id]),
    )
    assert.deepEqual(await ours.list({ order: 'PO-1' }), [])
    const [changed] = await ours.keep({ ...ordered, item: '0010', quantity: '8' })
    assert.notEqual(changed?.hash, hash)
    assert.deepEqual(
      (await ours.list()).map((one) => one.quantity),
      ['8', undefined],
    )
    assert.deepEqual(
      (await ours.list({ hash })).map((one) => [one.id, one.inUse]),
      [[id, false]],
    )
    assert.deepEqual(await ours.delete(changed?.id ?? ''), { id: changed?.id })
    await assertRefused(ours.delete(id), 'not_found')
    assert.deepEqual(
      (await ours.list()).map((one) => one.item),
      ['20'],
    )
    const entries = (await auditOf(server, owner.company.id)).filter(({ action }) =>
      action.startsWith('orders.'),
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['orders.create', 'orders.create', 'orders.delete'],
    )
  })

  test('are all kept or none, and each fault has its place', async () => {
    const ours = ordersOf(await newOwner(server, 'faulty-works'))
    const { status, answer } = await refusal(
      ours.keep(
        ordered,
        { ...ordered, item: '20', dimensions: 'big' },
        { ...ordered, item: '010' },
        {
          ...ordered,
          item: '30',
          unit: 'boxes',
        },
      ),
    )
    assert.equal(status, 400)
    assert.deepEqual(
      answer?.details.map((detail) => detail.split(' ')[0]),
      ['/lines/1/dimensions', '/lines/2', '/lines/3/unit'],
    )
    assert.deepEqual(await ours.list(), [])
  })

  test('are those of no other company, and need scopes that no application had before', async () => {
    const owner = await newOwner(server, 'closed-works')
    const [line = assert.fail()] = await ordersOf(owner).keep(ordered)
    const theirs = ordersOf(await newOwner(server, 'curious-works'))
    await assertRefused(theirs.read(line.id), 'not_found')
    await assertRefused(theirs.delete(line.id), 'not_found')
    assert.deepEqual(await theirs.list({ hash: line.hash }), [])
    const { order } = await theirs.check({ certificate, order: 'PO-4711', item: '10' })
    assert.deepEqual([order?.verdict, order?.hash], ['unknown', undefined])
    const earlier = { requirements: { actions: ['*'] }, inbox: { actions: ['*'] } }
    const older = ordersOf(
      owner,
      await tokenOf(server, await newApplication(server, owner, { scopes: earlier })),
    )
    await assertRefused(older.list(), 'scope_missing')
    await assertRefused(older.keep(ordered), 'scope_missing')
  })
})

describe('a check with an order', () => {
  test('compares the order line, and takes the requirement that it names', async () => {
    const owner = await newOwner(server, 'checking-works')
    const ours = ordersOf(owner)
    await deskOf(server, owner).require('Plate')
    const [line] = await ours.keep({ ...ordered, requirement: 'Plate' })
    const found = await ours.check({ certificate, order: 'PO-4711' })
    assert.deepEqual(
      found.lines.map(({ of, result }) => [of, result]),
      [
        ['C', 'pass'],
        ['order', 'pass'],
        ['item', 'pass'],
        ['grade', 'pass'],
        ['dimensions', 'pass'],
        ['quantity', 'pass'],
      ],
    )
    assert.deepEqual(
      [found.verdict, found.requirement?.name, found.order?.hash],
      ['pass', 'Plate', line?.hash],
    )
    const other = await ours.check({ certificate, order: 'PO-4711', item: '20' })
    assert.deepEqual([other.verdict, other.unchecked], ['unknown', 'noRequirement'])
    await ours.keep({ ...ordered, grade: 'S235JR', requirement: 'Plate' })
    const failed = await ours.check({ certificate, order: 'PO-4711' })
    assert.deepEqual([failed.verdict, failed.order?.verdict], ['fail', 'fail'])
    assert.match(
      failed.lines.find(({ result }) => result === 'fail')?.reason ?? '',
      /^grade S355J2\+N is not/,
    )
  })

  test('never passes without a requirement, and an item needs its order', async () => {
    const ours = ordersOf(await newOwner(server, 'careless-works'))
    await ours.keep(ordered)
    const found = await ours.check({ certificate, order: 'PO-4711' })
    assert.deepEqual(
      [found.verdict, found.order?.verdict, found.unchecked],
      ['unknown', 'pass', 'noRequirement'],
    )
    assert.equal((await ours.check({ certificate })).verdict, 'unknown')
    assert.match(
      (await refusal(ours.check({ certificate, item: '10' }))).answer?.details.join() ?? '',
      /^\/item needs order$/,
    )
  })
})

describe('the desk of a company with order lines', () => {
  const openDesk = async (name: string, line: Partial<OrderLine> = {}) => {
    const owner = await newOwner(server, name)
    const ours = deskOf(server, owner)
    await ours.require('Plate')
    const orders = ordersOf(owner)
    const [kept] = await orders.keep({ ...ordered, ...line, requirement: 'Plate' })
    const fileOne = async () => ours.file((await supplier.notarize(undefined)).text)
    return { owner, ours, orders, kept, fileOne }
  }

  test('compares each certificate with the line that it names, and a decision keeps its hash', async () => {
    const { owner, ours, kept, fileOne } = await openDesk('comparing-works')
    const entry = await fileOne()
    assert.deepEqual(
      [
        entry.advice,
        entry.check?.requirement.name,
        entry.order?.verdict,
        entry.order?.met,
        entry.order?.lines,
      ],
      ['meetsEverything', 'Plate', 'pass', 5, 5],
    )
    const [decided] = await ours.decide({ ids: [entry.id], decision: 'accepted' })
    assert.equal(decided?.decision?.order?.hash, kept?.hash)
    const audited = (await auditOf(server, owner.company.id)).find(({ action }) => action === 'inbox.decide')
    assert.match(JSON.stringify(audited?.details), new RegExp(`"order":"${kept?.hash}"`))
  })

  test('compares what is open again when the line changes; what was decided keeps what it was decided with', async () => {
    const { ours, orders, kept, fileOne } = await openDesk('changing-orders')
    const [decided, open] = [await fileOne(), await fileOne()]
    await ours.decide({ ids: [decided.id], decision: 'accepted' })
    await orders.keep({ ...ordered, grade: 'S235JR', requirement: 'Plate' })
    const changed = await eventually(async () => {
      const entry = await ours.read(open.id)
      return entry.order?.verdict === 'fail' && entry
    })
    assert.equal(changed.advice, 'doNotAccept')
    assert.match(changed.order?.worst?.reason ?? '', /S235JR/)
    const past = await ours.read(decided.id)
    assert.deepEqual([past.order?.hash, past.decision?.order?.hash], [kept?.hash, kept?.hash])
  })

  test('adds up partial deliveries that were accepted, and takes an undone one back', async () => {
    const { ours, fileOne } = await openDesk('partial-works')
    const [first, second, third] = [await fileOne(), await fileOne(), await fileOne()]
    await ours.decide({ ids: [first.id], decision: 'accepted' })
    await ours.decide({ ids: [second.id], decision: 'accepted' })
    const exceeding = await eventually(async () => {
      const entry = await ours.read(third.id)
      return entry.order?.verdict === 'fail' && entry
    })
    assert.equal(
      exceeding.order?.worst?.reason,
      '4, with 8 pcs that was accepted before, is above the ordered 10 pcs',
    )
    await assertRefused(ours.decide({ ids: [third.id], decision: 'accepted' }), 'inbox_not_met')
    await ours.undo(second.id)
    await eventually(async () => (await ours.read(third.id)).order?.verdict === 'pass')
    await ours.decide({ ids: [third.id], decision: 'accepted' })
  })

  test('refuses to accept together what is too much together, also of two clerks at once', async () => {
    const { ours, fileOne } = await openDesk('greedy-works')
    const entries = [await fileOne(), await fileOne(), await fileOne()]
    const ids = entries.map(({ id }) => id)
    assert.deepEqual(
      entries.map(({ advice }) => advice),
      Array.from(ids, () => 'meetsEverything'),
    )
    await assertRefused(ours.decide({ ids, decision: 'accepted' }), 'inbox_not_met')
    const outcomes = await Promise.allSettled(
      ids.map((id) => ours.decide({ ids: [id], decision: 'accepted' })),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'fulfilled', 'rejected'])
  })

  test('is never green about an order that the company does not know', async () => {
    const { ours } = await openDesk('strict-works', { order: 'PO-1' })
    const { id, advice, order } = await ours.file((await supplier.notarize(undefined)).text, {
      against: 'Plate',
    })
    assert.deepEqual([advice, order?.verdict, order?.hash], ['look', 'unknown', undefined])
    assert.match(order?.worst?.reason ?? '', /^order PO-4711 is not among the order lines/)
    await assertRefused(ours.decide({ ids: [id], decision: 'accepted' }), 'inbox_not_met')
  })
})
