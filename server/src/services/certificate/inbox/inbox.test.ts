import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { answered, deskOf, openSupplier, type Supplier } from '../../../../test/desk.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let server: TestServer
let supplier: Supplier
before(async () => {
  server = await startTestServer()
  supplier = await openSupplier(server, 'desk-mill')
})
after(() => server[Symbol.asyncDispose]())

const desk = (owner: Owner, seat?: Parameters<typeof deskOf>[2]) => deskOf(server, owner, seat)

describe('a filed certificate', () => {
  test('gets three answers: genuine, valid, and whether it meets the requirement', async () => {
    const owner = await newOwner(server, 'filing-works')
    const ours = desk(owner)
    await ours.require('Plate')
    const { text, hash } = await supplier.notarize(undefined, 'FILED-1')
    const filed = await ours.file(text, { against: 'Plate', fileName: 'plate.json' })
    assert.equal(filed.verdict, 'test')
    assert.equal(filed.verification?.answers?.status, 'yes')
    assert.equal(filed.check?.verdict, 'pass')
    assert.equal(filed.check?.requirement.name, 'Plate')
    assert.equal(filed.advice, 'meetsEverything')
    assert.equal(filed.hash, hash?.value)
    assert.deepEqual(
      [filed.source, filed.state, filed.fileName, filed.summary.identifier, filed.files],
      ['filed', 'new', 'plate.json', 'FILED-1', ['json']],
    )
    assert.equal(Buffer.from(await ours.download(filed.id, 'json')).toString(), text)
    const { lines: _, selfCheck: __, history: ___, verification: ____, ...listed } = filed
    assert.deepEqual(await ours.list(), [listed])
    assert.deepEqual(await ours.read(filed.id), filed)
  })

  test('is one entry however often it is sent, also at once', async () => {
    const owner = await newOwner(server, 'repeating-works')
    const ours = desk(owner)
    const { text } = await supplier.notarize(undefined)
    const filed = await Promise.all(Array.from({ length: 4 }, () => ours.file(text)))
    assert.equal(new Set([...filed, await ours.file(text)].map(({ id }) => id)).size, 1)
    assert.equal((await ours.list()).length, 1)
    const entries = (await auditOf(server, owner.company.id)).filter(({ action }) => action === 'inbox.file')
    assert.equal(entries.length, 1)
  })

  test('says that no requirement applies, and is not advised to be accepted then', async () => {
    const ours = desk(await newOwner(server, 'unrequiring-works'))
    const { text } = await supplier.notarize(undefined)
    const filed = await ours.file(text)
    assert.deepEqual([filed.check, filed.unchecked, filed.advice], [undefined, 'noRequirement', 'look'])
    await assertRefused(ours.decide({ ids: [filed.id], decision: 'accepted' }), 'inbox_not_met')
  })

  test('as a PDF brings the JSON inside, and is changed if the PDF is not the recorded one', async () => {
    const ours = desk(await newOwner(server, 'pdf-works'))
    await ours.require('Plate')
    const { id } = await supplier.notarize(undefined, 'PDF-1')
    const pdf = await supplier.pdfOf(id)
    const filed = await ours.file(pdf, { against: 'Plate' })
    assert.deepEqual([filed.verdict, filed.advice, filed.files], ['test', 'meetsEverything', ['json', 'pdf']])
    assert.deepEqual(await ours.download(filed.id, 'pdf'), pdf)
    const changed = await ours.file(new Uint8Array([...pdf, 0x0a]), { against: 'Plate' })
    assert.deepEqual([changed.verdict, changed.advice], ['altered', 'doNotAccept'])
    const empty = Buffer.from('%PDF-1.7\n%%EOF\n')
    const paper = await ours.file(new Uint8Array(empty))
    assert.deepEqual([paper.unchecked, paper.advice, paper.verdict], ['noData', 'look', 'notFound'])
  })

  test('names the value that misses the limit, and the self-check its findings', async () => {
    const ours = desk(await newOwner(server, 'missing-works'))
    await ours.require('Tight', '0.10')
    const certificate = sampleCertificate()
    Object.assign(certificate.Certificate.Inspection.TensileTest.C11, { Minimum: 380 })
    const filed = await ours.file(JSON.stringify(certificate), { against: 'Tight' })
    assert.equal(filed.verdict, 'notFound')
    assert.equal(filed.advice, 'doNotAccept')
    assert.match(filed.check?.worst?.reason ?? '', /^C 0\.17 % is above the maximum 0\.10 %/)
    assert.equal(filed.findings, 1)
    assert.match(filed.selfCheck[0]?.reason ?? '', /^ReH 377 MPa is below the minimum 380 MPa/)
  })

  test('is refused if it is no certificate, or the requirement does not exist', async () => {
    const ours = desk(await newOwner(server, 'refusing-works'))
    await assertRefused(ours.file('{"a":1}'), 'certificate_invalid')
    await assertRefused(ours.file('{"a":1,"a":2}'), 'malformed_json')
    const { text } = await supplier.notarize(undefined)
    await assertRefused(ours.file(text, { against: 'Nothing' }), 'requirement_invalid')
    assert.deepEqual(await ours.list(), [])
  })

  test('belongs to its company and its mode', async () => {
    const [owner, other] = [await newOwner(server, 'own-desk'), await newOwner(server, 'other-desk')]
    const { text } = await supplier.notarize(undefined)
    const { id } = await desk(owner).file(text)
    const theirs = desk(other)
    await assertRefused(theirs.read(id), 'not_found')
    await assertRefused(theirs.decide({ ids: [id], decision: 'archived' }), 'not_found')
    await assertRefused(theirs.check([id]), 'not_found')
    await assertRefused(theirs.undo(id), 'not_found')
    assert.deepEqual(await theirs.list(), [])
    const live = desk(owner, { mode: 'live' })
    assert.deepEqual(await live.list(), [])
    assert.equal((await live.file(text)).advice, 'doNotAccept', 'a test certificate among live ones')
  })
})

