import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { emptyTree, growTree, rootOf } from '../log/growing-tree.ts'
import { leafHash } from '../log/merkle-hash.ts'
import { type NoteKey, noteKey } from '../log/note.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { certificateSubject, keySubject } from '../status/subject.ts'
import { after, at, did, members, one, openLog, type Opened, policyOf } from './cases.fixture.ts'
import type { CorpusCase } from './cases.fixture.ts'
import { charactersOfNames } from './policies.corpus.fixture.ts'
import { transactionCases } from './transactions.corpus.fixture.ts'

const origin = 'mill.example/ledger/live'
const logOwner = ownerOf(201)
const key = noteKey(origin, decodeBase58(logOwner.publicKey), primitives)

export const signatureLine = ({ name, keyId }: NoteKey, signature: Uint8Array): string =>
  `— ${name} ${encodeBase64(concatBytes(keyId, signature))}\n`

/** The bundle with the lines that the log signs, or those of its signatures, as a log that lies could write them. */
export const resigned = (
  bundle: { readonly [name: string]: JsonValue },
  change: (lines: readonly string[]) => readonly string[],
  signatures: (right: string, wrong: string, text: string) => string = (right) => right,
): JsonValue => {
  const { proof = '' } = bundle
  if (typeof proof !== 'string') throw new TypeError('A bundle has a proof')
  const start = proof.indexOf('\n\n') + 2
  const lines = proof.slice(start, proof.lastIndexOf('\n\n')).split('\n')
  const text = `${change(lines).join('\n')}\n`
  const [right, wrong] = [text, `${text}x`].map((signed) => signatureLine(key, logOwner.sign(utf8(signed))))
  return {
    ...bundle,
    proof: `${proof.slice(0, start)}${text}\n${signatures(right ?? '', wrong ?? '', text)}`,
  }
}

type Lie = readonly [name: string, verdict: string, change: (lines: readonly string[]) => readonly string[]]
const replaced =
  (place: number, line: string): Lie[2] =>
  (lines) =>
    lines.with(place, line)
const added =
  (...more: readonly string[]): Lie[2] =>
  (lines) => [...lines, ...more]

const orders = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => (a === b ? [] : [[a, b, 3 - a - b]])))
const times = [
  '2026-11-22T05:50:00Z',
  '2026-11-22T05:50:00.000+00:00',
  '2026-11-22T05:50:00.0000Z',
  '2026-02-30T05:50:00.000Z',
  '2026-11-22T24:00:00.000Z',
  '2026-11-22T05:50:60.000Z',
  '+002026-11-22T05:50:00.000Z',
  '',
  'now',
]
const operators = [
  '',
  'did:key:z',
  'did:web:mill.example',
  `${did} `,
  ` ${did}`,
  did.slice(0, -1),
  `${did}1`,
  did.replace('z6', 'z16'),
  did.replace('z6', 'z06'),
]
const statuses = ['', '1', '01 =', '-1 AAAA', '1 AAAA', '1.0 ', '1e0 ']

/** Lines 3, 4 and 5 of a checkpoint are its time, its operator and the status tree. */
const lies = (): Lie[] => [
  ...orders.map(
    (order): Lie => [
      `lines in the order ${order.join()}`,
      'genuine',
      (lines) => [...lines.slice(0, 3), ...order.map((place) => lines[3 + place] ?? '')],
    ],
  ),
  ...[3, 4, 5].map(
    (place): Lie => [`line ${place} twice`, 'altered', (lines) => [...lines, lines[place] ?? '']],
  ),
  ...[
    'millseal-time',
    'millseal-operator',
    'millseal-status',
    'millseal-times x',
    'millseal-more 1',
    'Millseal-time x',
    ' millseal-time x',
    'x',
    'x y z',
  ].flatMap((line): Lie[] => [
    [`the line "${line}"`, 'genuine', added(line)],
    [`the line "${line}" before the others`, 'genuine', (lines) => lines.toSpliced(3, 0, line)],
    [`the line "${line}" twice`, 'genuine', added(line, line)],
  ]),
  ['an empty line at the end', 'altered', added('', 'x')],
  ['no line of time', 'altered', (lines) => lines.toSpliced(3, 1)],
  ['no line of the operator', 'unknownIssuer', (lines) => lines.toSpliced(4, 1)],
  ['no line of the status', 'unchecked', (lines) => lines.toSpliced(5, 1)],
  ['another operator', 'unknownIssuer', replaced(4, `millseal-operator ${did}`)],
  ...times.map((time): Lie => [`the time "${time}"`, 'altered', replaced(3, `millseal-time ${time}`)]),
  ['a time before the entry', 'altered', replaced(3, `millseal-time ${at(9)}`)],
  ['the time of the entry', 'genuine', replaced(3, `millseal-time ${at(10)}`)],
  ['the year 0', 'altered', replaced(3, 'millseal-time 0000-02-29T00:00:00.000Z')],
  ['the year 9999', 'genuine', replaced(3, 'millseal-time 9999-12-31T23:59:59.999Z')],
  ...operators.map(
    (operator): Lie => [
      `the operator "${operator}"`,
      'altered',
      replaced(4, `millseal-operator ${operator}`),
    ],
  ),
  ...statuses.map(
    (status): Lie => [`the status "${status}"`, 'altered', replaced(5, `millseal-status ${status}`)],
  ),
  ['more after the status', 'altered', (lines) => lines.with(5, `${lines[5]} x`)],
  ...['', '06', '6.0', '+6', ' 6', '5', '7', '0', '9007199254740993'].map(
    (size): Lie => [`the size "${size}"`, 'altered', replaced(1, size)],
  ),
  ['another root', 'altered', replaced(2, encodeBase64(new Uint8Array(32)))],
  ['a root of 31 bytes', 'altered', replaced(2, encodeBase64(new Uint8Array(31)))],
  ['a root without padding', 'altered', (lines) => lines.with(2, (lines[2] ?? '').replace('=', ''))],
]

