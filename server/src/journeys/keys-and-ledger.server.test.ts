import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity, RawTransaction, WalletWithKey } from '@millseal/contract'
import { didDocument, publicKeyOfDid } from '@millseal/proof'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { assertRefused } from '../../test/refusal.ts'
import { newIdentity } from '../../test/signers.ts'
import { auditOf, eventsOf } from '../../test/traces.ts'

const test822 = { mode: 'test', coinType: 822 } as const

let server: TestServer
let mill: Owner
let trader: Owner
let wallet: WalletWithKey
let identity: Identity

before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'steel-mill')
  trader = await newOwner(server, 'steel-trader')
})
after(() => server[Symbol.asyncDispose]())

const as = (owner: Owner) => {
  const client = server.client(owner.admin.accessToken)
  const about = { company: owner.company.id, query: { mode: 'test' } } as const
  return { client, about, company: owner.company.id }
}

const signedBy = (owner: Owner, signer: Identity, body: RawTransaction) => {
  const { client, company } = as(owner)
  return client.signTransaction({
    company,
    query: { mode: 'test', identity: signer.id, type: 'transparent' },
    body,
  })
}

const sentBy = (owner: Owner, body: RawTransaction) => {
  const { client, company } = as(owner)
  return client.sendTransaction({ company, query: test822, body })
}

const only = <T>(list: readonly T[]): T => list[0] ?? assert.fail('nothing there')

/** Built, signed and sent by one owner. */
const assetOf = async (owner: Owner, signer: Identity, asset: Record<string, string>) => {
  const { client, about } = as(owner)
  const built = await client.buildTransaction({
    ...about,
    body: {
      coinType: 822,
      bcdbOptions: {
        operation: 'CREATE',
        createOptions: {
          asset,
          metadata: { note: 'first' },
          issuers: [signer.publicKey],
          recipients: [{ publicKeys: [signer.publicKey], amount: '1' }],
        },
      },
    },
  })
  const signed = only((await signedBy(owner, signer, built)).signedTx)
  return { built, signed, sent: await sentBy(owner, signed) }
}

const transferOf = (owner: Owner, txId: string, to: Identity) => {
  const { client, about } = as(owner)
  return client.buildTransaction({
    ...about,
    body: {
      coinType: 822,
      bcdbOptions: {
        operation: 'TRANSFER',
        transferOptions: {
          metadata: null,
          recipients: [{ publicKeys: [to.publicKey], amount: '1' }],
          unspentOutputs: [{ txId, outputIndex: 0 }],
        },
      },
    },
  })
}

