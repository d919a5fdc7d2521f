import assert from 'node:assert/strict'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { millseal, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'

const hash = 'ab'.repeat(32)
const owner = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB'
/** Signed with the private key of 32 bytes 07. */
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

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder[Symbol.asyncDispose]())

const log = (...args: string[]) => millseal(['log', ...args], { environment: settingsIn(folder.path) })

describe('millseal log', () => {
  test('verifies and proves next to a running server, and verifies a copy of the folder', async () => {
    await using server = await serve(folder.path)
    const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transaction),
    })
    assert.equal(answer.status, 202, await answer.text())

    const proof = await log('prove', hash, '--mode', 'test')
    assert.equal(proof.status, 0, proof.stderr)
    assert.match(
      proof.stdout,
      /^c2sp\.org\/tlog-proof@v1\nindex 0\n[A-Za-z0-9+/]{43}=\n\nlocalhost:\d+\/ledger\/test\n2\n/,
    )
    const proven = await log('prove', transaction.id, '--mode', 'test', '--json')
    const { transaction: recorded, tlogProof } = JSON.parse(proven.stdout) as Record<string, unknown>
    assert.deepEqual([recorded, tlogProof], [transaction, proof.stdout])
    assert.match(
      (await log('prove', hash)).stderr,
      /^millseal: the live log contains no entry for abab[^\n]+\n$/,
    )

    const verified = await log('verify')
    assert.equal(verified.status, 0, verified.stderr)
    assert.match(
      verified.stdout,
      /^test: localhost:\d+\/ledger\/test, 2 entries: valid\nlive: .*, 0 entries: valid\n$/,
    )

    const copy = join(folder.path, 'copy')
    await cp(join(folder.path, 'ledger', 'test'), copy, { recursive: true })
    const key = (await readFile(join(copy, 'vkey'), 'utf8')).trim()
    assert.equal((await log('verify', '--folder', copy, '--key', key)).status, 0)
    const foreign = (await readFile(join(folder.path, 'ledger', 'live', 'vkey'), 'utf8')).trim()
    assert.equal((await log('verify', '--folder', copy, '--key', foreign)).status, 1)
    const bundle = join(copy, 'tile/entries/000.p/2')
    await writeFile(bundle, (await readFile(bundle, 'latin1')).replace('mill', 'mall'), 'latin1')
    const changed = await log('verify', '--folder', copy, '--key', key)
    assert.equal(changed.status, 1)
    assert.match(changed.stdout, /NOT VALID\n  Entry 0 /)
  })

  test('verifies a log from what its server publishes, and a copy that another holder made of that', async () => {
    await using server = await serve(folder.path)
    const published = `${server.url}/ledger/test`
    const key = (await (await fetch(`${published}/vkey`)).text()).trim()
    for (const args of [['--key', key], []]) {
      const verified = await log('verify', '--url', published, ...args)
      assert.equal(verified.status, 0, verified.stdout + verified.stderr)
      assert.match(verified.stdout, /^http:\/\/.*, 2 entries: valid\n$/)
    }
    const copy = join(folder.path, 'mirror')
    for (const name of ['checkpoint', 'tile/0/000.p/2', 'tile/entries/000.p/2']) {
      const answer = await fetch(`${published}/${name}`)
      assert.equal(answer.status, 200, name)
      await mkdir(dirname(join(copy, name)), { recursive: true })
      await writeFile(join(copy, name), Buffer.from(await answer.arrayBuffer()))
    }
    const mirrored = await log('verify', '--folder', copy, '--key', key)
    assert.equal(mirrored.status, 0, mirrored.stdout + mirrored.stderr)
    assert.match((await log('verify', '--folder', copy)).stdout, /NOT VALID\n  There is no file "vkey"/)
    await server[Symbol.asyncDispose]()
    const silent = await log('verify', '--url', published, '--key', key)
    assert.match(silent.stderr, /^millseal: http.* cannot be reached: [^\n]+\n$/)
    assert.equal(silent.stdout, '')
  })

  test('has help, and reports invalid arguments in one line with exit code 2', async () => {
    assert.match((await log('prove', '--help')).stdout, /c2sp\.org\/tlog-proof/)
    assert.match((await log('verify', '--help')).stdout, /rebuilds the tree/)
    for (const args of [
      [],
      ['melt'],
      ['prove'],
      ['prove', 'abc'],
      ['prove', hash, hash],
      ['verify', '--key', 'x'],
      ['verify', '--mode', 'both'],
      ['verify', '--url', 'http://localhost', '--folder', 'x'],
      ['verify', '--url', 'http://localhost', '--mode', 'test'],
      ['verify', 'all'],
      ['verify', '--force'],
    ]) {
      const { status, stderr } = await log(...args)
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, /^millseal: [^\n]+; try millseal log [a-z ]*--help\n$/)
    }
  })
})
