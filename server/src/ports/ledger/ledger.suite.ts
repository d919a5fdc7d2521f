import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { LedgerObject } from '@millseal/proof'
import { certificateAsset, makeLedgerSigner } from '../../../test/ledger-signer.ts'
import type { Mode } from '@millseal/contract'
import { type Ledger, TransactionRefused } from './ledger.ts'
import { notarized } from './notarized.ts'
import { generousDeadline } from '../../../test/eventually.ts'

export type OpenedLedger = AsyncDisposable & { readonly ledger: Ledger }

/** The guarantees of every ledger. The tests share one ledger but none of its entries. */
export const describeLedger = (name: string, open: (mode: Mode) => Promise<OpenedLedger>): void => {
  describe(`a ledger, ${name}`, () => {
    let opened: OpenedLedger
    let ledger: Ledger
    before(async () => {
      opened = await open('test')
      ledger = opened.ledger
    })
    after(() => opened[Symbol.asyncDispose]())

    const mill = makeLedgerSigner()
    const refuses = (reason: 'invalid' | 'conflict') => (error: unknown) =>
      error instanceof TransactionRefused && error.reason === reason

    test('a submitted transaction can be found unchanged', async () => {
      const transaction = mill.create(certificateAsset(), { at: 'Grüße €\u{1f600}\u001b' })
      const { entry, isNew } = await ledger.submit(transaction)
      assert.equal(isNew, true)
      assert.deepEqual(entry.transaction, transaction)
      assert.deepEqual(await ledger.find(transaction.id), entry)
    })

    test('submitting a transaction again, even at the same time, returns the existing entry', async () => {
      const transaction = mill.create(certificateAsset())
      const submissions = await Promise.all(Array.from({ length: 5 }, () => ledger.submit(transaction)))
      assert.equal(submissions.filter(({ isNew }) => isNew).length, 1)
      const again = await ledger.submit(transaction)
      assert.equal(again.isNew, false)
      for (const { entry } of submissions) assert.deepEqual(entry, again.entry)
    })

    test('a certificate is recorded once, even if two companies submit it', async () => {
      const asset = certificateAsset()
      const { entry } = await ledger.submit(mill.create(asset))
      const second = await ledger.submit(makeLedgerSigner().create(asset))
      assert.equal(second.isNew, false)
      assert.deepEqual(second.entry, entry)
    })

    test('a certificate has one entry more for each signer who names the first one', async () => {
      const asset = certificateAsset()
      const { entry: first } = await ledger.submit(makeLedgerSigner().create(asset))
      const beside = { ...asset, beside: first.transaction.id }
      const [seller, other] = [makeLedgerSigner(), makeLedgerSigner()]
      const own = await ledger.submit(seller.create(beside))
      assert.equal(own.isNew, true)
      const again = await ledger.submit(seller.create(beside, { attempt: 'another' }))
      assert.deepEqual(again, { entry: own.entry, isNew: false })
      const wrong = { ...asset, beside: own.entry.transaction.id }
      assert.deepEqual(await ledger.submit(other.create(wrong)), { entry: first, isNew: false })
      const third = await ledger.submit(other.create(beside))
      assert.equal(third.isNew, true)
      assert.deepEqual(await ledger.findCertificate(asset.jsonHash, 'json'), first)
      assert.deepEqual(await ledger.findEntriesOf(asset.jsonHash), [first, own.entry, third.entry])
    })

    test('a certificate is found by the hash of its JSON and of its PDF', async () => {
      const asset = certificateAsset()
      const { entry } = await ledger.submit(mill.create(asset))
      assert.deepEqual(await ledger.findCertificate(asset.jsonHash), entry)
      assert.deepEqual(await ledger.findCertificate(asset.pdfHash), entry)
      assert.equal(await ledger.findCertificate(randomBytes(32).toString('hex')), undefined)
      assert.equal(await ledger.findCertificate('not a hash'), undefined)
    })

    test('a hash belongs to the first entry that records it, even if it is recorded again for another file', async () => {
      const asset = certificateAsset()
      const first = await ledger.submit(makeLedgerSigner().create(asset))
      const forger = makeLedgerSigner()
      const asJson = await ledger.submit(forger.create({ jsonHash: asset.pdfHash }))
      await ledger.submit(forger.create({ ...certificateAsset(), pdfHash: asset.pdfHash }))
      await ledger.submit(forger.create({ ...certificateAsset(), pdfHash: asset.jsonHash }))
      const idOf = async (hash: string, file?: 'json' | 'pdf'): Promise<string | undefined> =>
        (await ledger.findCertificate(hash, file))?.transaction.id
      const { id } = first.entry.transaction
      for (const hash of [asset.jsonHash, asset.pdfHash]) assert.equal(await idOf(hash), id)
      assert.equal(await idOf(asset.jsonHash, 'json'), id)
      assert.equal(await idOf(asset.pdfHash, 'pdf'), id)
      assert.equal(await idOf(asset.pdfHash, 'json'), asJson.entry.transaction.id)
    })

    test('in live mode, records no hash of a file for anybody but a notarization', async () => {
      await using live = await open('live')
      const { jsonHash, pdfHash } = certificateAsset()
      const assets: LedgerObject[] = [
        { jsonHash },
        { pdfHash },
        { jsonHash: 'A' },
        { pdfHash: null, type: 'identity' },
      ]
      for (const asset of assets) {
        const transaction = mill.create(asset)
        await assert.rejects(live.ledger.submit(transaction), (error: unknown) => {
          if (!refuses('invalid')(error)) return false
          assert.match(
            (error as Error).message,
            /^\/asset\/data\/(json|pdf)Hash .* POST \/certificates\/notarize$/,
          )
          return true
        })
        assert.equal(await live.ledger.find(transaction.id), undefined)
      }
      const transaction = mill.create({ jsonHash, pdfHash })
      assert.equal((await live.ledger.submit(transaction, undefined, notarized)).isNew, true)
    })

    test('an output is spent once, and spending it again is a conflict', async () => {
      const create = mill.create({ lot: randomBytes(8).toString('hex') })
      await ledger.submit(create)
      await ledger.submit(mill.transfer(create, makeLedgerSigner().publicKey))
      await assert.rejects(
        ledger.submit(mill.transfer(create, makeLedgerSigner().publicKey)),
        refuses('conflict'),
      )
    })

    test('unknown inputs, outputs of others and invalid signatures are refused', async () => {
      const create = mill.create({ lot: randomBytes(8).toString('hex') })
      await assert.rejects(ledger.submit(mill.transfer(create, mill.publicKey)), refuses('invalid'))
      await ledger.submit(create)
      await assert.rejects(
        ledger.submit({ ...create, metadata: { changed: 'afterwards' } }),
        refuses('invalid'),
      )
      const stranger = makeLedgerSigner()
      const own = stranger.create({ lot: 'own' })
      const stolen = { ...own, outputs: create.outputs }
      await assert.rejects(ledger.submit(stolen), refuses('invalid'))
      assert.equal((await ledger.findByAsset(create.id)).length, 1)
    })

    test('the transactions of an asset are listed in order, all or filtered', async () => {
      const [first, second] = [makeLedgerSigner(), makeLedgerSigner()]
      const create = mill.create({ lot: randomBytes(8).toString('hex') })
      const sold = mill.transfer(create, first.publicKey)
      const resold = first.transfer(sold, second.publicKey)
      for (const transaction of [create, sold, resold]) await ledger.submit(transaction)
      const ids = async (options?: Parameters<Ledger['findByAsset']>[1]) =>
        (await ledger.findByAsset(create.id, options)).map(({ transaction }) => transaction.id)
      assert.deepEqual(await ids(), [create.id, sold.id, resold.id])
      assert.deepEqual(await ids({ operation: 'CREATE' }), [create.id])
      assert.deepEqual(await ids({ operation: 'TRANSFER' }), [sold.id, resold.id])
      assert.deepEqual(await ids({ onlyLast: true }), [resold.id])
      assert.deepEqual(await ledger.findByAsset('0'.repeat(64)), [])
    })

    test('the outputs of a key are listed, spent or unspent', async () => {
      const [seller, buyer] = [makeLedgerSigner(), makeLedgerSigner()]
      const create = seller.create({ lot: randomBytes(8).toString('hex') })
      await ledger.submit(create)
      const here = [{ transactionId: create.id, outputIndex: 0 }]
      assert.deepEqual(await ledger.findOutputs(seller.publicKey, { spent: false }), here)
      const transfer = seller.transfer(create, buyer.publicKey)
      await ledger.submit(transfer)
      assert.deepEqual(await ledger.findOutputs(seller.publicKey, { spent: false }), [])
      assert.deepEqual(await ledger.findOutputs(seller.publicKey, { spent: true }), here)
      assert.deepEqual(await ledger.findOutputs(seller.publicKey), here)
      assert.deepEqual(await ledger.findOutputs(buyer.publicKey), [
        { transactionId: transfer.id, outputIndex: 0 },
      ])
    })

    test('words are found in assets and in metadata, or only in one of them', async () => {
      const word = `w${randomBytes(8).toString('hex')}`
      const inAsset = mill.create({ name: `Plate ${word}`, lot: 'a' })
      const inMetadata = mill.create({ lot: randomBytes(8).toString('hex') }, { note: `${word}, heat 7` })
      for (const transaction of [inAsset, inMetadata]) await ledger.submit(transaction)
      const ids = async (within?: 'assets' | 'metadata') =>
        (await ledger.search({ words: word, limit: 10, within }))
          .map(({ transaction }) => transaction.id)
          .toSorted()
      assert.deepEqual(await ids('assets'), [inAsset.id])
      assert.deepEqual(await ids('metadata'), [inMetadata.id])
      assert.deepEqual(await ids(), [inAsset.id, inMetadata.id].toSorted())
      assert.equal((await ledger.search({ words: word, limit: 1 })).length, 1)
    })

    test('a search requires all words of a quoted phrase and excludes words after a minus', async () => {
      const [word, other] = [1, 2].map(() => `w${randomBytes(8).toString('hex')}`)
      const both = mill.create({ name: `Plate ${word} ${other}` })
      const one = mill.create({ name: `Coil ${word}` })
      for (const transaction of [both, one]) await ledger.submit(transaction)
      const ids = async (words: string) =>
        (await ledger.search({ words, within: 'assets', limit: 10 }))
          .map(({ transaction }) => transaction.id)
          .toSorted()
      assert.deepEqual(await ids(`${word} ${other}`), [both.id, one.id].toSorted())
      assert.deepEqual(await ids(`"${word} ${other}" coil`), [both.id])
      assert.deepEqual(await ids(`${word} -${other}`), [one.id])
      assert.deepEqual(await ids(`${word} -"plate ${other}"`), [one.id])
      assert.deepEqual(await ids(`-${other}`), [])
    })

    test('unknown ids are not found', async () => {
      assert.equal(await ledger.find('0'.repeat(64)), undefined)
      assert.equal(await ledger.find('nothing'), undefined)
      assert.equal(await ledger.proveRecords({ transactionIds: ['0'.repeat(64)], subjects: [] }), undefined)
    })

    test('a caller can stop waiting and submit the same transaction again', async () => {
      const transaction = mill.create(certificateAsset())
      await assert.rejects(ledger.submit(transaction, AbortSignal.abort()))
      const { entry } = await ledger.submit(transaction)
      assert.equal(entry.transaction.id, transaction.id)
    })

    test('check reports whether the ledger can be reached', async () => {
      await ledger.check(generousDeadline())
      await assert.rejects(ledger.check(AbortSignal.abort()))
    })
  })
}
