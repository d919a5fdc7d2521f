import assert from 'node:assert/strict'
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nodePrimitives } from '../../node/primitives.ts'
import { portablePrimitives } from '../primitives.ts'
import { smallPrimitives } from '../small-primitives.ts'
import { parseCheckpoint, signCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import {
  collectCosignatures,
  cosign,
  cosignerKey,
  formatCosignerKey,
  parseCosignerKey,
} from './cosignature.ts'
import { cosigned } from './cosigned.fixture.ts'
import { formatNoteKey, noteKey, NoteRefused, parseNoteKey, splitNote, verifyNote } from './note.ts'

const { cosigners } = cosigned
const text: string = cosigned.text
const lines = cosigners.map(({ line }) => line)
const keys = cosigners.map(({ vkey }) => parseCosignerKey(vkey, nodePrimitives))

/** RFC 8410: the seed of an Ed25519 key in PKCS #8. */
const privateKeyOf = (name: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      createHash('sha256').update(name).digest(),
    ]),
    format: 'der',
    type: 'pkcs8',
  })
const signerOf = (name: string) => (message: Uint8Array) =>
  new Uint8Array(sign(null, message, privateKeyOf(name)))

const collect = (given: readonly string[], from = text, known = keys) =>
  collectCosignatures({ text: from, lines: given }, known, nodePrimitives)
const namesIn = (given: readonly string[], from = text, known = keys) =>
  collect(given, from, known).map(({ key }) => key.name)

/** Every text of the same length that differs in one character. */
const alterations = (whole: string): string[] =>
  Array.from(whole, (old, at) => {
    const other = old === 'A' ? 'B' : 'A'
    return whole.slice(0, at) + other + whole.slice(at + 1)
  })

describe('a cosignature', () => {
  test('of another implementation is read, with its time, by all our primitives', () => {
    for (const primitives of [nodePrimitives, portablePrimitives, smallPrimitives])
      assert.deepEqual(
        collectCosignatures({ text, lines }, keys, primitives).map(({ key, timeSeconds, line }) => ({
          name: key.name,
          vkey: formatCosignerKey(key),
          timeSeconds,
          line,
        })),
        cosigners,
      )
  })

  test('is written byte for byte as by another implementation', async () => {
    for (const [at, { name, timeSeconds, line }] of cosigners.entries()) {
      const key = keys[at]
      assert.ok(key)
      assert.equal(await cosign(text, timeSeconds, { key, sign: signerOf(name) }), line)
    }
  })

  test('does not count if any character of its line is changed', () => {
    for (const line of lines)
      for (const changed of alterations(line)) assert.deepEqual(collect([changed]), [], changed)
  })

  test('does not count if any bit of its bytes is changed', () => {
    for (const [at, line] of lines.entries()) {
      const [dash = '', name = '', encoded = ''] = line.split(' ')
      const bytes = Buffer.from(encoded, 'base64')
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        assert.deepEqual(collect([`${dash} ${name} ${changed.toString('base64')}`]), [], `${at}: bit ${bit}`)
      }
    }
  })

  test('does not count for a text that differs in any character, extension lines included', () => {
    for (const changed of alterations(text)) {
      let found: unknown[] = []
      try {
        found = collect(lines, changed)
      } catch (error) {
        assert.ok(error instanceof NoteRefused)
      }
      assert.deepEqual(found, [], changed)
    }
  })

  test('does not count if it is too short or too long, or its time is after the year 9999', async () => {
    const [key] = keys
    assert.ok(key)
    const { name } = key
    const bytes = Buffer.from(lines[0]?.split(' ')[2] ?? '', 'base64')
    for (const other of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), bytes.subarray(0, 12)])
      assert.deepEqual(collect([`— ${name} ${other.toString('base64')}`]), [])
    const at = (timeSeconds: number) => cosign(text, timeSeconds, { key, sign: signerOf(name) })
    assert.equal(collect([await at(253_402_300_799)])[0]?.timeSeconds, 253_402_300_799)
    assert.deepEqual(collect([await at(253_402_300_800)]), [])
  })

  test('is only made for a checkpoint', async () => {
    const [key] = keys
    assert.ok(key)
    for (const other of ['', 'a letter\n', `${text}\n`, text.slice(0, -1)]) {
      await assert.rejects(cosign(other, 1, { key, sign: signerOf(key.name) }), NoteRefused)
      assert.throws(() => collect(lines, other), NoteRefused)
    }
  })
})

