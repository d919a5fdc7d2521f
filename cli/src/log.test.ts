import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'

const main = join(import.meta.dirname, 'main.ts')
const hash = 'ab'.repeat(32)
const owner = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB'
/** Signed with the key of 32 bytes 07. */
const transaction = {
  id: 'f9aa9a1a7dbe72d4d4ad731ac2ea2189c4dc04d36144660c5c17c16a7f01c503',
  version: '2.0',
  operation: 'CREATE',
  asset: { data: { jsonHash: hash } },
  metadata: { issuer: 'mill' },
  inputs: [
    {
      owners_before: [owner],
      fulfills: null,
      fulfillment:
        'pGSAIOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsgUC6ciuQ97FO57iIp-7mu5o4Z-OcuNHFDgR5g0XeiqoihsAbqNxeFGXSCAPfVrDEtLIIhVXF8G7kxS7_CR7Nl6gH',
    },
  ],
  outputs: [
    {
      public_keys: [owner],
      amount: '1',
      condition: {
        details: { type: 'ed25519-sha-256', public_key: owner },
        uri: 'ni:///sha-256;-ETsTANKumO_hsM1KeMPd6-2mMatf5Q8l0sG4zu42NU?fpt=ed25519-sha-256&cost=131072',
      },
    },
  ],
}

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
})
after(() => rm(dataDir, { recursive: true, force: true }))

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  MILLSEAL_DATA_DIR: dataDir,
  MILLSEAL_PORT: '0',
  MILLSEAL_MQTT_PORT: '0',
  MILLSEAL_MQTTS_PORT: 'off',
  MILLSEAL_DRAIN_MS: '0',
})
const log = (...args: string[]) => {
  const options = { encoding: 'utf8', timeout: 60_000, env: environment() } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'log', ...args], options)
  return { status, stdout, stderr }
}

/** Runs until disposed; resolves once it answers. */
const serve = async () => {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /API\s+(\S+)\/api$/.exec(line)?.[1]
    if (url === undefined) continue
    child.stderr.resume()
    return {
      url,
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await once(child, 'exit')
      },
    }
  }
  throw new Error('The server did not start')
}

describe('millseal log', () => {
  test('verifies and proves beside a running server, and a copied folder anywhere', async () => {
    await using server = await serve()
    const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transaction),
    })
    assert.equal(answer.status, 202, await answer.text())

    const proof = log('prove', hash, '--mode', 'test')
    assert.equal(proof.status, 0, proof.stderr)
    assert.match(proof.stdout, /^c2sp\.org\/tlog-proof@v1\nindex 0\n\nlocalhost:\d+\/ledger\/test\n1\n/)
    const proven = log('prove', transaction.id, '--mode', 'test', '--json')
    const { transaction: recorded, tlogProof } = JSON.parse(proven.stdout) as Record<string, unknown>
    assert.deepEqual([recorded, tlogProof], [transaction, proof.stdout])
    assert.match(log('prove', hash).stderr, /^millseal: the live log has no record of abab[^\n]+\n$/)

    const verified = log('verify')
    assert.equal(verified.status, 0, verified.stderr)
    assert.match(
      verified.stdout,
      /^test: localhost:\d+\/ledger\/test, 1 entries: sound\nlive: .*, 0 entries: sound\n$/,
    )

    const copy = join(dataDir, 'copy')
    await cp(join(dataDir, 'ledger', 'test'), copy, { recursive: true })
    const key = (await readFile(join(copy, 'vkey'), 'utf8')).trim()
    assert.equal(log('verify', '--folder', copy, '--key', key).status, 0)
    const foreign = (await readFile(join(dataDir, 'ledger', 'live', 'vkey'), 'utf8')).trim()
    assert.equal(log('verify', '--folder', copy, '--key', foreign).status, 1)
    const bundle = join(copy, 'tile/entries/000.p/1')
    await writeFile(bundle, (await readFile(bundle, 'latin1')).replace('mill', 'mall'), 'latin1')
    const changed = log('verify', '--folder', copy, '--key', key)
    assert.equal(changed.status, 1)
    assert.match(changed.stdout, /NOT SOUND\n  Entry 0 /)
  })

  test('explains itself, and a wrong call is one line and exit code 2', () => {
    assert.match(log('prove', '--help').stdout, /c2sp\.org\/tlog-proof/)
    assert.match(log('verify', '--help').stdout, /rebuilds its tree/)
    for (const args of [
      [],
      ['melt'],
      ['prove'],
      ['prove', 'abc'],
      ['prove', hash, hash],
      ['verify', '--key', 'x'],
      ['verify', '--mode', 'both'],
      ['verify', 'all'],
      ['verify', '--force'],
    ]) {
      const { status, stderr } = log(...args)
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, /^millseal: [^\n]+; try millseal log [a-z ]*--help\n$/)
    }
  })
})
