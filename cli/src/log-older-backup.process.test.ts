import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  attachSignatures,
  buildCreate,
  completeTransaction,
  encodeBase58,
  portablePrimitives,
  wantedSignatures,
} from '@millseal/proof'
import { millseal, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const owner = encodeBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))

const newTransaction = (): object => {
  const unsigned = buildCreate(
    {
      issuers: [owner],
      asset: { jsonHash: randomBytes(32).toString('hex') },
      metadata: null,
      recipients: [{ publicKeys: [owner], amount: '1' }],
    },
    portablePrimitives,
  )
  const signatures = wantedSignatures(unsigned, portablePrimitives).map(({ message, ...wanted }) => ({
    ...wanted,
    signature: new Uint8Array(sign(null, message, privateKey)),
  }))
  const signed = attachSignatures(unsigned, signatures, portablePrimitives)
  return completeTransaction(signed, portablePrimitives) ?? assert.fail('signed by its only owner')
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
before(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
})
after(() => folder[Symbol.asyncDispose]())

const run = async (...args: string[]) => {
  const ran = await millseal(args, { environment: settingsIn(data) })
  assert.equal(ran.status, 0, ran.stderr)
  return ran
}

const record = async (url: string, transaction: object): Promise<void> => {
  const answer = await fetch(`${url}/ledger/test/api/v1/transactions?mode=commit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(transaction),
  })
  assert.equal(answer.status, 202, await answer.text())
}

const textAt = async (url: string): Promise<string> => {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, url)
  return await answer.text()
}

describe('an installation whose older backup was restored', () => {
  test('does not start until its log continues under a new name; then it records, and the old name is public', async () => {
    const backup = join(folder.path, 'backup')
    const lost = newTransaction()
    {
      await using server = await serve(data)
      for (const transaction of [newTransaction(), newTransaction()]) await record(server.url, transaction)
      await run('backup', backup, '--include-keys')
      await record(server.url, lost)
    }
    await rename(data, `${data}.lost`)
    await run('restore', backup)

    const refused = await millseal(['serve'], { environment: settingsIn(data) })
    assert.equal(refused.status, 1)
    assert.match(
      refused.stderr,
      /test log on disk has 4 entries, but its newest known checkpoint has 6\..* millseal log continue-as-new --mode test/,
    )

    const { stdout } = await run('log', 'continue-as-new', '--mode', 'test')
    assert.match(stdout, /goes on with 4 entries[^]*\nlocalhost:\d+\/ledger\/test\/2\+[0-9a-f]{8}\+/)
    await using server = await serve(data)
    await record(server.url, lost)
    const log = `${server.url}/ledger/test`
    assert.match(await textAt(`${log}/checkpoint`), /^localhost:\d+\/ledger\/test\/2\n6\n/)
    assert.match(await textAt(`${log}/frozen/1/checkpoint`), /^localhost:\d+\/ledger\/test\n4\n/)
    assert.match(await textAt(`${log}/frozen/1/vkey`), /^localhost:\d+\/ledger\/test\+/)
    assert.equal((await fetch(`${log}/frozen/2/checkpoint`)).status, 404)
    assert.match(
      (await run('log', 'verify')).stdout,
      /^test: localhost:\d+\/ledger\/test\/2, 6 entries: valid\n/,
    )
    const running = await millseal(['log', 'continue-as-new', '--mode', 'test'], {
      environment: settingsIn(data),
    })
    assert.equal(running.status, 1)
    assert.match(running.stderr, /stop all servers/)
    assert.match((await run('log', 'accept-time', '--mode', 'test')).stdout, /^test: the clock is right at /)
    await record(server.url, newTransaction())
  })
})
