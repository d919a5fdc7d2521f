import { encodeHex } from '../encoding/hex.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { encodeBase64Url } from '../encoding/base64.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import type { JsonValue } from '../json/read.ts'
import type { Owner } from '../ledger/owners.fixture.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import {
  after,
  asJson,
  at,
  correct,
  did,
  identityOf,
  jsonHash,
  mill,
  members,
  one,
  type Opened,
  pdfHash,
  recovery,
  reviewOf,
  thief,
} from './cases.fixture.ts'
import type { CorpusCase } from './cases.fixture.ts'
import { didOfOwner, record } from './log.fixture.ts'

type Fields = { readonly [name: string]: JsonValue }

/** A canonical text of its own, for ASCII without escapes: names of such texts sort alike everywhere. */
const textOf = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${textOf(value[name] ?? null)}`)
    .join(',')}}`
}

/** Signs a changed transaction again, so that only its form can be wrong. */
const signedAgain = (
  transaction: SignedTransaction,
  owner: Owner,
  change: (fields: Fields) => Fields,
): SignedTransaction => {
  const changed = members(asJson(change(members(asJson(transaction)))))
  const [input = null, ...more] = changed['inputs'] as JsonValue[]
  const withFulfillment = (fulfillment: string | null) => [{ ...members(input), fulfillment }, ...more]
  const unsigned = { ...changed, id: null, inputs: withFulfillment(null) }
  const signature = owner.sign(primitives.sha3_256(utf8(textOf(unsigned))))
  const der = concatBytes(
    Uint8Array.of(0xa4, 0x64, 0x80, 0x20),
    decodeBase58(owner.publicKey),
    Uint8Array.of(0x81, 0x40),
    signature,
  )
  const inputs = withFulfillment(encodeBase64Url(der))
  const id = encodeHex(primitives.sha3_256(utf8(textOf({ ...changed, id: null, inputs }))))
  return { ...changed, id, inputs } as unknown as SignedTransaction
}