describe('the cosignatures of a note', () => {
  const junk = fc.oneof(
    fc.constantFrom(
      '',
      '—',
      '— ',
      '— inspection.example/w1',
      '— inspection.example/w1 ',
      `— inspection.example/w1 ${lines[1]?.split(' ')[2]}`,
      `${lines[0]} `,
      ` ${lines[0]}`,
      `${lines[0]}=`,
    ),
    fc.string({ unit: fc.constantFrom('—', ' ', 'a', 'A', '=', '+', '/', '1') }),
    fc.string(),
    fc.constantFrom(...lines).chain((line) => fc.constantFrom(...alterations(line))),
  )

  test('are exactly the valid lines, whatever is between them', () => {
    fc.assert(
      fc.property(
        fc.subarray([...lines]),
        fc.array(junk),
        fc.infiniteStream(fc.nat(20)),
        (valid, wrong, places) => {
          const mixed: string[] = [...valid]
          for (const one of wrong) {
            const { value } = places.next()
            mixed.splice(Number(value) % (mixed.length + 1), 0, one)
          }
          assert.deepEqual(
            collect(mixed).map(({ line }) => line),
            valid,
          )
        },
      ),
    )
  })

  test('include none of a key that is not asked for, even under a known name', () => {
    assert.deepEqual(namesIn(lines, text, keys.slice(2)), [keys[2]?.name, keys[3]?.name])
    assert.deepEqual(namesIn(lines, text, []), [])
    const [first, second] = keys
    assert.ok(first && second)
    const thief = cosignerKey(first.name, second.cosignerPublicKey, nodePrimitives)
    assert.deepEqual(namesIn(lines, text, [thief]), [])
  })

  test('count a repeated line once, and two times of one cosigner as two', async () => {
    const [key] = keys
    assert.ok(key)
    const later = await cosign(text, 1_795_949_700, { key, sign: signerOf(key.name) })
    assert.deepEqual(
      collect([lines[0], later, lines[0]].map(String)).map(({ timeSeconds }) => timeSeconds),
      [cosigners[0].timeSeconds, 1_795_949_700],
    )
  })

  test('leave the signature of the log valid, and are found in the whole note', async () => {
    const [first] = cosigners
    const log = {
      key: noteKey(
        'mill.example/ledger/live',
        keys[0]?.cosignerPublicKey ?? new Uint8Array(),
        nodePrimitives,
      ),
      sign: signerOf(first.name),
    }
    const note = `${await signCheckpoint(parseCheckpoint(text), log)}${lines.map((line) => `${line}\n`).join('')}`
    assert.equal(verifyCheckpoint(note, log.key, nodePrimitives).size, 700)
    assert.equal(collectCosignatures(splitNote(note), keys, nodePrimitives).length, 4)
  })

  test('are no signatures of a log, nor the other way round, even with one key and one name', async () => {
    const [first] = cosigners
    const [key] = keys
    assert.ok(key)
    const log = { key: noteKey(key.name, key.cosignerPublicKey, nodePrimitives), sign: signerOf(first.name) }
    const note = await signCheckpoint(parseCheckpoint(text), log)
    assert.deepEqual(collectCosignatures(splitNote(note), [key], nodePrimitives), [])
    assert.throws(() => verifyNote(`${text}\n${lines[0]}\n`, [log.key], nodePrimitives), NoteRefused)
  })
})

describe('the key of a cosigner', () => {
  const [{ vkey }] = cosigners

  test('is written as it is read, and refused if any character is changed', () => {
    assert.equal(formatCosignerKey(parseCosignerKey(vkey, nodePrimitives)), vkey)
    for (const changed of alterations(vkey))
      assert.throws(() => parseCosignerKey(changed, nodePrimitives), NoteRefused, changed)
  })

  test('is not that of a log, and a log is no cosigner', () => {
    assert.throws(() => parseNoteKey(vkey, nodePrimitives), /not the key of a log/)
    const log = noteKey('mill.example', keys[0]?.cosignerPublicKey ?? new Uint8Array(), nodePrimitives)
    assert.throws(() => parseCosignerKey(formatNoteKey(log), nodePrimitives), /not the key of a cosigner/)
  })

  test('of type ML-DSA-44 is refused with the reason', () => {
    const encoded = Buffer.concat([Buffer.of(6), Buffer.alloc(1312)]).toString('base64')
    assert.throws(
      () => parseCosignerKey(`inspection.example/w1+00000000+${encoded}`, nodePrimitives),
      /inspection\.example\/w1 is one for ML-DSA-44/,
    )
  })
})
