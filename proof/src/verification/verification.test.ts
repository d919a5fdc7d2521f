import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  attachSignatures,
  buildCreate,
  canonicalLedgerText,
  completeTransaction,
  didOf,
  emptyTree,
  encodeBase58,
  formatNoteKey,
  growTree,
  type JsonValue,
  leafHash,
  noteKey,
  portablePrimitives as primitives,
  readPolicy,
  rootOf,
  signCheckpoint,
  type SignedTransaction,
  verifyBundle,
  wantedSignatures,
  writeTlogProof,
} from '../index.ts'

type Pair = { readonly publicKey: Uint8Array; readonly base58: string; readonly privateKey: KeyObject }

const newPair = (): Pair => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { publicKey: bytes, base58: encodeBase58(bytes), privateKey }
}

const created = (
  { base58, privateKey }: Pair,
  data: Record<string, string>,
  metadata: Record<string, string> | null = null,
): SignedTransaction => {
  const unsigned = buildCreate(
    { asset: data, metadata, issuers: [base58], recipients: [{ publicKeys: [base58], amount: '1' }] },
    primitives,
  )
  const signatures = wantedSignatures(unsigned, primitives).map(({ inputIndex, publicKey, message }) => ({
    inputIndex,
    publicKey,
    signature: new Uint8Array(sign(null, message, privateKey)),
  }))
  const complete = completeTransaction(attachSignatures(unsigned, signatures, primitives), primitives)
  assert.ok(complete)
  return complete
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const timestamp = '2026-11-21T08:00:00.000Z'
const mill = newPair()
const log = newPair()
const logKey = noteKey('log.example/test', log.publicKey, primitives)
const jsonHash = sha256('the json')
const pdfHash = sha256('the pdf')
const transaction = created(mill, { jsonHash, pdfHash }, { timestamp })

const provenIn = async (entry: SignedTransaction): Promise<string> => {
  const leaf = leafHash(Buffer.from(canonicalLedgerText(entry)), primitives)
  const { tree } = growTree(emptyTree, [leaf], primitives)
  const checkpoint = await signCheckpoint(
    { origin: logKey.name, size: 1, root: rootOf(tree, primitives) },
    { key: logKey, sign: (message) => new Uint8Array(sign(null, message, log.privateKey)) },
  )
  return writeTlogProof({ index: 0, path: [], checkpoint })
}

const bundleOf = async (more: Record<string, unknown> = {}): Promise<JsonValue> =>
  JSON.parse(
    JSON.stringify({
      formatVersion: 1,
      mode: 'test',
      algorithm: 'sha256',
      jsonHash,
      pdfHash,
      timestamp,
      transaction,
      tlogProof: await provenIn(transaction),
      anchors: [],
      ...more,
    }),
  ) as JsonValue

const policy = readPolicy({ logs: [formatNoteKey(logKey)] }, primitives)
const json = { kind: 'json', hash: jsonHash } as const
const outcomes = (report: ReturnType<typeof verifyBundle>): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ name, outcome }) => [name, outcome]))