const stranger = noteKey('witness.example', decodeBase58(ownerOf(77).publicKey), primitives)
const noise = signatureLine(stranger, new Uint8Array(64))
const signed: readonly (readonly [
  name: string,
  verdict: string,
  (right: string, wrong: string) => string,
])[] = [
  ['a right signature', 'genuine', (right) => right],
  ['a wrong signature', 'altered', (_, wrong) => wrong],
  ['a right signature twice', 'genuine', (right) => right + right],
  ['a wrong signature after a right one', 'altered', (right, wrong) => right + wrong],
  ['a wrong signature before a right one', 'altered', (right, wrong) => wrong + right],
  ['a wrong signature between two right ones', 'altered', (right, wrong) => right + wrong + right],
  ['a wrong signature after one of a stranger', 'altered', (right, wrong) => right + noise + wrong],
  [
    'a short signature after a right one',
    'altered',
    (right) => right + signatureLine(key, new Uint8Array(63)),
  ],
  [
    'a long signature after a right one',
    'altered',
    (right) => right + signatureLine(key, new Uint8Array(65)),
  ],
  ['a stranger before', 'genuine', (right) => noise + right],
  ['a stranger after', 'genuine', (right) => right + noise],
  ['only a stranger', 'altered', () => noise],
  ['63 strangers', 'genuine', (right) => noise.repeat(63) + right],
  ['64 strangers', 'altered', (right) => right + noise.repeat(64)],
  [
    'the id of the key under another name',
    'genuine',
    (right) => right + signatureLine({ ...key, name: 'mill.example' }, new Uint8Array(64)),
  ],
  [
    'the name of the key with another id',
    'genuine',
    (right) => right + signatureLine({ ...key, keyId: stranger.keyId }, new Uint8Array(64)),
  ],
  ...charactersOfNames.map(({ says, character, isAllowed }): (typeof signed)[number] => [
    `a name with ${says}`,
    isAllowed ? 'genuine' : 'altered',
    (right) => right + signatureLine({ ...key, name: `a${character}b` }, new Uint8Array(64)),
  ]),
  ['no name', 'altered', (right) => right + signatureLine({ ...key, name: '' }, new Uint8Array(64))],
  ['an empty line', 'altered', (right) => `${right}\n`],
  ['no end of the line', 'altered', (right) => right.slice(0, -1)],
  ['a line break of Windows', 'altered', (right) => right.replace('\n', '\r\n')],
  ['a hyphen in place of the dash', 'altered', (right) => right + noise.replace('—', '-')],
  ['two spaces', 'altered', (right) => right + noise.replace('— ', '—  ')],
  ['base64 without padding', 'altered', (right) => right + noise.replace('=', '')],
  ['base64 of four bytes', 'altered', (right) => right + signatureLine(stranger, new Uint8Array(0))],
  ['base64 with a line of text', 'altered', (right) => `${right}x\n`],
]

type Leaf = readonly [subject: string, next: string, entries: readonly number[]]

