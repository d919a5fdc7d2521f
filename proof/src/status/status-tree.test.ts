import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { leafHash, nodeHash } from '../log/merkle-hash.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { statusLeafHash, verifyStatus } from './status-leaf.ts'
import { createStatusTree } from './status-tree.ts'
import { certificateSubject, isSubject, keySubject } from './subject.ts'

const subjects = fc.constantFrom(
  ...Array.from({ length: 12 }, (_, at) => certificateSubject(at.toString(16).repeat(64))),
  keySubject('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'),
  keySubject('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'),
)
const histories = fc.array(subjects, { maxLength: 40 })

const grown = (history: readonly string[]) => {
  const tree = createStatusTree(primitives)
  for (const [entry, subject] of history.entries()) tree.add(subject, entry)
  return tree
}

/** RFC 6962 §2.1, straight from its text. */
const rootOf = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const half = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return nodeHash(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)), primitives)
}

describe('the status tree', () => {
  test('proves the corrections of every subject, with or without any', () => {
    fc.assert(
      fc.property(histories, subjects, (history, subject) => {
        const tree = grown(history)
        const entries = verifyStatus({ proof: tree.prove(subject), subject, head: tree.head }, primitives)
        assert.deepEqual(
          entries,
          history.flatMap((one, entry) => (one === subject ? entry : [])),
        )
      }),
    )
  })

  test('is an RFC 6962 tree over a chain of leaves, in the order of the first corrections', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const chain = ['', ...[...new Set(history)].toSorted()]
        const order = ['', ...new Set(history)]
        const leaves = order.map((subject) =>
          leafHash(
            new TextEncoder().encode(
              [
                subject,
                chain[chain.indexOf(subject) + 1] ?? '',
                history.flatMap((one, entry) => (one === subject ? entry : [])).join(' '),
              ].join('\n'),
            ),
            primitives,
          ),
        )
        const { head } = grown(history)
        assert.deepEqual(head, { size: leaves.length, root: rootOf(leaves) })
      }),
    )
  })

  test('does not prove the status of one subject with the leaf of another, or in another tree', () => {
    fc.assert(
      fc.property(histories, subjects, subjects, (history, one, other) => {
        const tree = grown(history)
        const proof = tree.prove(one)
        const asked = verifyStatus({ proof, subject: other, head: tree.head }, primitives)
        const right = history.flatMap((found, entry) => (found === other ? entry : []))
        if (asked !== undefined) assert.deepEqual(asked, right)
        const later = grown([...history, one])
        assert.equal(verifyStatus({ proof, subject: one, head: later.head }, primitives), undefined)
      }),
    )
  })

  test('refuses leaves whose text could be read in two ways', () => {
    const good = certificateSubject('a'.repeat(64))
    const leaf = { subject: good, next: '', entries: [1, 2] }
    for (const forged of [
      { ...leaf, subject: `${good}\n` },
      { ...leaf, next: 'x' },
      { ...leaf, entries: [2, 1] },
      { ...leaf, entries: [1, 1] },
      { ...leaf, entries: [-1] },
      { ...leaf, entries: [0.5] },
    ]) {
      const head = { size: 1, root: statusLeafHash(forged, primitives) }
      const proof = { ...forged, index: 0, path: [] }
      assert.equal(verifyStatus({ proof, subject: good, head }, primitives), undefined)
    }
    for (const text of ['', 'certificate ', 'key did:key:z', `certificate ${'A'.repeat(64)}`, `x ${good}`])
      assert.equal(isSubject(text), false)
  })
})
