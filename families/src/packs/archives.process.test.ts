import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type ArchivedFile, filesOf, tarGzOf, zipOf } from '../../test/archives.ts'
import { PackRejected } from './manifest.ts'
import { offerLimits } from './offer/collector.ts'
import { readOffer } from './offer/read-offer.ts'

const read = async (archive: Buffer) => {
  const { files, unusable } = await readOffer({ archive })
  return {
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()])),
    unusable: Object.fromEntries(unusable),
  }
}

const rejects = async (archive: Buffer, reason: RegExp): Promise<void> => {
  await assert.rejects(read(archive), (error: unknown) => {
    assert.ok(error instanceof PackRejected, String(error))
    assert.match(error.message, reason)
    return true
  })
}

const kinds: readonly (readonly [string, (files: readonly ArchivedFile[]) => Buffer])[] = [
  ['zip', zipOf],
  ['tar.gz', tarGzOf],
]
const long = `${'folder/'.repeat(14)}${'n'.repeat(90)}.json`

for (const [kind, archiveOf] of kinds) {
  describe(`an offered ${kind}`, () => {
    test('gives the JSON files and licences, wherever they are', async () => {
      const contents = { 'a-1.0/schema.json': '{"a":1}', 'a-1.0/LICENSE': 'text', [long]: '{}' }
      const others = {
        'a-1.0/readme.md': 'x',
        'a-1.0/test/b.json': '{}',
        'a-1.0/node_modules/c/d.json': '{}',
      }
      assert.deepEqual(await read(archiveOf(filesOf({ ...contents, ...others }))), {
        files: contents,
        unusable: {},
      })
    })

    test('is rejected if a path leaves it or is contained twice', async () => {
      const paths = ['../a.json', 'a/../../b.json', '/etc/a.json', 'a//b.json', 'C:/a.json', 'a\\..\\b.json']
      for (const path of paths) {
        await rejects(archiveOf(filesOf({ [path]: '{}' })), /is not a path within it/)
      }
      const twice = filesOf({ 'a.json': '{}' })
      await rejects(archiveOf([...twice, ...twice]), /a\.json is contained twice/)
      const many = Array.from({ length: offerLimits.entries + 1 }, (_, at) => ({
        path: `${at}.txt`,
        content: '',
      }))
      await rejects(archiveOf(many), /more than 20000 files/)
    })

    test('reads no links and no large files', async () => {
      const link = { path: 'schema.json', content: '/etc/passwd', mode: 0o120777, kind: '2' }
      const large = { path: 'large.json', content: ' '.repeat(offerLimits.fileBytes + 1) }
      const { files, unusable } = await read(archiveOf([link, large]))
      assert.deepEqual(files, {})
      assert.deepEqual(Object.keys(unusable), ['schema.json', 'large.json'])
    })

    test('is rejected or read, whatever is changed in it', async () => {
      const archive = archiveOf(filesOf({ 'a/schema.json': '{"a":1}', 'b/LICENSE': 'text' }))
      const change = fc.tuple(fc.nat(archive.length - 1), fc.nat(255), fc.nat(archive.length))
      await fc.assert(
        fc.asyncProperty(change, async ([at, byte, length]) => {
          const changed = Buffer.from(archive.subarray(0, length))
          if (at < length) changed[at] = byte
          await read(changed).catch((error: unknown) =>
            assert.ok(error instanceof PackRejected, String(error)),
          )
        }),
        { numRuns: 1_000 },
      )
    })
  })
}

describe('an offered archive', () => {
  test('may be made by the tar of the machine', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
    t.after(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'EN10168/v9.0.0'), { recursive: true })
    await writeFile(join(folder, 'EN10168/v9.0.0/schema.json'), '{"a":1}')
    await symlink('/etc/passwd', join(folder, 'EN10168/v9.0.0/translations.json'))
    for (const format of ['ustar', 'pax', 'gnu']) {
      const archive = join(folder, `${format}.tgz`)
      execFileSync('tar', ['-czf', archive, `--format=${format}`, '-C', folder, './EN10168'])
      const { files, unusable } = await readOffer({ path: archive })
      assert.deepEqual([...files.keys()], ['EN10168/v9.0.0/schema.json'])
      assert.deepEqual([...unusable.keys()], ['EN10168/v9.0.0/translations.json'])
    }
  })

  test('is not unpacked beyond its limits', async () => {
    const block = Buffer.alloc(50 * 1024 * 1024)
    const blocks = Array.from({ length: 6 }, (_, at) => ({ path: `${at}.bin`, content: block }))
    await rejects(tarGzOf(blocks), /more than 268435456 bytes when it is unpacked/)
    const files = Array.from({ length: 65 }, (_, at) => ({
      path: `${at}.json`,
      content: ' '.repeat(offerLimits.fileBytes),
    }))
    await rejects(zipOf(files), /more than 67108864 bytes/)
    await rejects(Buffer.concat([Buffer.from('PK'), Buffer.alloc(offerLimits.archiveBytes)]), /is too large/)
  })

  test('that lies about a file gives nothing of that file', async () => {
    const file = { path: 'schema.json', content: 'x'.repeat(1_000) }
    for (const lie of [{ claimedBytes: 10 }, { claimedBytes: 2_000 }, { flags: 0x801 }, { method: 99 }]) {
      const { files, unusable } = await read(zipOf([{ ...file, ...lie }]))
      assert.deepEqual(files, {})
      assert.equal(unusable['schema.json']?.code, 'file_damaged')
    }
    await rejects(zipOf([{ ...file, localPath: 'schema.txt1' }]), /two names/)
    await rejects(zipOf([file, { ...file, path: 'schema.jsoN' }], { shareData: true }), /overlap|two names/)
  })

  test('must be an archive', async () => {
    await rejects(Buffer.from('{"a":1}'), /neither a zip nor a gzipped tar archive/)
    await rejects(Buffer.alloc(0), /neither a zip/)
    await rejects(gzipSync('not a tar'), /ends too early/)
    await rejects(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /tar archive|ends too early/)
    await rejects(Buffer.concat([Buffer.from('PK'), Buffer.alloc(30)]), /has no directory/)
    await rejects(Buffer.concat([zipOf(filesOf({ 'a.json': '{}' })), Buffer.alloc(10)]), /has no directory/)
  })
})
