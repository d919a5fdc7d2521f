import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits, type operations } from '@millseal/contract'
import { summarize, readCertificate } from '@millseal/families'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { eraseBodies, insertCertificates, type NewCertificate } from '../certificates/certificates.store.ts'
import { wordsOf } from '../certificates/search-words.ts'

const dayMs = 86_400_000

let server: TestServer
let process: CertificateProcess
let mill: Owner
before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
  mill = await newOwner(server, 'search-mill')
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Stored = {
  readonly number: string
  readonly owner?: Owner
  readonly createdAt?: Date
  readonly changes?: object
  readonly row?: Partial<NewCertificate>
}

let stored = 0

/** A finished or failed certificate, so that no worker takes it. */
const store = async ({
  number,
  owner = mill,
  createdAt,
  changes = {},
  row = {},
}: Stored): Promise<string> => {
  stored += 1
  const sample = sampleCertificate({ number })
  const CommercialTransaction = { ...sample.Certificate.CommercialTransaction, ...changes }
  const body = Buffer.from(
    JSON.stringify({ ...sample, Certificate: { ...sample.Certificate, CommercialTransaction } }),
  )
  const certificate = readCertificate(body)
  const at = createdAt ?? new Date(server.clock.now() + stored)
  const id = uuidv7(at.getTime())
  await insertCertificates(process.deps.database.query, [
    {
      row: {
        id,
        companyId: owner.company.id,
        identityId: id,
        mode: 'test',
        state: 'notarized',
        refSchemaUrl: certificate.refSchemaUrl,
        family: 'en10168',
        hash: certificate.hash,
        summary: JSON.stringify(summarize(certificate)),
        body,
        transactionId: 'ab'.repeat(32),
        recordedAt: at,
        retainedUntil: new Date(at.getTime() + limits.certificateRetentionDays * dayMs),
        createdAt: at,
        updatedAt: at,
        ...row,
      },
      words: wordsOf(certificate),
    },
  ])
  return id
}

type Query = Partial<
  Record<'mode' | keyof (typeof operations.listCertificates.query)['properties'], string>
> & {
  readonly limit?: string
  readonly after?: string
}

const ask = async (query: Query, owner: Owner = mill) => {
  const parameters = new URLSearchParams({ mode: 'test', ...query })
  return await fetch(`${server.url}/api/certificates?${parameters}`, {
    headers: { authorization: `Bearer ${owner.admin.accessToken}`, company: owner.company.id },
  })
}

const list = async (query: Query, owner: Owner = mill): Promise<string[]> => {
  const response = await ask(query, owner)
  const answer = (await response.json()) as { id: string }[]
  assert.equal(response.status, 200, JSON.stringify(answer))
  return answer.map(({ id }) => id)
}

describe('searching certificates by text', () => {
  test('finds words and parts of words in any order, without case and accents, in every field of the list', async () => {
    const id = await store({
      number: 'ÜB-2026/0815',
      changes: { A07: 'PO-98765', A98: 'DN-4321', A06: { Name: 'Grobblech Händler Łódź', Country: 'PL' } },
    })
    for (const text of [
      'ÜB-2026/0815',
      'ub20260815',
      '0815 ub',
      'PO-98765',
      '987',
      'po98765',
      'dn-4321',
      'handler GROBBLECH',
      'blech',
      'lodz',
      'LÓDŹ rolling',
      '175508',
      '175508-1',
      'Hot plate rolled',
      'ub',
      'u',
    ])
      assert.deepEqual(await list({ text: `${text} 0815` }), [id], text)
    for (const text of ['0815 nothing', '8150', 'lechh'])
      assert.deepEqual(await list({ text: `${text} 98765` }), [], text)
    // Words of one or two letters are found at the beginning of words only.
    assert.deepEqual(await list({ text: '0815 le' }), [])
  })

  test('finds nothing of another company or mode', async () => {
    const other = await newOwner(server, 'other-search-mill')
    const id = await store({ number: 'ZX-77001', owner: other })
    const live = await store({ number: 'ZX-77002', row: { mode: 'live' } })
    assert.deepEqual(await list({ text: 'ZX' }, other), [id])
    assert.deepEqual(await list({ text: 'ZX' }), [])
    assert.deepEqual(await list({ text: 'ZX', mode: 'live' }), [live])
  })

  test('narrows by the other filters, and pages by cursor while new ones arrive', async () => {
    const failed = { state: 'failed', transactionId: null, recordedAt: null } as const
    const ids: string[] = []
    for (const number of ['PG-1', 'PG-2', 'PG-3', 'PG-4'])
      ids.unshift(await store({ number, row: number === 'PG-2' ? failed : {} }))
    assert.deepEqual(await list({ text: 'pg' }), ids)
    assert.deepEqual(await list({ text: 'pg', state: 'failed' }), [ids[2]])
    const first = await list({ text: 'pg', limit: '2' })
    assert.deepEqual(first, ids.slice(0, 2))
    await store({ number: 'PG-5' })
    assert.deepEqual(await list({ text: 'pg', limit: '2', after: first[1] ?? '' }), ids.slice(2))
  })

  test('finds a certificate until its body is erased, then by everything but its text', async () => {
    const id = await store({ number: 'ER-5150', createdAt: new Date(server.clock.now() - 60 * dayMs) })
    assert.deepEqual(await list({ text: 'ER-5150' }), [id])
    const { database } = process.deps
    await eraseBodies(database.query, new Date(server.clock.now()))
    assert.deepEqual(await list({ text: 'ER-5150' }), [])
    assert.deepEqual(await list({ identity: id, state: 'notarized', family: 'en10168' }), [id])
    const left = await database.query
      .selectFrom('certificateTexts')
      .select('words')
      .where('certificateId', '=', id)
      .execute()
    assert.deepEqual(left, [])
  })

  test('rejects a text without letters and digits, naming the field', async () => {
    const response = await ask({ text: ' -/ ' })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /query\/text/)
    assert.equal((await ask({ text: 'x'.repeat(201) })).status, 400)
  })
})

