import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Company, Identity, RawTransaction } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Client } from '@millseal/sdk'
import { executeIn } from '../../../../test/execute-in.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

const query = { mode: 'test' } as const
const coinType = 822

let server: TestServer
let operator: Client
let owner: Owner
let client: Client
let company: Company
let identity: Identity

before(async () => {
  server = await startTestServer()
  operator = server.client((await signUpOperator(server)).accessToken)
  owner = await newOwner(server, 'storing-mill')
  client = server.client(owner.admin.accessToken)
  company = owner.company
  identity = await newIdentity(client, company.id)
})
after(() => server[Symbol.asyncDispose]())

const build = (issuers = [identity.publicKey], asset: object = { heat: crypto.randomUUID() }) =>
  client.buildTransaction({
    company: company.id,
    query,
    body: {
      coinType,
      bcdbOptions: {
        operation: 'CREATE',
        createOptions: {
          asset: { ...asset },
          metadata: null,
          issuers,
          recipients: [{ publicKeys: issuers, amount: '1' }],
        },
      },
    },
  })
const sign = async (body: RawTransaction) => {
  const signing = { ...query, identity: identity.id, type: 'transparent' } as const
  const { transaction, signedTx } = await client.signTransaction({
    company: company.id,
    query: signing,
    body,
  })
  return { stored: transaction, signed: signedTx[0] ?? assert.fail('nothing was signed') }
}
const send = async (body: RawTransaction | SignedTransaction) =>
  (await client.sendTransaction({ company: company.id, query: { ...query, coinType }, body: body as never }))
    .transaction
const listAll = () => client.listTransactions({ company: company.id, query })
const actionsAbout = async (id: string) =>
  (await eventsAbout(server, id)).map(({ topic }) => topic.split('/').at(-1))
const audited = async (action: string) =>
  (await auditOf(server, company.id)).filter((entry) => entry.action === action)

const failOn = (table: string) =>
  executeIn(
    server,
    `create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$;
     create trigger die before insert on ${table} for each row execute function die();`,
  )
const stopFailing = (table: string) => executeIn(server, `drop trigger die on ${table}; drop function die();`)

describe('a transaction that is signed and sent', () => {
  test('has one row, one event for each step, and an audit entry for each use of the key', async () => {
    const signatures = (await audited('keys.sign')).length
    const sends = (await audited('transactions.send')).length
    const built = await build()
    const { stored, signed } = await sign(built)
    await sign(built)
    assert.deepEqual(await actionsAbout(stored.id), ['sign'])
    const used = (await audited('keys.sign')).slice(signatures)
    assert.deepEqual(
      used.map(({ details }) => (details as { purpose: string }).purpose),
      ['transactions.sign', 'transactions.sign'],
    )
    const noDraft = `do $$ begin if exists (select from transactions where id = '${stored.id}' and draft is not null)
      then raise exception 'there is a draft'; end if; end $$`
    await executeIn(server, noDraft)
    const sent = await send(signed)
    assert.deepEqual([sent.id, sent.sent, stored.sent], [stored.id, true, false])
    assert.deepEqual(await send(signed), sent)
    assert.deepEqual(await actionsAbout(stored.id), ['sign', 'send'])
    assert.equal((await audited('transactions.send')).length, sends + 1)
    assert.deepEqual(
      await client.readTransaction({ company: company.id, query, params: { id: sent.id } }),
      sent,
    )
    const { transactions } = await client.readIdentity({
      company: company.id,
      query,
      params: { id: identity.id },
    })
    assert.equal(transactions[0], sent.id)
  })

  test('is stored and reported as sent if somebody else signed it', async () => {
    const sent = await send(makeLedgerSigner().create({ heat: crypto.randomUUID() }))
    assert.deepEqual([sent.sent, sent.identities], [true, []])
    assert.deepEqual(await actionsAbout(sent.id), ['send'])
  })

  test('is found by what it records, what it is about and who signed it, and the list is counted', async () => {
    const jsonHash = randomBytes(32).toString('hex')
    const certificate = await sign(await build(undefined, { jsonHash, pdfHash: jsonHash }))
    await send(certificate.signed)
    const reason = 'The heat was mixed up'
    const { id: ledgerId } = certificate.signed as { id: string }
    const correction = { type: 'correction', action: 'withdraw', transactionId: ledgerId, reason }
    const withdrawal = await send((await sign(await build(undefined, correction))).signed)
    assert.deepEqual(
      [certificate.stored, withdrawal].map(({ kind, subject }) => [kind, subject]),
      [
        ['certificate', jsonHash],
        ['withdrawal', ledgerId],
      ],
    )
    const find = async (by: { kind?: 'withdrawal'; about?: string; identity?: string }) => {
      let total: string | null = null
      const found = await client.listTransactions({
        company: company.id,
        query: { ...query, ...by },
        onHeaders: (headers) => (total = headers.get('x-total-count')),
      })
      assert.equal(total, String(found.length))
      return found.map(({ id }) => id)
    }
    const both = [withdrawal.id, certificate.stored.id]
    assert.deepEqual(await find({ about: ledgerId }), both)
    assert.deepEqual(await find({ about: jsonHash }), [certificate.stored.id])
    assert.deepEqual(await find({ kind: 'withdrawal' }), [withdrawal.id])
    assert.deepEqual((await find({ identity: identity.id })).slice(0, 2), both)
    assert.deepEqual(await find({ about: ledgerId, identity: randomUUID() }), [])
  })

  test('cannot be read by another company', async () => {
    const { stored } = await sign(await build())
    const other = await newOwner(server, 'curious-mill')
    const params = { id: stored.id }
    await assertRefused(
      server.client(other.admin.accessToken).readTransaction({ company: other.company.id, query, params }),
      'not_found',
    )
  })

  test('is listed newest first, page by page, and found by a word of its asset', async () => {
    const word = `w${crypto.randomUUID().replaceAll('-', '')}`
    const ids: string[] = []
    for (const part of ['one', 'two', 'three']) {
      const { stored, signed } = await sign(await build(undefined, { word, part }))
      if (part === 'one') await send(signed)
      ids.unshift(stored.id)
    }
    const read = async (path: string) => {
      const response = await fetch(`${server.url}/api/transactions${path}`, {
        headers: { authorization: `Bearer ${owner.admin.accessToken}`, company: company.id },
      })
      const page = (await response.json()) as { id: string }[]
      const [, next = ''] = /^<(.*)>/.exec(response.headers.get('link') ?? '') ?? []
      return { ids: page.map(({ id }) => id), next }
    }
    const first = await read('?mode=test&limit=2')
    assert.deepEqual(first.ids, ids.slice(0, 2))
    assert.deepEqual((await read(first.next)).ids[0], ids[2])
    const found = await client.searchLedger({
      company: company.id,
      query: { ...query, coinType, query: word },
    })
    assert.deepEqual(
      found.map((raw) => 'asset' in raw && raw.asset),
      [{ data: { word, part: 'one' } }],
    )
    const within = { ...query, coinType, query: word, key: 'metadata' } as const
    assert.deepEqual(await client.searchLedger({ company: company.id, query: within }), [])
  })
})