/** The bundle with a status tree of these leaves, of which `shown` answer for certificate and key. */
const withTree = (
  bundle: { readonly [name: string]: JsonValue },
  leaves: readonly Leaf[],
  shown: readonly number[],
) => {
  const hashes = leaves.map(([subject, next, entries]) =>
    leafHash(utf8(`${subject}\n${next}\n${entries.join(' ')}`), primitives),
  )
  const { tree } = growTree(emptyTree, hashes, primitives)
  const [left, right] = hashes
  const path = (place: number): string => {
    const beside = left === undefined || right === undefined ? undefined : [right, left][place]
    return beside === undefined ? '' : encodeBase64(beside)
  }
  const status = shown.map((index) => {
    const [subject = '', next = '', entries = []] = leaves[index] ?? []
    return { subject, next, entries: [...entries], index, path: path(index) }
  })
  const line = `millseal-status ${leaves.length} ${encodeBase64(rootOf(tree, primitives))}`
  return resigned({ ...bundle, status }, (lines) => lines.with(5, line))
}

/** Trees of one or two leaves. `0` × 64 is a certificate before every other, `f` × 64 one after. */
const trees = (
  id: string,
): readonly (readonly [
  name: string,
  verdict: string,
  leaves: readonly Leaf[],
  shown: readonly number[],
])[] => {
  const [low, high] = [certificateSubject('0'.repeat(64)), certificateSubject('f'.repeat(64))]
  const [own, mine] = [certificateSubject(id), keySubject(did)]
  const second = (leaf: Leaf, first: Leaf = ['', own, []]): readonly Leaf[] => [first, leaf]
  return [
    ['only the first leaf', 'genuine', [['', '', []]], [0, 0]],
    ['a first leaf with entries', 'altered', [['', '', [1]]], [0, 0]],
    ['a first leaf with the subject of another', 'altered', [[low, '', [1]]], [0, 0]],
    ['a first leaf with a subject and no entries', 'altered', [[low, '', []]], [0, 0]],
    ['a first leaf whose next is before the certificate', 'altered', [['', low, []]], [0, 0]],
    ['a first leaf whose next is the certificate', 'altered', [['', own, []]], [0, 0]],
    ['a first leaf whose next is no subject', 'altered', [['', 'z', []]], [0, 0]],
    ['a leaf before the certificate', 'genuine', second([low, '', [1]], ['', low, []]), [1, 1]],
    ['a leaf before the certificate without entries', 'altered', second([low, '', []]), [1, 1]],
    ['the empty subject in the second place', 'altered', second(['', '', []]), [1, 1]],
    ['a subject that is none', 'altered', second(['certificate 1', '', [1]]), [1, 1]],
    ['a subject in capitals', 'altered', second([certificateSubject('0A'.repeat(32)), '', [1]]), [1, 1]],
    ['a subject with a line break', 'altered', second([`${low}\n`, '', [1]]), [1, 1]],
    ['entries that descend', 'altered', second([low, '', [2, 1]]), [1, 1]],
    ['an entry twice', 'altered', second([low, '', [1, 1]]), [1, 1]],
    ['a next that is not greater', 'altered', second([high, low, [1]]), [1, 1]],
    ['a next that is the subject', 'altered', second([low, low, [1]]), [1, 1]],
    ['the certificate without entries', 'altered', second([own, '', []]), [1, 1]],
    ['the certificate with an entry that is left out', 'unchecked', second([own, '', [1]]), [1, 1]],
    ['the key with an entry that is left out', 'unchecked', second([mine, '', [1]], ['', mine, []]), [0, 1]],
    ['the leaves in the other order', 'altered', second([low, mine, [1]]), [1, 0]],
    ['one leaf', 'unchecked', [['', '', []]], [0]],
    ['three leaves', 'unchecked', [['', '', []]], [0, 0, 0]],
    ['a leaf that is not in the tree', 'altered', [['', '', []]], [0, 1]],
  ]
}

export const lyingCases = async (): Promise<CorpusCase[]> => {
  const opened: Opened = openLog()
  const bundle = members((await after(opened)).bundle)
  const policy = policyOf(opened)
  const given = await one('', '', async () => ({ bundle }))()
  const ask = (name: string, verdict: string, lie: JsonValue): CorpusCase => ({
    ...given,
    name,
    policy,
    verdict,
    bundle: lie,
  })
  return [
    ...lies().map(([name, verdict, change]) => ask(`checkpoint: ${name}`, verdict, resigned(bundle, change))),
    ...signed.map(([name, verdict, signatures]) =>
      ask(
        `signatures: ${name}`,
        verdict,
        resigned(bundle, (lines) => lines, signatures),
      ),
    ),
    ...trees(opened.certificate.id).map(([name, verdict, leaves, shown]) =>
      ask(`status tree: ${name}`, verdict, withTree(bundle, leaves, shown)),
    ),
    ...(await transactionCases()),
  ]
}
