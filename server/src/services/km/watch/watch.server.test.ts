import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { decodeBase58, didOf, type SignedTransaction } from '@millseal/proof'
import { eventually } from '../../../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

type Item = {
  readonly kind: string
  readonly transactionId: string
  readonly index: number
  readonly time: string
  readonly signer: string
  readonly asset: Readonly<Record<string, unknown>>
}

let server: TestServer
let mill: Owner
let identity: Identity
before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'named-mill')
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
})
after(() => server[Symbol.asyncDispose]())

const feed = (query: string, mode = 'test'): Promise<Response> =>
  fetch(`${server.url}/ledger/${mode}/feed?${query}`)

const itemsOf = async (query: string): Promise<Item[]> => (await (await feed(query)).json()) as Item[]

const feedWith = (query: string, count: number): Promise<Item[]> =>
  eventually(
    async () => {
      const items = await itemsOf(query)
      return items.length >= count && items
    },
    { what: `${count} entries about ${query}` },
  )

/** By the open ledger of test mode, as anybody can. */
const recordAsAnybody = async (transaction: SignedTransaction): Promise<void> => {
  const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(transaction),
  })
  assert.equal(answer.status, 202, await answer.text())
}

const identityOf = ({ publicKey }: { readonly publicKey: string }, vatId: string) => ({
  type: 'identity',
  did: didOf(decodeBase58(publicKey)),
  publicKey,
  company: 'Famous Mill https://evil.example/confirm',
  vatId,
})

/** Without the line breaks of quoted-printable. */
const plain = (mail = ''): string => mail.replaceAll(/=\r?\n/g, '')

const toldAbout = /Jemand hat Ihre Umsatzsteuer-ID/

describe('somebody who records an identity with the VAT id of a company here', () => {
  test('is seen in the feed of the VAT id, and the company gets one mail a day', async () => {
    const stranger = makeLedgerSigner()
    const { vatId } = mill.company
    const spelled = `${vatId.slice(0, 2).toLowerCase()} ${vatId.slice(2)}`
    const transaction = stranger.create(identityOf(stranger, spelled))
    await recordAsAnybody(transaction)
    const [mail = ''] = await server.mailsTo(mill.admin.email, 1, toldAbout)
    assert.match(plain(mail), /Famous Mill https: \/\/evil\. example\/confirm/)
    assert.doesNotMatch(plain(mail), /evil\.example/, 'a link that a stranger chose')
    assert.match(plain(mail), new RegExp(transaction.id))
    const [item] = await feedWith(`vatId=${vatId}`, 1)
    assert.deepEqual(
      [item?.kind, item?.transactionId, item?.signer, item?.asset['vatId']],
      ['identity', transaction.id, didOf(decodeBase58(stranger.publicKey)), spelled],
    )
    assert.match(item?.time ?? '', /^\d{4}-.*Z$/)

    const [, address = ''] = /(http\S+\/vat-ids\/\S+)/.exec(plain(mail)) ?? []
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const page = await fetch(address, { headers })
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const shown = await page.text()
    for (const text of [
      `Einträge, in denen ${vatId} steht`,
      transaction.id,
      'Famous Mill https: //evil. example',
    ])
      assert.ok(shown.includes(text), text)

    // Another entry after it: it is in the feed, and there is no second mail.
    const second = stranger.create({ type: 'review', did: identity.did, company: 'Famous Mill', vatId })
    await recordAsAnybody(second)
    assert.deepEqual(
      (await feedWith(`vatId=${vatId}`, 2)).map(({ kind }) => kind),
      ['review', 'identity'],
      'newest first',
    )
    assert.equal((await server.mailsTo(mill.admin.email, 1, toldAbout)).length, 1)
  })

  test('differs from the company itself and the operator of the log, whose entries cause no mail', async () => {
    const owner = await newOwner(server, 'honest-mill')
    const client = server.client(owner.admin.accessToken)
    await verifyCompany(server, await signUpOperator(server), owner.company.id)
    const own = await newIdentity(client, owner.company.id)
    await publishIdentity(client, { company: owner.company.id, identity: own })
    const items = await feedWith(`vatId=${owner.company.vatId}`, 2)
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['review', 'identity'],
    )
    // A mail about a later entry shows that none was sent about those.
    const stranger = makeLedgerSigner()
    const transaction = stranger.create(identityOf(stranger, owner.company.vatId))
    await recordAsAnybody(transaction)
    const mails = await server.mailsTo(owner.admin.email, 1, toldAbout)
    assert.equal(mails.length, 1)
    assert.match(plain(mails[0]), new RegExp(transaction.id))
  })
})

describe('the feed of a DID', () => {
  test('has identities, certificates and corrections, newest first, in pages', async () => {
    const client = server.client(mill.admin.accessToken)
    const company = mill.company.id
    await publishIdentity(client, { company, identity })
    const one = await notarizeSample(client, { company, identity })
    await client.withdrawCertificate({ company, params: { id: one.id }, body: { reason: 'Wrong heat' } })
    await client.revokeIdentity({
      company,
      query: { mode: 'test' },
      params: { id: identity.id },
      body: { reason: 'Lost' },
    })
    const query = `did=${identity.did}`
    const all = (await feedWith(query, 5)).filter(({ kind }) => kind !== 'review')
    assert.deepEqual(
      all.map(({ kind, asset }) => asset['action'] ?? kind),
      ['revoke-key', 'withdraw', 'certificate', 'identity'],
    )
    assert.equal(all[2]?.transactionId, one.transactionId)
    const first = await feed(`${query}&limit=2`)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const second = (await (await fetch(new URL(next, first.url))).json()) as Item[]
    assert.deepEqual(
      [...((await first.json()) as Item[]), ...second].map(({ transactionId }) => transactionId).slice(0, 4),
      (await itemsOf(query)).map(({ transactionId }) => transactionId).slice(0, 4),
    )
    assert.equal(first.headers.get('access-control-allow-origin'), '*')
  })

  test('has what anybody recorded with that key, in that mode only', async () => {
    const stranger = makeLedgerSigner()
    await recordAsAnybody(stranger.create(certificateAsset()))
    const did = didOf(decodeBase58(stranger.publicKey))
    assert.deepEqual(
      (await feedWith(`did=${did}`, 1)).map(({ kind }) => kind),
      ['certificate'],
    )
    assert.deepEqual(await (await feed(`did=${did}`, 'live')).json(), [])
  })

  test('refuses a query that is not one, naming the parameter', async () => {
    for (const [query, reason] of [
      ['', /did or vatId/],
      [`did=${identity.did}&vatId=ATU12345678`, /did or vatId/],
      ['did=did:web:mill.example', /query\/did/],
      ['vatId=%20', /query\/vatId/],
      [`did=${identity.did}&limit=0`, /query\/limit/],
      [`did=${identity.did}&limit=101`, /query\/limit/],
      [`did=${identity.did}&after=x`, /query\/after/],
      [`did=${identity.did}&page=2`, /query\/page/],
    ] as const) {
      const answer = await feed(query)
      assert.equal(answer.status, 400, query)
      assert.match(((await answer.json()) as { message: string }).message, reason)
    }
  })
})
