import { encodeBase64 } from '../encoding/base64.ts'
import { utf8 } from '../encoding/bytes.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { formatNoteKey, noteKey } from '../log/note.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { type CorpusCase, after, members, one, policyOf } from './cases.fixture.ts'
import { resigned, signatureLine } from './lying-logs.corpus.fixture.ts'

const secondOwner = ownerOf(203)
const origin = 'mill.example/ledger/live'

const signatures: readonly (readonly [
  name: string,
  verdict: string,
  signed: (signature: { readonly own: string; readonly right: string; readonly wrong: string }) => string,
])[] = [
  ['only the first signed', 'genuine', ({ own }) => own],
  ['only the second signed', 'genuine', ({ right }) => right],
  ['both signed', 'genuine', ({ own, right }) => own + right],
  ['a wrong signature of the second after the first', 'altered', ({ own, wrong }) => own + wrong],
  ['a wrong signature of the second before the first', 'altered', ({ own, wrong }) => wrong + own],
  ['only a wrong signature of the second', 'altered', ({ wrong }) => wrong],
]

/** A policy with two keys, and a checkpoint with signatures of both. */
const twoKeys = [true, false].flatMap((isFirst) =>
  [origin, 'witness.example'].flatMap((name) =>
    signatures.map(([says, verdict, signed]) => {
      const key = noteKey(name, decodeBase58(secondOwner.publicKey), primitives)
      const isOfLog = name === origin
      const where = `${isOfLog ? 'of one log' : 'of two names'}${isFirst ? '' : ', in the other order'}`
      const expected = isOfLog || says !== 'only the second signed' ? verdict : 'altered'
      return one(`two keys ${where}: ${says}`, expected, async (opened) => {
        const bundle = members((await after(opened)).bundle)
        const lie = resigned(
          bundle,
          (lines) => lines,
          (own, _, text) => {
            const [right = '', wrong = ''] = [text, `${text}x`].map((of) =>
              signatureLine(key, secondOwner.sign(utf8(of))),
            )
            return signed({ own, right, wrong })
          },
        )
        const logs = [opened.log.vkey, formatNoteKey(key)]
        return { bundle: lie, policy: policyOf(opened, { logs: isFirst ? logs : logs.toReversed() }) }
      })
    }),
  ),
)

/** Names of logs that are no white space, although some languages think so. */
const names = [
  '\ufeffmill.example/ledger/live',
  'mill.example/\ufeffledger/live',
  'mill.example/ledger/live\ufeff',
  'mill.example/ledger/test\ufeff',
  'm\u200bill.example/ledger/live',
].map((name) => one(`the log ${JSON.stringify(name)} (${encodeBase64(utf8(name))})`, 'genuine', after, name))

export const keyCases = (): Promise<CorpusCase[]> => Promise.all([...twoKeys, ...names].map((make) => make()))
