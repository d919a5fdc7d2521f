import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { portablePrimitives as primitives } from '../primitives.ts'
import { buildCreate, buildTransfer } from './build.ts'
import { canonicalLedgerText } from './canonical.ts'
import { checkAgainst, type LedgerState } from './check-against.ts'
import { ownerOf, signPartly, signWholly } from './owners.fixture.ts'
import { publishedTransactions } from './published.fixture.ts'
import { completeTransaction, wantedSignatures } from './sign.ts'
import { transactionId } from './signing-message.ts'
import {
  InvalidTransaction,
  type SignedTransaction,
  type SpentOutput,
  type TransactionFault,
} from './transaction.ts'
import { verifyTransaction, verifyWithText } from './verify-transaction.ts'

const seller = ownerOf(7)
const buyer = ownerOf(9)
const third = ownerOf(11)

const create = (asset: Parameters<typeof buildCreate>[0]['asset'] = { certHash: 'ab'.repeat(32) }) =>
  signWholly(
    buildCreate(
      {
        asset,
        metadata: { issuer: 'mill' },
        issuers: [seller.publicKey],
        recipients: [{ publicKeys: [seller.publicKey], amount: '1' }],
      },
      primitives,
    ),
    seller,
  )

const refuses = (act: () => unknown, fault: TransactionFault, reason: RegExp) =>
  assert.throws(
    act,
    (error) => error instanceof InvalidTransaction && error.fault === fault && reason.test(error.message),
  )

// oxlint-disable-next-line typescript/no-explicit-any -- a test breaks every part of it
type Loose = Record<string, any>

/** Applies `change` and corrects the id. */
const altered = (transaction: SignedTransaction, change: (copy: Loose) => void) => {
  const copy = structuredClone(transaction) as Loose
  change(copy)
  return { ...copy, id: transactionId(copy, primitives) }
}

const ledgerOf = (known: readonly SignedTransaction[], spent: readonly SpentOutput[] = []): LedgerState => ({
  findTransaction: (id) => known.find((transaction) => transaction.id === id),
  isSpent: (output) =>
    spent.some(
      (one) => one.transaction_id === output.transaction_id && one.output_index === output.output_index,
    ),
})

describe('transactions of the ledger', () => {
  test('from the documentation of BigchainDB verify and follow from each other', () => {
    const read = publishedTransactions.map((transaction) => verifyTransaction(transaction, primitives))
    for (const [index, transaction] of read.entries())
      checkAgainst(transaction, ledgerOf(read.slice(0, index)), primitives)
  })

  test('have the ids that the official driver gives them', () => {
    const sold = create()
    assert.equal(seller.publicKey, 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB')
    assert.equal(sold.id, 'f56e93d49b41dd6c20882cb54d3204bf2b130c15b90dfced8e9df016b9cd8372')
    const transfer = signWholly(
      buildTransfer(
        {
          metadata: { note: 'sold' },
          recipients: [{ publicKeys: [buyer.publicKey], amount: '1' }],
          spends: [{ transaction: sold, outputIndex: 0 }],
        },
        primitives,
      ),
      seller,
    )
    assert.equal(transfer.id, 'a611094b5e1dd7b7d92d15e7740332d5fc445c4b2d20b64aaff15f9d6c01c8ee')
  })

  test('have one text, in whatever order their members are given', () => {
    for (const transaction of [...publishedTransactions, create({ ö: 'a "quoted" \n line', z: [1, null] })]) {
      const reversed = Object.fromEntries(Object.entries(transaction).toReversed())
      const { text } = verifyWithText(reversed, primitives)
      assert.equal(text, canonicalLedgerText(transaction))
      assert.deepEqual(JSON.parse(text), transaction)
    }
  })

  test('are rejected if any character is changed', () => {
    const text = JSON.stringify(create())
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ_"}:1 '), (at, character) => {
        fc.pre(text[at] !== character)
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        let value: unknown
        try {
          value = JSON.parse(changed)
        } catch {
          return
        }
        fc.pre(canonicalLedgerText(value) !== canonicalLedgerText(JSON.parse(text)))
        assert.throws(() => verifyTransaction(value, primitives), InvalidTransaction)
      }),
      { numRuns: 300 },
    )
  })

  test('are rejected if changed after signing, even with a correct id', () => {
    const other = buyer.publicKey
    for (const change of [
      (copy: Loose) => (copy['asset'].data.certHash = 'cd'.repeat(32)),
      (copy: Loose) => (copy['metadata'] = { issuer: 'another' }),
      (copy: Loose) => (copy['outputs'][0].amount = '2'),
      (copy: Loose) => (copy['inputs'][0].owners_before = [other]),
    ])
      refuses(
        () => verifyTransaction(altered(create(), change), primitives),
        'InvalidSignature',
        /Invalid transaction \(InvalidSignature\): /,
      )
  })

  test('must name exactly the owners of each fulfillment', () => {
    const claimed = buildCreate(
      {
        asset: null,
        metadata: null,
        issuers: [seller.publicKey],
        recipients: [{ publicKeys: [seller.publicKey], amount: '1' }],
      },
      primitives,
    )
    const lying = {
      ...claimed,
      inputs: claimed.inputs.map((input) => ({
        ...input,
        owners_before: [buyer.publicKey],
        fulfillment: { type: 'ed25519-sha-256', public_key: seller.publicKey },
      })),
    }
    refuses(() => signWholly(lying as never, seller), 'InvalidSignature', /owners_before/)
  })

  test('are complete when all owners have signed, separately and in any order', () => {
    const shared = buildCreate(
      {
        asset: null,
        metadata: null,
        issuers: [seller.publicKey, buyer.publicKey, third.publicKey],
        recipients: [
          { publicKeys: [seller.publicKey, buyer.publicKey, third.publicKey], amount: '5', threshold: 2 },
        ],
      },
      primitives,
    )
    const once = signPartly(shared, third)
    assert.equal(completeTransaction(once, primitives), undefined)
    const twice = signPartly(JSON.parse(JSON.stringify(once)), seller)
    assert.deepEqual(
      wantedSignatures(twice, primitives).map(({ publicKey }) => publicKey),
      [buyer.publicKey],
    )
    const complete = signWholly(twice, buyer)
    assert.equal(complete.id, signWholly(shared, seller, buyer, third).id)

    const spend = buildTransfer(
      {
        metadata: null,
        recipients: [{ publicKeys: [buyer.publicKey], amount: '5' }],
        spends: [{ transaction: complete, outputIndex: 0 }],
      },
      primitives,
    )
    assert.equal(completeTransaction(signPartly(spend, seller), primitives), undefined)
    for (const pair of [
      [seller, buyer],
      [third, seller],
      [buyer, third],
      [seller, buyer, third],
    ])
      checkAgainst(signWholly(spend, ...pair), ledgerOf([complete]), primitives)
  })

  test('do not accept the signature of a stranger or of another message', () => {
    const unsigned = buildCreate(
      {
        asset: null,
        metadata: null,
        issuers: [seller.publicKey],
        recipients: [{ publicKeys: [seller.publicKey], amount: '1' }],
      },
      primitives,
    )
    const sign = (signer: typeof seller, publicKey: string, message: Uint8Array) =>
      signPartly({ ...unsigned }, { publicKey, sign: () => signer.sign(message) })
    const [wanted] = wantedSignatures(unsigned, primitives)
    assert.ok(wanted)
    refuses(() => sign(buyer, seller.publicKey, wanted.message), 'InvalidSignature', /does not verify/)
    refuses(() => sign(seller, seller.publicKey, new Uint8Array(32)), 'InvalidSignature', /does not verify/)
  })
})