describe('offline verification', () => {
  test('accepts a genuine JSON and a genuine PDF with only the key of the log', async () => {
    const bundle = await bundleOf()
    for (const file of [json, { kind: 'pdf', hash: pdfHash } as const]) {
      const report = verifyBundle({ file, bundle, policy }, primitives)
      assert.equal(report.isValid, true)
      assert.deepEqual(outcomes(report), {
        file: 'passed',
        transaction: 'passed',
        log: 'passed',
        issuer: 'unknown',
        time: 'unknown',
        anchors: 'unknown',
      })
    }
  })

  test('rejects another file, and the hash of the JSON for a PDF', async () => {
    const bundle = await bundleOf()
    for (const file of [
      { kind: 'json', hash: sha256('another') } as const,
      { kind: 'pdf', hash: jsonHash } as const,
    ]) {
      const report = verifyBundle({ file, bundle, policy }, primitives)
      assert.equal(report.isValid, false)
      assert.equal(outcomes(report)['file'], 'failed')
    }
  })

  test('rejects a bundle with a hash that is not in its transaction', async () => {
    const forged = sha256('forged')
    const bundle = await bundleOf({ jsonHash: forged })
    const report = verifyBundle({ file: { kind: 'json', hash: forged }, bundle, policy }, primitives)
    assert.equal(report.isValid, false)
    assert.equal(outcomes(report)['file'], 'failed')
  })

  test('rejects a transaction that was changed after signing, or that is in another log', async () => {
    const changed = { ...transaction, metadata: { timestamp: '2020-01-01T00:00:00.000Z' } }
    const report = verifyBundle(
      { file: json, bundle: await bundleOf({ transaction: changed }), policy },
      primitives,
    )
    assert.equal(report.isValid, false)
    assert.equal(outcomes(report)['transaction'], 'failed')

    const other = created(newPair(), { jsonHash, pdfHash })
    const swapped = verifyBundle(
      { file: json, bundle: await bundleOf({ transaction: other }), policy },
      primitives,
    )
    assert.equal(swapped.isValid, false)
    assert.equal(outcomes(swapped)['log'], 'failed')
  })

  test('accepts nothing without a trusted log', async () => {
    const nobody = readPolicy({}, primitives)
    const unknown = verifyBundle({ file: json, bundle: await bundleOf(), policy: nobody }, primitives)
    assert.equal(unknown.isValid, false)
    assert.equal(outcomes(unknown)['log'], 'unknown')

    const stranger = noteKey(logKey.name, newPair().publicKey, primitives)
    const another = readPolicy({ logs: [formatNoteKey(stranger)] }, primitives)
    const refused = verifyBundle({ file: json, bundle: await bundleOf(), policy: another }, primitives)
    assert.equal(refused.isValid, false)
    assert.equal(outcomes(refused)['log'], 'failed')
  })

  test('trusts an issuer of the policy, names one by its publication, or rejects it', async () => {
    const did = didOf(mill.publicKey)
    const knowing = readPolicy(
      { logs: [formatNoteKey(logKey)], issuers: [{ did, name: 'The mill' }], onlyKnownIssuers: true },
      primitives,
    )
    const known = verifyBundle({ file: json, bundle: await bundleOf(), policy: knowing }, primitives)
    assert.equal(known.isValid, true)
    assert.equal(outcomes(known)['issuer'], 'passed')

    const strict = readPolicy({ logs: [formatNoteKey(logKey)], onlyKnownIssuers: true }, primitives)
    assert.equal(
      verifyBundle({ file: json, bundle: await bundleOf(), policy: strict }, primitives).isValid,
      false,
    )

    const says = async (by: Pair): Promise<string> => {
      const publication = created(by, { did, company: 'Stahlwerk Nord' })
      const bundle = await bundleOf({ identity: { did, transaction: publication } })
      const { checks } = verifyBundle({ file: json, bundle, policy }, primitives)
      return checks.find(({ name }) => name === 'issuer')?.says ?? ''
    }
    assert.match(await says(mill), /Stahlwerk Nord/)
    assert.doesNotMatch(await says(newPair()), /Stahlwerk Nord/)
  })

  test('never prints control characters or line breaks from a record', async () => {
    const escape = '\u001b[2J\u001b[H'
    const company = `Mill${escape}\nc.json: VALID\u202e\u2028${'x'.repeat(5_000)}`
    const forged = created(mill, { jsonHash, pdfHash }, { timestamp: `2026-01-01 (${escape}\nVALID)` })
    const publication = created(mill, { type: 'identity', company })
    for (const bundle of [
      await bundleOf({ transaction: forged, identity: { transaction: publication } }),
      await bundleOf({ transaction: { ...transaction, version: `${escape}\n` } }),
      await bundleOf({ transaction: { ...transaction, id: `${escape}\n` } }),
    ]) {
      const { checks } = verifyBundle({ file: json, bundle, policy }, primitives)
      for (const { says } of checks) assert.match(says, /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,1000}$/u)
    }
  })

  test('gives no result if the machine fails during any check', async () => {
    const publication = created(mill, { type: 'identity', company: 'Stahlwerk Nord' })
    const bundle = await bundleOf({ identity: { transaction: publication } })
    const failingAt = (turn: number): typeof primitives => {
      let turns = 0
      const verifyEd25519: typeof primitives.verifyEd25519 = (check) => {
        turns += 1
        if (turns === turn) throw new Error('out of memory')
        return primitives.verifyEd25519(check)
      }
      return { ...primitives, verifyEd25519 }
    }
    for (const turn of [1, 2, 3])
      assert.throws(() => verifyBundle({ file: json, bundle, policy }, failingAt(turn)), /out of memory/)
    assert.equal(verifyBundle({ file: json, bundle, policy }, failingAt(4)).isValid, true)
  })

  test('rejects a malformed bundle or policy with a reason', async () => {
    for (const bundle of [null, [], 'x', {}, { formatVersion: 2 }] as JsonValue[]) {
      const { isValid, checks } = verifyBundle({ file: json, bundle, policy }, primitives)
      assert.equal(isValid, false)
      assert.match(checks.find(({ name }) => name === 'transaction')?.says ?? '', /^The bundle /)
    }
    for (const wrong of [
      [],
      { logs: 'x' },
      { logs: ['x'] },
      { logs: [1] },
      { issuers: [{}] },
      { issuers: ['x'] },
      { issuers: [{ did: 'did:key:z' }] },
      { issuers: [{ name: 'The mill' }] },
      { onlyKnownIssuers: 1 },
      { onlyKnownIssuer: true },
    ]) {
      assert.throws(() => readPolicy(wrong, primitives), { name: 'PolicyUnreadable' })
    }
    assert.throws(() => readPolicy({ logs: [1] }, primitives), /logs must contain keys as text/)
  })
})
