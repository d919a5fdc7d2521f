import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { machineScopes } from '@millseal/contract'
import { createClient } from '@millseal/sdk'
import { millseal, running, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'
import { demoCertificate } from './demo/certificate.ts'
import { findMailedLink } from './demo/mailed-link.ts'
import { inventVatId } from './demo/vat-id.ts'

const mode = { mode: 'test' } as const
const password = 'correct horse battery'
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

const newMachine = async (baseUrl: string, dataDir: string) => {
  const nobody = createClient({ baseUrl })
  const email = 'quality@example.com'
  await nobody.registerUser({ body: { username: 'quality', email, password } })
  await fetch(await findMailedLink(dataDir, email), { redirect: 'manual' })
  const { accessToken } = await nobody.login({ body: { username: 'quality', password } })
  const person = createClient({ baseUrl, accessToken })
  const company = (
    await person.createCompany({ body: { name: 'Rolling Mill', vatId: inventVatId(), address } })
  ).id
  const about = { company, query: mode }
  const wallet = await person.createWallet({ ...about, body: {} })
  const identity = await person.createIdentity({
    ...about,
    body: { coinType: 822, account: 0, wallet: wallet.id },
  })
  const scopes = { certificates: { actions: [...(machineScopes.certificates ?? [])] } }
  const application = await person.createApplication({
    company,
    body: { description: 'ERP', mode: 'test', scopes },
  })
  return { ...application, identity: identity.id }
}

test('a machine gets a token, notarizes once however often it is asked, and hears of it as it happens', async () => {
  await using folders = new AsyncDisposableStack()
  const folder = folders.use(await temporaryFolder()).path
  await using server = await serve(join(folder, 'data'))
  const { clientId, clientSecret, identity } = await newMachine(server.url, join(folder, 'data'))
  const environment = { MILLSEAL_SERVER: server.url, MILLSEAL_CLIENT_ID: clientId }
  const armed = { ...environment, MILLSEAL_CLIENT_SECRET: clientSecret }

  const token = await millseal(['token'], { environment, input: `${clientSecret}\n` })
  assert.equal(token.status, 0, token.stderr)
  assert.match(token.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  const carried = { MILLSEAL_SERVER: server.url, MILLSEAL_TOKEN: token.stdout.trim() }
  const wrong = await millseal(['token'], { environment, input: 'mss_wrong\n' })
  assert.equal(wrong.status, 1)
  assert.match(wrong.stderr, /^millseal: [^\n]*credentials[^\n]*\n$/i)
  assert.equal((await millseal(['token'], { environment })).status, 2, 'no secret at all')

  const file = join(folder, 'certificate.json')
  const certificate = demoCertificate({
    number: 'MC-1',
    issuedOn: '2026-11-20',
    mill: 'Rolling Mill',
    millEmail: 'mill@example.com',
    receiverEmail: 'goods-in@example.com',
  })
  await writeFile(file, JSON.stringify(certificate))
  const shown = await millseal(['listen', '--connection'], { environment: armed })
  assert.match(
    shown.stdout,
    /^address +mqtts?:\/\/\S+\n[^]*^username +[^:\s]+:[0-9a-f-]{36}\n[^]*^topic +company\//m,
  )
  await using listening = running(['listen', '--json'], { environment: armed })
  await listening.until(/Listening to /)
  const args = ['notarize', file, '--identity', identity, '--mode', 'test', '--wait', '--json']
  const done = await millseal(args, { environment: armed })
  assert.equal(done.status, 0, done.stderr)
  const { state, transactionId } = JSON.parse(done.stdout) as { state: string; transactionId: string }
  assert.equal(state, 'notarized')
  const [line] = await listening.until(/^.*notarize_one.*$/m)
  const heard = JSON.parse(line) as { resource: string; action: string; payload: unknown }
  assert.deepEqual(
    [heard.resource, heard.action, heard.payload],
    ['certificates', 'notarize_one', certificate],
  )

  const again = await millseal(args, { environment: carried })
  const answer = JSON.parse(again.stdout) as { isNewInstance: boolean; transactionId: string }
  assert.deepEqual([answer.isNewInstance, answer.transactionId], [false, transactionId])
  await writeFile(file, JSON.stringify({ ...certificate, Certificate: {} }))
  const refused = await millseal(args, { environment: carried })
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /^millseal: [^\n]+\n$/)

  const pack = join(folder, 'pack')
  const valves = 'valve-schemas/v1.0.0'
  await mkdir(join(pack, valves), { recursive: true })
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = { $schema, $id: `https://example.org/${valves}/schema.json`, type: 'object' }
  await writeFile(join(pack, valves, 'schema.json'), JSON.stringify(schema))
  const settings = settingsIn(join(folder, 'data'))
  const refusedPack = await millseal(['schemas', 'add', folder], { environment: settings })
  assert.equal(refusedPack.status, 1)
  assert.match(refusedPack.stderr, /^millseal: The pack was rejected: [^\n]+\n$/)
  const added = await millseal(['schemas', 'add', pack, '--json'], { environment: settings })
  assert.equal(added.status, 0, added.stderr)
  const list = await millseal(['schemas', 'list', '--json'], { environment: settings })
  const packs = JSON.parse(list.stdout) as { name: string }[]
  assert.deepEqual(
    packs.map(({ name }) => name),
    [(JSON.parse(added.stdout) as { name: string }).name],
  )
  const doctor = await millseal(['doctor'], { environment: settings })
  assert.equal(doctor.status, 0, doctor.stdout)
  assert.match(doctor.stdout, /✓ ledger +test: 1 entries verified/)
})
