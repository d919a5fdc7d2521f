import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { everyScope } from '../../../server/test/machines.ts'
import { connectMqtt, type TestClient } from '../../../server/test/mqtt-client.ts'
import { endedNotarization, newIdentity } from '../../../server/test/signers.ts'
import { linkIn, waitForMails } from '../../../server/test/test-server.ts'
import { freshVatId } from '../../../server/test/vat-ids.ts'

/** Uses an installation through its proxy and its broker, on its own machine, as a mill does. */
const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'https://millseal.example.com' },
    data: { type: 'string', default: '/var/lib/millseal' },
    /** Keeps each certificate, which the next call verifies too. */
    kept: { type: 'string', default: '/root/notarized' },
  },
})
const baseUrl = values.server
const username = `mill-${randomBytes(4).toString('hex')}`
const password = randomBytes(18).toString('base64url')
const mode = { mode: 'test' } as const
const done = (what: string): void => void process.stdout.write(`  ${what}\n`)
const clientOf = (accessToken?: string) => createClient({ baseUrl, accessToken })

const signUp = async (): Promise<string> => {
  const email = `${username}@example.com`
  await clientOf().registerUser({ body: { username, email, password } })
  const [mail = ''] = await waitForMails(join(values.data, 'mails'), {
    address: email,
    atLeast: 1,
    about: /^/,
  })
  const link = linkIn(mail)
  assert.equal(link.origin, baseUrl)
  assert.ok((await fetch(link, { redirect: 'manual' })).status < 400)
  done('registered, with the mailed link')
  return (await clientOf().login({ body: { username, password } })).accessToken
}

const person = clientOf(await signUp())
await mkdir(values.kept, { recursive: true })
const earlier = await readdir(values.kept)
// Each call needs another one.
const vatIds = Array.from({ length: earlier.length + 1 }, () => freshVatId())
const { id: company } = await person.createCompany({
  body: {
    name: 'Followed Mill',
    vatId: vatIds.at(-1) ?? '',
    address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
  },
})
const { clientId, clientSecret } = await person.createApplication({
  company,
  body: { description: 'ERP', ...mode, scopes: everyScope },
})
const { accessToken } = await clientOf().createToken({ body: { clientId, clientSecret } })
const machine = clientOf(accessToken)
done('created a company and an application')

const { username: mqttUser, clientIdPrefix, mqttUrl, wsUrl } = await machine.readBroker({})
const topic = `company/${company}/test/certificates/notarize_one`
await using subscribers = new AsyncDisposableStack()
const connected: TestClient[] = []
for (const [name, url] of [
  ['over TLS', mqttUrl],
  ['through the proxy', wsUrl],
] as const) {
  const given = {
    url,
    username: mqttUser,
    password: accessToken,
    clientId: `${clientIdPrefix}${name.length}`,
  }
  const client = subscribers.use(await connectMqtt(given))
  assert.deepEqual(await client.subscribe(topic), [1])
  connected.push(client)
  done(`subscribed ${name}: ${url}`)
}

const { id: identity } = await newIdentity(machine, company)
const body = JSON.stringify(sampleCertificate({ number: username }))
const document = new Blob([body], { type: 'application/json' })
const { jobId } = await machine.notarizeCertificate({ company, query: { ...mode, identity }, document })
// Before its state is asked for: an impatient client reaches the rate limit.
for (const client of connected)
  await eventually(() => client.received.some(({ payload }) => payload.includes(username)), {
    what: 'the event over MQTT',
  })
const { state, error } = await endedNotarization(machine, { company, jobId })
assert.equal(state, 'notarized', error)
done('notarized a certificate, and received its event on both connections')
await writeFile(join(values.kept, `${username}.json`), body)
for (const name of [...earlier, `${username}.json`]) {
  const text = await readFile(join(values.kept, name), 'utf8')
  const kept = new Blob([text], { type: 'application/json' })
  assert.equal((await clientOf().verifyCertificate({ query: mode, document: kept })).isValid, true, name)
}
done(`verified it without signing in, and ${earlier.length} notarized before`)