const nested = (levels: number): JsonValue => {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
const assetWith =
  (more: Fields) =>
  (fields: Fields): Fields => ({
    ...fields,
    asset: { data: { ...members(members(fields['asset'] ?? null)['data'] ?? null), ...more } },
  })
const inputWith =
  (more: Fields) =>
  (fields: Fields): Fields => ({
    ...fields,
    inputs: [{ ...members((fields['inputs'] as JsonValue[])[0] ?? null), ...more }],
  })

const without =
  (name: string) =>
  ({ [name]: _without, ...fields }: Fields): Fields =>
    fields

/** Forms of a signed and recorded transaction: `true` if a bundle may contain it. */
const forms: readonly (readonly [name: string, isRight: boolean, change: (fields: Fields) => Fields])[] = [
  ['as it is', true, (fields) => fields],
  ['another member', true, (fields) => ({ ...fields, more: 1 })],
  ['another member that is null', true, (fields) => ({ ...fields, more: null })],
  ['no metadata', true, without('metadata')],
  ['metadata null', true, (fields) => ({ ...fields, metadata: null })],
  ['metadata a text', true, (fields) => ({ ...fields, metadata: 'x' })],
  ['metadata empty', true, (fields) => ({ ...fields, metadata: {} })],
  ['no outputs', true, without('outputs')],
  ['outputs empty', true, (fields) => ({ ...fields, outputs: [] })],
  ['outputs a text', true, (fields) => ({ ...fields, outputs: 'x' })],
  [
    'an output with a stale uri',
    true,
    (fields) => ({
      ...fields,
      outputs: [
        {
          ...members((fields['outputs'] as JsonValue[])[0] ?? null),
          condition: { details: {}, uri: 'ni:///sha-256;stale' },
        },
      ],
    }),
  ],
  ['names that BigchainDB refuses', true, assetWith({ $a: 'x', 'a.b': 'x' })],
  ['more in asset.data', true, assetWith({ more: { deep: [1, null, true] } })],
  ['64 levels', true, (fields) => ({ ...fields, metadata: nested(63) })],
  [
    'integers at the bounds',
    true,
    (fields) => ({ ...fields, metadata: { a: Number.MAX_SAFE_INTEGER, b: -Number.MAX_SAFE_INTEGER, c: 0 } }),
  ],
  ['version 1.0', false, (fields) => ({ ...fields, version: '1.0' })],
  ['version a number', false, (fields) => ({ ...fields, version: 2 })],
  ['no version', false, without('version')],
  [
    'operation TRANSFER with the asset of a CREATE',
    false,
    (fields) => ({ ...fields, operation: 'TRANSFER' }),
  ],
  ['operation create', false, (fields) => ({ ...fields, operation: 'create' })],
  ['no operation', false, without('operation')],
  [
    'another member in asset',
    false,
    (fields) => ({ ...fields, asset: { ...members(fields['asset'] ?? null), more: 1 } }),
  ],
  ['no asset', false, without('asset')],
  ['asset null', false, (fields) => ({ ...fields, asset: null })],
  ['asset.data a text', false, (fields) => ({ ...fields, asset: { data: 'x' } })],
  ['asset.data a list', false, (fields) => ({ ...fields, asset: { data: [] } })],
  ['asset without data', false, (fields) => ({ ...fields, asset: {} })],
  ['another member in the input', false, inputWith({ more: 1 })],
  [
    'an input that spends',
    false,
    inputWith({ fulfills: { transaction_id: '0'.repeat(64), output_index: 0 } }),
  ],
  ['fulfills false', false, inputWith({ fulfills: false })],
  ['no owner', false, inputWith({ owners_before: [] })],
  ['another owner', false, inputWith({ owners_before: [thief.publicKey] })],
  ['two owners', false, inputWith({ owners_before: [mill.publicKey, thief.publicKey] })],
  ['the owner twice', false, inputWith({ owners_before: [mill.publicKey, mill.publicKey] })],
  [
    'two inputs',
    false,
    (fields) => ({ ...fields, inputs: [fields['inputs'], fields['inputs']].flat() as JsonValue[] }),
  ],
]

/** As entry the form decides alone; as identity too, although the issuer is known by the policy. */
const formCases = forms.flatMap(([name, isRight, change]) => {
  const verdict = isRight ? 'genuine' : 'altered'
  return [
    one(`transaction: ${name}`, verdict, async ({ log, known }) => {
      const right = record(mill, { jsonHash, pdfHash })
      const certificate = signedAgain(right, mill, change)
      log.add(right, at(20), undefined, certificate)
      return { bundle: await log.bundle(certificate, known, at(50)) }
    }),
    one(`identity: ${name}`, verdict, async ({ log, certificate, review }) => {
      const identity = signedAgain(identityOf(), mill, change)
      log.add(identityOf(), at(20), undefined, identity)
      return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
    }),
  ]
})

const texts = ['company', 'vatId', 'reviewedAt', 'evidence'] as const
const notTexts: readonly JsonValue[] = [null, 7, true, [], {}]

/** Members of identity and review that must be texts. */
const textMemberCases = texts.flatMap((name) =>
  notTexts.flatMap((value) => {
    const says = `${name} as ${JSON.stringify(value)}`
    const review = one(`review: ${says}`, 'unknownIssuer', async ({ log, certificate, identity }) => {
      const claim = log.add(
        signedAgain(reviewOf(log.operator), log.operator, assetWith({ [name]: value })),
        at(20),
      )
      return { bundle: await log.bundle(certificate, { identity, review: claim }, at(50)) }
    })
    if (name === 'reviewedAt' || name === 'evidence') return [review]
    const identity = one(
      `identity: ${says}`,
      'unknownIssuer',
      async ({ log, certificate, review: known }) => {
        const claim = log.add(signedAgain(identityOf(), mill, assetWith({ [name]: value })), at(20))
        return { bundle: await log.bundle(certificate, { identity: claim, review: known }, at(50)) }
      },
    )
    return [review, identity]
  }),
)

const id = '0'.repeat(64)
const reason = 'x'
/** Corrections of the certificate that break the rules of their table. */
const malformed: readonly (readonly [name: string, more: Fields])[] = [
  ['an empty reason', { action: 'withdraw', reason: '' }],
  ['a reason of 501 code points', { action: 'withdraw', reason: '\u{1f600}'.repeat(501) }],
  ['a reason that is a number', { action: 'withdraw', reason: 1 }],
  ['another action', { action: 'pardon', reason }],
  ['another member', { action: 'withdraw', reason, more: 'x' }],
  ['a withdrawal with replacedBy', { action: 'withdraw', reason, replacedBy: id }],
  ['a replacement without replacedBy', { action: 'replace', reason }],
  ['a replacement by no id', { action: 'replace', reason, replacedBy: 'x' }],
  ['a replacement in capitals', { action: 'replace', reason, replacedBy: 'A'.repeat(64) }],
  ['a replacement by a number', { action: 'replace', reason, replacedBy: 1 }],
]
const malformedKeys: readonly (readonly [name: string, more: Fields])[] = [
  ['no since', {}],
  ['a since that is no time', { since: '2026-11-22' }],
  ['a since without milliseconds', { since: '2026-11-22T05:05:00Z' }],
  ['a since in the year 0 that is no day', { since: '0001-02-29T00:00:00.000Z' }],
  ['another member', { since: at(5), more: 'x' }],
  ['a transactionId', { since: at(5), transactionId: id }],
]

const malformedCases = [
  ...malformed.map(([name, more]) =>
    one(`correction: ${name}`, 'altered', async (opened) =>
      recorded(opened, { action: 'withdraw', transactionId: opened.certificate.id }, more),
    ),
  ),
  ...malformedKeys.map(([name, more]) =>
    one(`revocation: ${name}`, 'altered', async (opened) =>
      recorded(opened, { action: 'revoke-key', did, since: at(5) }, more),
    ),
  ),
  one('correction: a reason of 500 code points', 'withdrawn', (opened) =>
    after(
      opened,
      correct(mill, {
        action: 'withdraw',
        transactionId: opened.certificate.id,
        reason: '\u{1f600}'.repeat(500),
      }),
    ),
  ),
  one('correction: of the type of another record', 'unknownStatus', async (opened) =>
    recorded(opened, { action: 'withdraw', transactionId: opened.certificate.id }, { type: 'corrections' }),
  ),
]

/** Records a correction of the right form in the status tree, but another one, signed as well, as its entry. */
const recorded = async (
  { log, certificate, known }: Opened,
  right: Readonly<Record<string, string>>,
  more: Fields,
) => {
  const correction = correct(mill, right)
  const lie = signedAgain(correction, mill, (fields) => {
    const { since: _, ...data } = members(members(fields['asset'] ?? null)['data'] ?? null)
    return { ...fields, asset: { data: { ...data, ...more } } }
  })
  log.add(correction, at(20), undefined, lie)
  return { bundle: await log.bundle(certificate, { ...known, corrections: [lie] }, at(50)) }
}

const recoveryCases = [
  one('a recovery key in an identity for another DID', 'revoked', async ({ log, certificate, review }) => {
    const identity = log.add(
      identityOf(mill, { did: didOfOwner(thief), recoveryDid: didOfOwner(recovery) }),
      at(15),
    )
    log.add(correct(recovery, { action: 'revoke-key', did, since: at(5) }), at(20))
    return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
  }),
  one(
    'a recovery key in a record that is no identity',
    'unknownIssuer',
    async ({ log, certificate, review }) => {
      const identity = log.add(
        identityOf(mill, { type: 'identities', recoveryDid: didOfOwner(recovery) }),
        at(15),
      )
      log.add(correct(recovery, { action: 'revoke-key', did, since: at(5) }), at(20))
      return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
    },
  ),
]

/** Bundles whose transactions were signed and recorded in the form that is asked about. */
export const transactionCases = (): Promise<CorpusCase[]> =>
  Promise.all([...formCases, ...textMemberCases, ...malformedCases, ...recoveryCases].map((make) => make()))