describe('keys and their records, step by step', () => {
  test('a wallet has identities, whose DID documents are derived from their keys', async () => {
    const { client, about } = as(mill)
    wallet = await client.createWallet({ ...about, body: { name: 'Works' } })
    identity = await client.createIdentity({
      ...about,
      body: { coinType: 822, account: 0, wallet: wallet.id },
    })
    assert.deepEqual(
      [identity.index, identity.status, identity.isPublic, identity.wallet],
      [0, 'valid', false, wallet.id],
    )
    const document = await client.readDidDocument({ ...about, params: { id: identity.id } })
    assert.deepEqual(document, didDocument(publicKeyOfDid(identity.did)))
  })

  test('only its company can see an identity before it is published', async () => {
    const { client, about } = as(trader)
    assert.deepEqual(await client.listPublicIdentities(about), [])
    await assertRefused(client.readPublicIdentity({ ...about, params: { id: identity.id } }), 'not_found')
    await assertRefused(client.readIdentity({ ...about, params: { id: identity.id } }), 'not_found')
  })

  test('a published identity is on the ledger once, after any number of calls, and visible to others', async () => {
    const { client, about } = as(mill)
    const call = { ...about, params: { identityId: identity.id } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.notarizeIdentity(call)))
    assert.ok(answers.every(({ isPublic }) => isPublic))
    const found = await client.searchLedger({
      company: mill.company.id,
      query: { ...test822, query: identity.publicKey },
    })
    assert.equal(found.length, 1)

    const seen = only(await as(trader).client.listPublicIdentities(as(trader).about))
    assert.deepEqual(
      [seen.publicKey, seen.company, seen.status],
      [
        identity.publicKey,
        { id: mill.company.id, name: mill.company.name, vatId: mill.company.vatId },
        'valid',
      ],
    )
    assert.equal(seen.transactionId, (only(found) as { id?: string }).id)
    assert.deepEqual(Object.keys(seen).toSorted(), [
      'coinType',
      'company',
      'did',
      'id',
      'mode',
      'notarizedAt',
      'publicKey',
      'status',
      'transactionId',
    ])
    const topics = (await eventsOf(server, mill.company.id)).map(({ topic }) =>
      topic.split('/').slice(3).join('/'),
    )
    for (const [topic, times] of [
      ['identities/update_one', 1],
      ['identities/notarize_one', 1],
      ['transactions/sign', 1],
      ['transactions/send', 1],
    ] as const) {
      assert.equal(topics.filter((other) => other === topic).length, times, topic)
    }
  })

  test('an asset is built, signed and sent, and sending it again changes nothing', async () => {
    const { client, about } = as(mill)
    const { built, signed, sent } = await assetOf(mill, identity, { heat: '4711' })
    assert.ok('inputs' in built && 'inputs' in signed)
    assert.deepEqual([built.id, only(built.inputs).fulfillment], [null, null])
    assert.deepEqual([sent.transaction.signed, sent.transaction.sent], [true, true])
    assert.equal(sent.transaction.transactionId, signed.id)
    assert.deepEqual(sent.transaction.identities, [identity.id])
    assert.deepEqual(await sentBy(mill, signed), sent)
    assert.deepEqual(
      await client.readTransaction({ ...about, params: { id: sent.transaction.id } }),
      sent.transaction,
    )
    assert.equal(only(await client.listTransactions(about)).id, sent.transaction.id)
    const read = await client.readIdentity({ ...about, params: { id: identity.id } })
    assert.equal(only(read.transactions), sent.transaction.id)
    const { about: others, client: other } = as(trader)
    await assertRefused(
      other.readTransaction({ ...others, params: { id: sent.transaction.id } }),
      'not_found',
    )
  })

  test('the asset is transferred to another company, and is then spent', async () => {
    const there = as(trader)
    const theirs = await newIdentity(there.client, trader.company.id)
    const { sent } = await assetOf(mill, identity, { heat: '4712' })
    const txId = sent.transaction.transactionId ?? assert.fail('not sent')
    const transfer = only((await signedBy(mill, identity, await transferOf(mill, txId, theirs))).signedTx)
    const back = only((await signedBy(mill, identity, await transferOf(mill, txId, identity))).signedTx)
    await sentBy(mill, transfer)
    await assertRefused(sentBy(mill, back), 'transaction_conflict')
    assert.deepEqual(only((await sentBy(mill, transfer)).signedTx), transfer)
    const [seen] = await there.client.searchLedger({
      company: there.company,
      query: { ...test822, query: '4712' },
    })
    assert.equal((seen as { id?: string }).id, txId)
    await assertRefused(
      signedBy(mill, identity, await transferOf(trader, (transfer as { id: string }).id, theirs)),
      'transaction_invalid',
    )
  })

  test('the identities of a wiped wallet are obsolete and cannot sign; published ones stay published', async () => {
    const { client, about } = as(mill)
    const wiped = await client.wipeWallet({ ...about, params: { id: wallet.id } })
    assert.equal(wiped.status, 'disabled')
    const obsolete = await client.listIdentities({ ...about, query: { mode: 'test', status: 'obsolete' } })
    assert.deepEqual(
      obsolete.map(({ id }) => id),
      [identity.id],
    )
    await assertRefused(assetOf(mill, identity, { heat: '4713' }), 'identity_not_usable')
    await assertRefused(
      client.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet: wallet.id } }),
      'wallet_disabled',
    )
    const seen = await as(trader).client.readPublicIdentity({
      ...as(trader).about,
      params: { id: identity.id },
    })
    assert.equal(seen.status, 'obsolete')
  })

  test('the mnemonic recovers the same keys, and the next identity gets the next index', async () => {
    const { client, about } = as(mill)
    const recover = (mnemonic: string) =>
      client.recoverWallet({ ...about, params: { id: wallet.id }, body: { mnemonic } })
    await assertRefused(recover(wallet.mnemonic.split(' ').toReversed().join(' ')), 'mnemonic_invalid')
    await recover(wallet.mnemonic)
    const again = await client.readIdentity({ ...about, params: { id: identity.id } })
    assert.deepEqual([again.status, again.publicKey], ['valid', identity.publicKey])
    assert.equal((await assetOf(mill, identity, { heat: '4714' })).sent.transaction.sent, true)
    const next = await client.createIdentity({
      ...about,
      body: { coinType: 822, account: 0, wallet: wallet.id },
    })
    assert.equal(next.index, 1)
  })

  test('every use of a key is in the audit log, with the signed digest and the caller', async () => {
    const uses = (await auditOf(server, mill.company.id)).filter(({ action }) => action === 'keys.sign')
    const purposes = uses.map(({ details }) => (details as { purpose: string }).purpose)
    assert.equal(purposes.filter((purpose) => purpose === 'identities.notarize').length, 1)
    assert.equal(purposes.filter((purpose) => purpose === 'transactions.sign').length, 5)
    assert.ok(uses.every(({ actor }) => actor === `user:${mill.admin.id}`))
    assert.ok(uses.every(({ details }) => /^[0-9a-f]{64}$/.test((details as { digest: string }).digest)))
  })
})