describe('filtering certificates', () => {
  test('finds either hash by its first characters, in any case', async () => {
    const id = await store({ number: 'HA-1', row: { hash: `abcdef01${'2'.repeat(56)}` } })
    const pdf = await store({ number: 'HA-2', row: { pdfHash: `abcdef01${'3'.repeat(56)}` } })
    assert.deepEqual(await list({ hash: 'ABCDEF01' }), [pdf, id])
    assert.deepEqual(await list({ hash: 'abcdef012' }), [id])
    assert.deepEqual(await list({ hash: `abcdef01${'3'.repeat(56)}` }), [pdf])
    assert.deepEqual(await list({ hash: 'abcdef01', text: 'HA1' }), [id])
    assert.equal((await ask({ hash: 'abcdef0' })).status, 400)
  })

  test('finds periods of creation and of notarization, which end before their last moment', async () => {
    const at = (day: number) => new Date(Date.UTC(2020, 0, day))
    const period = (from: number, to: number) => ({ from: at(from).toISOString(), to: at(to).toISOString() })
    const ids = [
      await store({ number: 'DA-1', createdAt: at(1), row: { recordedAt: at(9) } }),
      await store({ number: 'DA-2', createdAt: at(2), row: { recordedAt: at(5) } }),
      await store({ number: 'DA-3', createdAt: at(3), row: { recordedAt: at(4) } }),
    ]
    const [one, two, three] = ids
    const created = period(1, 3)
    assert.deepEqual(await list({ createdFrom: created.from, createdTo: created.to }), [two, one])
    const notarized = period(4, 10)
    const range = { notarizedFrom: notarized.from, notarizedTo: notarized.to }
    assert.deepEqual(await list(range), [one, two, three], 'the order is that of notarization')
    assert.deepEqual(await list({ ...range, limit: '2', after: one ?? '' }), [two, three])
    assert.deepEqual(await list({ ...range, notarizedTo: at(9).toISOString() }), [two, three])
    assert.deepEqual(await list({ ...range, createdTo: at(3).toISOString(), text: 'da' }), [two, one])
    for (const field of ['createdFrom', 'notarizedTo'] as const)
      for (const time of ['yesterday', '2016-12-31T23:59:60Z']) {
        const refused = await ask({ [field]: time })
        assert.equal(refused.status, 400)
        assert.match(await refused.text(), new RegExp(field))
      }
    assert.deepEqual(await list({ createdTo: '0000-01-01T00:00:00Z' }), [])
    assert.deepEqual(await list({ notarizedFrom: '9999-12-31T00:00:00Z' }), [])
  })

  test('sorts by number as people count, by customer and by date, in pages by cursor', async () => {
    const sorted = await newOwner(server, 'sorting-mill')
    const ids: Record<string, string> = {}
    const customers = { 'SO-10': 'Älpen Stahl', 'so-9': 'Zug Werke', 'SO-110': 'alpen bau', 'SÖ-1': 'Beta' }
    for (const [number, customer] of Object.entries(customers)) {
      const row = { summary: JSON.stringify({ identifier: number, buyerName: customer }) }
      ids[number] = await store({ number, owner: sorted, row })
    }
    const old = new Date(server.clock.now() - 60 * dayMs)
    ids['erased'] = await store({ number: 'SO-2', owner: sorted, createdAt: old })
    await eraseBodies(process.deps.database.query, new Date(server.clock.now()))
    const of = (...numbers: readonly string[]) => numbers.map((number) => ids[number])
    const pages = async (query: Query) => {
      const found: string[] = []
      for (let page = ['']; page.length > 0; ) {
        const last = found.at(-1)
        page = [...(await list({ ...query, limit: '2', ...(last !== undefined && { after: last }) }, sorted))]
        found.push(...page)
      }
      return found
    }
    const byNumber = of('SÖ-1', 'so-9', 'SO-10', 'SO-110', 'erased')
    assert.deepEqual(await pages({ sort: 'number' }), byNumber)
    assert.deepEqual(await pages({ sort: 'number', order: 'desc' }), byNumber.toReversed())
    assert.deepEqual(await pages({ sort: 'party' }), of('SO-110', 'SO-10', 'SÖ-1', 'so-9', 'erased'))
    assert.deepEqual(await pages({ order: 'asc' }), of('erased', 'SO-10', 'so-9', 'SO-110', 'SÖ-1'))
    assert.deepEqual(await pages({ sort: 'number', text: 'so', state: 'notarized' }), byNumber.slice(0, 4))
    assert.equal((await ask({ sort: 'price' }, sorted)).status, 400)
    const first = await ask({ sort: 'number', limit: '2' }, sorted)
    assert.equal(first.headers.get('x-total-count'), '5')
    assert.match(first.headers.get('link') ?? '', /sort=number/)
  })

  test('says how many there are, exactly up to a thousand', async () => {
    const counted = await newOwner(server, 'counted-mill')
    for (let at = 0; at < 3; at += 1) await store({ number: `CO-${at}`, owner: counted })
    const page = await ask({ limit: '2', text: 'co' }, counted)
    assert.equal(page.headers.get('x-total-count'), '3')
    assert.equal(page.headers.get('x-total-count-exact'), 'true')
    assert.match(page.headers.get('link') ?? '', /text=co.*after=|after=.*text=co/)
    const [, second = ''] = await list({ limit: '2' }, counted)
    assert.equal((await ask({ after: second }, counted)).headers.get('x-total-count'), null)
  })
})