describe('what was notarized for a company', () => {
  test('is in the same list without being filed, once an operator has reviewed the company', async () => {
    const buyer = await newOwner(server, 'named-buyer')
    const { id, text } = await supplier.notarize(buyer, 'NAMED-1')
    assert.deepEqual(await desk(buyer).list(), [])
    assert.equal((await desk(buyer).counts()).toDecide, 0)
    await supplier.review(buyer)
    const entry = await answered(server, buyer, id)
    assert.deepEqual(
      [entry.source, entry.summary.identifier, entry.verdict, entry.unchecked],
      ['notarized', 'NAMED-1', 'test', 'noRequirement'],
    )
    assert.deepEqual(entry.files, ['json', 'pdf'])
    assert.equal((await desk(buyer).file(text)).id, entry.id, 'its JSON is the same entry')
    assert.equal((await desk(buyer).file(await supplier.pdfOf(id))).id, entry.id, 'so is its PDF')
  })

  test('is what a file of the same number and supplier is compared with: it is changed', async () => {
    const buyer = await supplier.newReceiver('comparing-buyer')
    const { id, text } = await supplier.notarize(buyer, 'COMPARED-1')
    const entry = await answered(server, buyer, id)
    const changed = await desk(buyer).file(text.replace('"Value":377', '"Value":397'))
    assert.deepEqual([changed.verdict, changed.advice], ['altered', 'doNotAccept'])
    assert.deepEqual(changed.changed, {
      original: entry.id,
      values: [{ of: 'ReH', heat: '175508-1', original: '377 MPa', here: '397 MPa' }],
    })
    const stranger = await desk(await newOwner(server, 'comparing-stranger')).file(
      text.replace('"Value":377', '"Value":397'),
    )
    assert.deepEqual([stranger.verdict, stranger.changed], ['notFound', undefined])
  })
})

describe('the list', () => {
  test('is filtered by state, advice, supplier, number, heat and words, and has pages', async () => {
    const ours = desk(await newOwner(server, 'listing-works'))
    await ours.require('Plate')
    const [first, second] = [
      await ours.file((await supplier.notarize(undefined, 'LIST-1')).text, { against: 'Plate' }),
      await ours.file((await supplier.notarize(undefined, 'LIST-2')).text),
    ]
    const ids = async (query: object) => (await ours.list(query)).map(({ id }) => id)
    assert.deepEqual(await ids({}), [second.id, first.id])
    assert.deepEqual(await ids({ limit: 1, after: second.id }), [first.id])
    assert.deepEqual(await ids({ number: 'list-1' }), [first.id])
    assert.deepEqual(await ids({ advice: 'meetsEverything' }), [first.id])
    assert.deepEqual(await ids({ advice: 'look' }), [second.id])
    assert.deepEqual(await ids({ supplier: 'ROLLING MILL', heat: '175508' }), [second.id, first.id])
    assert.deepEqual(await ids({ supplier: 'Another' }), [])
    assert.deepEqual(await ids({ text: 'list-2 rolling' }), [second.id])
    assert.deepEqual(await ours.counts(), {
      toDecide: 2,
      doNotAccept: 0,
      look: 1,
      meetsEverything: 1,
      alarms: 0,
    })
    await ours.decide({ ids: [first.id], decision: 'accepted' })
    assert.deepEqual(await ids({ state: 'accepted' }), [first.id])
    assert.deepEqual(await ids({ advice: 'meetsEverything' }), [])
  })
})
