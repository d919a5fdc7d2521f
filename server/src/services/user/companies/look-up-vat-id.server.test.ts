import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { type Person, signUp } from '../../../../test/people.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import {
  answerJson,
  type FakeVies,
  startFakeVies,
  verdict,
} from '../../../adapters/vat-registry/fake-vies.suite.ts'

let vies: FakeVies
let server: TestServer
let person: Person
before(async () => {
  vies = await startFakeVies()
  server = await startOwnServer({ environment: { MILLSEAL_VIES: `${vies.url}/` } })
  person = await signUp(server, 'curious')
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

const lookUp = (vatId: string) => server.client(person.accessToken).validateVatId({ query: { vatId } })
const blank = (vatId: string, country: string) => ({
  name: '',
  vatId,
  address: { country, street: '', city: '', zipCode: '' },
})

test('proposes the data of a registered company, ready to create it', async () => {
  vies.behave((response, question) =>
    answerJson(response, verdict(question, true, { name: 'STAHL  AG', address: 'Ofenweg 1\n4020 Linz' })),
  )
  const vatId = freshVatId()
  const proposal = await lookUp(` ${vatId.toLowerCase()}`)
  assert.deepEqual(proposal, {
    name: 'STAHL AG',
    vatId,
    address: { country: 'AT', street: 'Ofenweg 1', city: 'Linz', zipCode: '4020' },
  })
  const company = await server.client(person.accessToken).createCompany({ body: proposal })
  assert.equal(company.verified, false, 'a registered company is not verified')
})

test('leaves fields blank that the register does not disclose', async () => {
  vies.behave((response, question) => answerJson(response, verdict(question, true)))
  const vatId = freshVatId()
  assert.deepEqual(await lookUp(vatId), blank(vatId, 'AT'))
})

test('rejects a VAT id that is not registered, and names the register', async () => {
  vies.behave((response, question) => answerJson(response, verdict(question, false)))
  const { status, answer } = await refusal(lookUp(freshVatId()))
  assert.equal(status, 400)
  assert.match(answer?.message ?? '', /^The VAT id is not valid/)
  assert.match(answer?.details.join() ?? '', /register/)
})

test('leaves all fields blank if the register fails, and queries it again later', async () => {
  const vatId = freshVatId()
  vies.behave((response) => response.destroy())
  assert.deepEqual(await lookUp(vatId), blank(vatId, 'AT'))
  vies.behave((response, question) => answerJson(response, verdict(question, true, { name: 'BACK AGAIN' })))
  server.clock.advance({ minutes: 1 })
  assert.equal((await lookUp(vatId)).name, 'BACK AGAIN')
})

test('caches answers: a second look-up does not query the register', async () => {
  vies.behave((response, question) => answerJson(response, verdict(question, true)))
  const vatId = freshVatId()
  const asked = vies.questions.length
  await lookUp(vatId)
  await lookUp(vatId)
  assert.equal(vies.questions.length, asked + 1)
})

test('rejects an impossible VAT id, and leaves an unknown country blank, without querying the register', async () => {
  const asked = vies.questions.length
  for (const vatId of ['ATU74488405', 'nonsense', 'AT12', 'XX123456'])
    await assertRefused(lookUp(vatId), 'vat_id_invalid')
  assert.deepEqual(await lookUp('US 123456789'), blank('US123456789', 'US'))
  assert.equal(vies.questions.length, asked)
  await assertRefused(server.client().validateVatId({ query: { vatId: 'ATU74488404' } }), 'unauthenticated')
})
