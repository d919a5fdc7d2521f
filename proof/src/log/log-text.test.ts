import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseCheckpoint, signCheckpoint, verifyCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { readLogEntry, writeLogEntry } from './entry.ts'
import { leafHash, nodeHash } from './merkle-hash.ts'
import { formatNoteKey, noteKey, NoteRefused, parseNote, parseNoteKey, signNote, verifyNote } from './note.ts'
import { entriesPath, isTileOf, parseTilePath, readEntries, tilePath, writeEntries } from './tiles.ts'
import { parseTlogProof, verifyTlogProof, writeTlogProof } from './tlog-proof.ts'

const primitives = {
  sha256: (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  verifyEd25519: ({
    publicKey,
    message,
    signature,
  }: Record<'publicKey' | 'message' | 'signature', Uint8Array>) =>
    verify(
      null,
      message,
      { key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' },
      signature,
    ),
}

const makeSigner = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = noteKey(name, new Uint8Array(Buffer.from(x, 'base64url')), primitives)
  return { key, sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) }
}

const rejected = (reason: RegExp) => (error: unknown) =>
  error instanceof NoteRefused && reason.test(error.message)

describe('a signed note', () => {
  /** From the documentation of golang.org/x/mod/sumdb/note, the first implementation of the format. */
  const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
  const text =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`
  const enoch =
    '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n'
  const key = parseNoteKey(vkey, primitives)

  test('from the documentation verifies, also with an additional unknown signature', () => {
    assert.equal(formatNoteKey(key), vkey)
    assert.equal(verifyNote(note, [key], primitives).text, text)
    assert.deepEqual(verifyNote(note + enoch, [key], primitives).signedBy, [key])
  })

  test('is rejected if any character is changed', () => {
    for (let at = 0; at < note.length; at += 1) {
      const changed = `${note.slice(0, at)}${note[at] === 'x' ? 'y' : 'x'}${note.slice(at + 1)}`
      assert.throws(() => verifyNote(changed, [key], primitives), NoteRefused, `character ${at}`)
    }
  })

  test('is rejected if no trusted key has signed it', () => {
    const { key: stranger } = makeSigner('PeterNeumann')
    assert.throws(() => verifyNote(note, [stranger], primitives), rejected(/No trusted key/))
    assert.throws(() => verifyNote(note, [], primitives), rejected(/No trusted key/))
  })

  test('is rejected without any other error if it is malformed', () => {
    for (const bad of ['', '\n\n', 'text\n', `${text}\n`, `${note}\n`, `${text}\n— x y\n`, `a\0\n${note}`]) {
      assert.throws(() => parseNote(bad), NoteRefused)
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('—', ' ', '\n', 'a', 'A', '=', '+') }), (bad) => {
        assert.throws(() => parseNote(bad), NoteRefused)
      }),
    )
  })

  test('is not signed if its text is ambiguous', async () => {
    const signer = makeSigner('example.com/log')
    await assert.rejects(signNote('no newline', signer), NoteRefused)
    await assert.rejects(signNote('a\rb\n', signer), NoteRefused)
    assert.equal(verifyNote(await signNote('a\n\nb\n', signer), [signer.key], primitives).text, 'a\n\nb\n')
  })

  test('needs a key whose id matches its name and bytes', () => {
    for (const bad of [
      `x${vkey}`,
      vkey.replace('c74f20a3', 'c74f20a4'),
      `${vkey}A`,
      'a+b',
      '',
      vkey.replace('ARpc', 'BBpc'),
    ]) {
      assert.throws(() => parseNoteKey(bad, primitives), NoteRefused)
    }
    assert.throws(() => noteKey('two words', new Uint8Array(32), primitives), NoteRefused)
    assert.throws(() => noteKey('short', new Uint8Array(31), primitives), NoteRefused)
  })
})

describe('a checkpoint', () => {
  const root = primitives.sha256(new Uint8Array())
  const body = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'

  test('is read and written in the format of C2SP tlog-checkpoint', () => {
    const checkpoint = parseCheckpoint(body)
    assert.deepEqual([checkpoint.origin, checkpoint.size], ['example.com/behind-the-sofa', 20_852_163])
    assert.equal(writeCheckpoint(checkpoint), body)
    assert.equal(parseCheckpoint(`${body}an extension\n`).size, 20_852_163)
  })

  test('has extension lines for time, operator and status', () => {
    const checkpoint = {
      origin: 'mill.example/ledger/live',
      size: 7,
      root,
      time: '2026-11-22T05:30:00.000Z',
      operator: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      status: { size: 3, root },
    }
    const text = writeCheckpoint(checkpoint)
    assert.deepEqual(parseCheckpoint(text), checkpoint)
    assert.deepEqual(
      text
        .split('\n')
        .map((line) => line.split(' ')[0])
        .slice(3),
      ['millseal-time', 'millseal-operator', 'millseal-status', ''],
    )
    for (const line of [
      'millseal-time yesterday',
      'millseal-time 2026-11-22T05:30:00Z',
      'millseal-operator did:web:x',
      'millseal-status 3',
      `millseal-status 03 ${Buffer.from(root).toString('base64')}`,
      `millseal-status 3 ${Buffer.from(root).toString('base64')} x`,
    ])
      assert.throws(() => parseCheckpoint(`${body}${line}\n`), NoteRefused, line)
    const twice = `${body}millseal-time ${checkpoint.time}\nmillseal-time ${checkpoint.time}\n`
    assert.throws(() => parseCheckpoint(twice), rejected(/more than one/))
  })

  test('is rejected if size or root are not canonical, or with an empty line', () => {
    const [origin = '', size = '', hash = ''] = body.split('\n')
    for (const lines of [
      [origin, `0${size}`, hash],
      [origin, '-1', hash],
      [origin, '9007199254740993', hash],
      [origin, size, hash.slice(0, -4)],
      [origin, size, hash.replace('q2I=', 'q2J=')],
      ['', size, hash],
      [origin, size, hash, '', 'x'],
      [origin, size],
    ]) {
      assert.throws(() => parseCheckpoint(`${lines.join('\n')}\n`), NoteRefused)
    }
    assert.throws(() => parseCheckpoint(body.slice(0, -1)), NoteRefused)
  })

  test('is valid only if the log of its origin has signed it', async () => {
    const log = makeSigner('example.com/log')
    const note = await signCheckpoint({ origin: 'example.com/log', size: 0, root }, log)
    assert.equal(verifyCheckpoint(note, log.key, primitives).size, 0)
    const other = await signCheckpoint({ origin: 'example.com/other', size: 0, root }, log)
    assert.throws(
      () => verifyCheckpoint(other, log.key, primitives),
      rejected(/The log example.com\/other has not signed it/),
    )
  })
})

describe('a proof of a log', () => {
  const entry = Buffer.from('the entry')
  const sibling = leafHash(Buffer.from('another'), primitives)
  const log = makeSigner('example.com/log')
  const make = async () => {
    const root = nodeHash(sibling, leafHash(entry, primitives), primitives)
    const checkpoint = await signCheckpoint({ origin: 'example.com/log', size: 2, root }, log)
    return writeTlogProof({ index: 1, path: [sibling], checkpoint })
  }

  test('verifies only for its entry', async () => {
    const proof = await make()
    assert.equal(verifyTlogProof({ proof, entry, key: log.key }, primitives).checkpoint.size, 2)
    const other = Buffer.from('the entrx')
    assert.throws(
      () => verifyTlogProof({ proof, entry: other, key: log.key }, primitives),
      rejected(/does not connect/),
    )
    const moved = proof.replace('index 1', 'index 0')
    assert.throws(
      () => verifyTlogProof({ proof: moved, entry, key: log.key }, primitives),
      rejected(/does not connect/),
    )
  })

  test('can have extra data, which is unsigned and skipped', async () => {
    const proof = (await make()).replace('index', 'extra aGVsbG8=\nindex')
    assert.deepEqual(parseTlogProof(proof).index, 1)
  })

  test('is rejected if any character is changed', async () => {
    const proof = await make()
    for (let at = 0; at < proof.length; at += 1) {
      const changed = `${proof.slice(0, at)}${proof[at] === 'x' ? 'y' : 'x'}${proof.slice(at + 1)}`
      assert.throws(() => verifyTlogProof({ proof: changed, entry, key: log.key }, primitives), NoteRefused)
    }
  })

  test('is rejected if it is truncated or padded', async () => {
    const proof = await make()
    for (const bad of ['', proof.slice(0, 40), ` ${proof}`, proof.replace('index 1', 'index 01')]) {
      assert.throws(() => verifyTlogProof({ proof: bad, entry, key: log.key }, primitives), NoteRefused)
    }
    const long = proof.replace('\n\n', `\n${'A'.repeat(43)}=`.repeat(60) + '\n\n')
    assert.throws(() => parseTlogProof(long), NoteRefused)
  })
})

describe('tiles', () => {
  test('have the paths of C2SP tlog-tiles', () => {
    assert.equal(tilePath({ level: 0, index: 1_234_067, width: 256 }), 'tile/0/x001/x234/067')
    assert.equal(tilePath({ level: 1, index: 0, width: 17 }), 'tile/1/000.p/17')
    assert.equal(entriesPath({ index: 1_000, width: 256 }), 'tile/entries/x001/000')
  })

  test('have no other paths', () => {
    fc.assert(
      fc.property(fc.nat(63), fc.nat(10 ** 9), fc.integer({ min: 1, max: 256 }), (level, index, width) => {
        assert.deepEqual(parseTilePath(tilePath({ level, index, width })), { level, index, width })
        assert.deepEqual(parseTilePath(entriesPath({ index, width })), { level: 'entries', index, width })
      }),
    )
    for (const bad of [
      'tile/00/000',
      'tile/64/000',
      'tile/0/x000/001',
      'tile/0/1',
      'tile/0/../../key',
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/0/000.p/07',
      'tile/0/000/',
      'checkpoint',
      '/tile/0/000',
      'tile/0/000\n',
    ]) {
      assert.equal(parseTilePath(bad), undefined, bad)
    }
  })

  test('belong to a tree that is large enough', () => {
    assert.ok(isTileOf(300, { level: 'entries', index: 1, width: 44 }))
    assert.ok(!isTileOf(300, { level: 0, index: 1, width: 45 }))
    assert.ok(isTileOf(256, { level: 1, index: 0, width: 1 }))
    assert.ok(!isTileOf(255, { level: 1, index: 0, width: 1 }))
  })

  test('of entries are read as written, and rejected if the lengths do not add up', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 20 }), (entries) => {
        const bundle = writeEntries(entries)
        assert.deepEqual(
          readEntries(bundle)?.map((entry) => [...entry]),
          entries.map((entry) => [...entry]),
        )
        if (bundle.length > 0) assert.notDeepEqual(readEntries(bundle.slice(0, -1))?.length, entries.length)
      }),
    )
    assert.equal(readEntries(Uint8Array.of(0)), undefined)
    assert.throws(() => writeEntries([new Uint8Array(65_536)]), RangeError)
  })
})

describe('an entry', () => {
  const transaction = { b: 'x\ny', a: 1 }
  const time = '2026-11-22T05:30:00.000Z'

  test('has the canonical transaction and the time, on two lines', () => {
    const bytes = writeLogEntry({ transaction, time })
    assert.equal(new TextDecoder().decode(bytes), `{"a":1,"b":"x\\ny"}\n${time}`)
    assert.deepEqual(readLogEntry(bytes), { transaction, time })
  })

  test('of an older log has no time', () => {
    const bytes = writeLogEntry({ transaction })
    assert.equal(new TextDecoder().decode(bytes), '{"a":1,"b":"x\\ny"}')
    assert.deepEqual(readLogEntry(bytes), { transaction })
  })

  test('with anything else on its second line is refused', () => {
    for (const line of ['', '2026-11-22', `${time}\n`, `${time} `, 'x'])
      assert.throws(() => readLogEntry(new TextEncoder().encode(`{}\n${line}`)), rejected(/malformed time/))
  })
})
