import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@millseal/sdk'
import { millseal, serve, temporaryFolder } from '../test/millseal.ts'
import { demoCertificate } from './demo/certificate.ts'
import { findMailedLink } from './demo/mailed-link.ts'
import { inventVatId } from './demo/vat-id.ts'

const mode = { mode: 'test' } as const
const password = 'correct horse battery'
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder[Symbol.asyncDispose]())

const pathOf = (name: string): string => join(folder.path, name)

/** A company with an identity that names this recovery key, and an application. */
const openMill = async (baseUrl: string, recoveryDid: string) => {
  const anonymous = createClient({ baseUrl })
  const email = 'quality@example.com'
  await anonymous.registerUser({ body: { username: 'quality', email, password } })
  await fetch(await findMailedLink(pathOf('data'), email), { redirect: 'manual' })
  const { accessToken } = await anonymous.login({ body: { username: 'quality', password } })
  const person = createClient({ baseUrl, accessToken })
  const body = { name: 'Rolling Mill', vatId: inventVatId(), address }
  const company = (await person.createCompany({ body })).id
  const about = { company, query: mode }
  const { id: wallet } = await person.createWallet({ ...about, body: {} })
  const identity = await person.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet } })
  await person.notarizeIdentity({ ...about, params: { identityId: identity.id }, body: { recoveryDid } })
  const scopes = {
    certificates: { actions: ['notarize_one', 'read_one'] },
    transactions: { actions: ['send'] },
  }
  const { clientId, clientSecret } = await person.createApplication({
    company,
    body: { description: 'ERP', mode: 'test', scopes },
  })
  const token = await anonymous.createToken({ body: { clientId, clientSecret } })
  return {
    person,
    about,
    identity,
    environment: { MILLSEAL_SERVER: baseUrl, MILLSEAL_TOKEN: token.accessToken },
  }
}

describe('a recovery key', () => {
  test('is written for its owner only, and never over a file', async () => {
    const file = pathOf('new.pem')
    const created = await millseal(['recovery-key', 'create', file], { offline: true })
    assert.match(created.stdout, /^did:key:z6Mk\w+\n$/, created.stderr)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const again = await millseal(['recovery-key', 'create', file], { offline: true })
    assert.equal(again.status, 1)
    assert.match(again.stderr, /new\.pem exists already/)
  })

  test('signs only what a log accepts, and is not replaced by another file', async () => {
    const key = pathOf('signs.pem')
    const { stdout } = await millseal(['recovery-key', 'create', key])
    const did = stdout.trim()
    const sign = (of: string, ...more: string[]) =>
      millseal(['recovery-key', 'sign', of, '--reason', 'Lost', ...more], { offline: true })
    for (const [wrong, reason] of [
      [await sign('did:web:mill.example', '--key', key), /did is missing or malformed/],
      [
        await sign(did, '--key', key, '--since', '2999-01-01T00:00:00.000Z'),
        /--since must be a time that has passed/,
      ],
      [await sign(did, '--key', key, '--since', 'Tuesday'), /--since/],
    ] as const) {
      assert.equal(wrong.status, 2)
      assert.match(wrong.stderr, reason)
    }
    const note = pathOf('note.txt')
    await writeFile(note, 'not a key')
    assert.match((await sign(did, '--key', note)).stderr, /note\.txt is not an Ed25519 private key in PEM/)
    const sent = await millseal(['recovery-key', 'send', note, '--mode', 'test'])
    assert.equal(sent.status, 1)
    assert.match(sent.stderr, /note\.txt is not a signed revocation/)
  })

  test('revokes a stolen key: signed offline, recorded, and named by every verification', async () => {
    const key = pathOf('mill.pem')
    const recoveryDid = (await millseal(['recovery-key', 'create', key])).stdout.trim()
    await using server = await serve(pathOf('data'))
    const { person, about, identity, environment } = await openMill(server.url, recoveryDid)
    const notarize = async (number: string): Promise<string> => {
      const file = pathOf(`${number}.json`)
      const names = { mill: 'Rolling Mill', millEmail: 'mill@example.com', receiverEmail: 'in@example.com' }
      await writeFile(file, JSON.stringify(demoCertificate({ number, issuedOn: '2026-11-20', ...names })))
      const args = ['notarize', file, '--identity', identity.id, '--mode', 'test', '--wait']
      const { status, stderr } = await millseal(args, { environment })
      assert.equal(status, 0, stderr)
      return file
    }
    const earlier = await notarize('MC-1')
    const since = new Date().toISOString()
    const later = await notarize('MC-2')

    const args = ['recovery-key', 'sign', identity.did, '--key', key, '--since', since, '--reason', 'Stolen']
    const signed = await millseal(args, { offline: true })
    assert.equal(signed.status, 0, signed.stderr)
    const revocation = pathOf('revocation.json')
    await writeFile(revocation, signed.stdout)
    const sent = await millseal(['recovery-key', 'send', revocation, '--mode', 'test'], { environment })
    assert.equal(sent.status, 0, sent.stderr)
    assert.match(
      sent.stdout,
      new RegExp(`^The revocation of ${identity.did}, signed by ${recoveryDid}, is recorded`),
    )

    const verify = (file: string, ...more: string[]) =>
      millseal(['verify', file, '--mode', 'test', ...more], { environment })
    const [bundle, policy] = [pathOf('bundle.json'), pathOf('policy.json')]
    const online = await verify(later, '--save-bundle', bundle, '--save-policy', policy)
    assert.equal(online.status, 4, online.stderr)
    assert.match(online.stdout, /REVOKED KEY[^]*recovery key of its issuer/)
    const offline = await millseal(['verify', later, '--bundle', bundle, '--policy', policy], {
      offline: true,
    })
    assert.equal(offline.status, 4, offline.stderr)
    assert.match(offline.stdout, /REVOKED KEY[^]*recovery key of its issuer/)
    assert.equal((await verify(earlier)).status, 3, 'the issuer was never reviewed')
    const answer = await person.verifyCertificate({
      query: mode,
      document: new Blob([await readFile(later)], { type: 'application/json' }),
    })
    assert.deepEqual(
      answer.corrections?.map(({ kind, by }) => [kind, by]),
      [['revoked', 'recovery']],
    )
    const readIdentity = () => person.readIdentity({ ...about, params: { id: identity.id } })
    while ((await readIdentity()).status !== 'revoked') await pause(50)
    assert.equal((await readIdentity()).revokedSince, since)
  })
})