describe('a ledger rejects', () => {
  const sold = create()
  const transfer = (
    amounts: readonly string[],
    from: SignedTransaction = sold,
    outputs: readonly number[] = [0],
  ) =>
    signWholly(
      buildTransfer(
        {
          metadata: null,
          recipients: amounts.map((amount) => ({ publicKeys: [buyer.publicKey], amount })),
          spends: outputs.map((outputIndex) => ({ transaction: from, outputIndex })),
        },
        primitives,
      ),
      seller,
    )
  const check = (transaction: SignedTransaction, state: LedgerState) => () =>
    checkAgainst(transaction, state, primitives)

  test('duplicates, double spends, unknown inputs and wrong sums', () => {
    const state = ledgerOf([sold])
    check(transfer(['1']), state)()
    refuses(check(sold, state), 'DuplicateTransaction', /already exists/)
    refuses(check(transfer(['1']), ledgerOf([])), 'InputDoesNotExist', /doesn't exist/)
    refuses(
      check(transfer(['1']), ledgerOf([sold], [{ transaction_id: sold.id, output_index: 0 }])),
      'DoubleSpend',
      /was already spent/,
    )
    refuses(check(transfer(['1', '1']), state), 'AmountError', /inputs `1` needs to be same .* outputs `2`/)
    refuses(() => transfer(['1'], sold, [0, 0]), 'DoubleSpend', /spends inputs twice/)
  })

  test('outputs of different assets in one transaction', () => {
    const other = create({ certHash: 'cd'.repeat(32) })
    const mixed = signWholly(
      buildTransfer(
        {
          metadata: null,
          recipients: [{ publicKeys: [buyer.publicKey], amount: '2' }],
          spends: [
            { transaction: sold, outputIndex: 0 },
            { transaction: other, outputIndex: 0 },
          ],
        },
        primitives,
      ),
      seller,
    )
    refuses(check(mixed, ledgerOf([sold, other])), 'AssetIdMismatch', /same asset id/)
  })

  test('a transfer that the owner of the output has not signed', () => {
    const stolen = altered(transfer(['1']), (copy) => {
      copy['inputs'][0].owners_before = [buyer.publicKey]
      copy['inputs'][0].fulfillment = null
    })
    const forged = signWholly(stolen as never, buyer)
    refuses(check(forged, ledgerOf([sold])), 'InvalidSignature', /signature is invalid/)
  })
})
