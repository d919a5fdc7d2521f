import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigError, readConfig } from '../config.ts'
import { readCosignerPolicy, readVerifyNodes } from './cosigner-policy.ts'

const vkey = 'inspection.example/w1+c51fdafc+BHEv6rcgphmI2NF0nliSZXOA8g8HSVl8OBnY7NxyS00P'

describe('the file of cosigners', () => {
  let folder: TemporaryFolder
  before(async () => {
    folder = await makeTemporaryFolder()
  })
  after(() => folder[Symbol.asyncDispose]())

  const read = async (content: string | Uint8Array) => {
    const path = join(folder.path, 'policy')
    await writeFile(path, content)
    return readCosignerPolicy(readConfig({ MILLSEAL_COSIGNERS: path }))
  }

  test('names each cosigner with its address', async () => {
    for (const url of [
      'https://w.example/prefix',
      'http://127.0.0.1:8091',
      'http://localhost:1',
      'http://[::1]:1',
    ]) {
      const found = await read(`witness w ${vkey} ${url}/\nquorum w\n`)
      assert.deepEqual(
        found?.witnesses.map(({ name, key, url: at }) => [name, key.name, at]),
        [['w', 'inspection.example/w1', url]],
      )
    }
    assert.equal(readCosignerPolicy(readConfig({})), undefined)
  })

  test('that cannot be used is refused with the setting, the file and the reason', async () => {
    const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
      ['quorum w\n', /policy: line 1: No line before this one defines w/],
      [`witness w ${vkey}\nquorum w\n`, /policy: the witness w needs an address/],
      [`witness w ${vkey} http://w.example\nquorum w\n`, /address of the witness w must begin with https/],
      [`witness w ${vkey} w.example\nquorum w\n`, /address of the witness w must begin with https/],
      [`witness w ${vkey} http://127.evil.example\nquorum w\n`, /must begin with https/],
      [`witness w ${vkey} https://w.example\nquorum none\n`, /"quorum none" would confirm nothing/],
      [Buffer.from('23ff0a', 'hex'), /cannot be read \(it is not UTF-8\)/],
    ]
    for (const [content, reason] of cases)
      await assert.rejects(
        read(content),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith('MILLSEAL_COSIGNERS: ') &&
          reason.test(error.message),
        reason.source,
      )
    const named = (nodes: string) => {
      const cosigners = join(folder.path, 'policy')
      return readVerifyNodes(readConfig({ MILLSEAL_COSIGNERS: cosigners, MILLSEAL_VERIFY_NODES: nodes }))
    }
    await read(`witness w ${vkey} https://w.example/node/\nquorum w\n`)
    assert.deepEqual([named('w'), named('')], [['https://w.example/node'], []])
    assert.throws(
      () => named('w, v'),
      /MILLSEAL_VERIFY_NODES: v is not a witness in the file of MILLSEAL_COSIGNERS/,
    )
    const missing = readConfig({ MILLSEAL_COSIGNERS: join(folder.path, 'missing') })
    assert.throws(
      () => readCosignerPolicy(missing),
      /MILLSEAL_COSIGNERS: the file .*missing cannot be read \(ENOENT\)/,
    )
  })
})