describe('a transaction that is rejected', () => {
  test('by the ledger is not stored: spent twice, of a recorded certificate, without its input', async () => {
    const signer = makeLedgerSigner()
    const created = signer.create({ heat: crypto.randomUUID() })
    await send(created)
    await send(signer.transfer(created, identity.publicKey))
    const recorded = signer.create(certificateAsset())
    await send(recorded)
    const earlier = await listAll()

    await assertRefused(send(signer.transfer(created, signer.publicKey)), 'transaction_conflict')
    const asset = 'data' in recorded.asset ? recorded.asset.data : null
    const again = await refusal(send(makeLedgerSigner().create(asset ?? assert.fail('no asset'))))
    assert.equal(again.status, 409)
    assert.deepEqual(again.answer?.details, [
      `The ledger already contains this certificate: transaction ${recorded.id}`,
    ])
    const unknown = signer.transfer(signer.create({ never: 'sent' }), signer.publicKey)
    await assertRefused(send(unknown), 'transaction_invalid')
    assert.deepEqual(await listAll(), earlier)
  })

  test('because other owners must sign leaves neither a row nor an audit entry', async () => {
    const signatures = (await audited('keys.sign')).length
    const earlier = await listAll()
    const built = await build([identity.publicKey, makeLedgerSigner().publicKey])
    await assertRefused(sign(built), 'transaction_invalid')
    assert.deepEqual(await listAll(), earlier)
    assert.equal((await audited('keys.sign')).length, signatures)
  })

  test('because the audit log cannot be written is neither signed nor stored', async () => {
    const earlier = await listAll()
    const built = await build()
    await failOn('audit_log')
    assert.equal((await refusal(sign(built))).status, 500)
    await stopFailing('audit_log')
    assert.deepEqual(await listAll(), earlier)
  })

  test('because its event cannot be written is not stored as signed or sent', async () => {
    const earlier = await listAll()
    const built = await build()
    const foreign = makeLedgerSigner().create({ heat: crypto.randomUUID() })
    await failOn('outbox')
    assert.equal((await refusal(sign(built))).status, 500)
    assert.equal((await refusal(send(foreign))).status, 500)
    await stopFailing('outbox')
    assert.deepEqual(await listAll(), earlier)
    assert.equal((await send(foreign)).sent, true)
  })
})

describe('without an active node', () => {
  const setStatus = async (status: 'active' | 'inactive') => {
    const [node] = await operator.listNodes({ query })
    await operator.updateNode({ query, params: { id: node?.id ?? '' }, body: { status } })
  }

  test('nothing is sent, and the draft of a publication is sent unchanged by the next call', async () => {
    const created = makeLedgerSigner().create({ heat: crypto.randomUUID() })
    const call = { company: company.id, query, params: { identityId: identity.id } }
    await setStatus('inactive')
    await assertRefused(send(created), 'unavailable')
    const startedMs = server.clock.now()
    await assertRefused(client.notarizeIdentity(call), 'unavailable')
    const draftedMs = server.clock.now()
    server.clock.advance({ seconds: 30 })
    await setStatus('active')
    assert.equal((await client.notarizeIdentity(call)).isPublic, true)
    const [published] = await client.searchLedger({
      company: company.id,
      query: { ...query, coinType, query: identity.publicKey },
    })
    assert.ok(published !== undefined && 'metadata' in published)
    const signedMs = Date.parse(String(published.metadata?.['timestamp']))
    assert.ok(signedMs >= startedMs && signedMs <= draftedMs)
    assert.equal((await send(created)).sent, true)
  })
})
