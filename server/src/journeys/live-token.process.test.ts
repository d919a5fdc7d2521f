import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../../test/eventually.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newLiveOwner, type Owner } from '../../test/machines.ts'
import { assertRefused } from '../../test/refusal.ts'
import { lacksSoftToken, openSoftToken } from '../../test/soft-token.ts'

const address = { coinType: 822, account: 0, index: 0 }

const createWallet = (server: TestServer, { admin, company }: Owner, mode: 'test' | 'live') =>
  server.client(admin.accessToken).createWallet({ company: company.id, query: { mode }, body: {} })

const derive = (server: TestServer, { admin, company }: Owner, id: string) =>
  server.client(admin.accessToken).deriveWalletAddress({
    company: company.id,
    query: { mode: 'live' },
    params: { id },
    body: address,
  })

const vaultsUp = async (server: TestServer): Promise<string[]> => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith('millseal_vault_up{'))
}

test('live keys are encrypted with a PKCS#11 token: without it live signing is 503, and everything else works', {
  skip: await lacksSoftToken(),
}, async () => {
  await using token = await openSoftToken()
  await token.unplug()
  const { module, token: label, pin, keyLabel } = token.settings
  await using server = await startOwnServer({
    environment: {
      MILLSEAL_PKCS11_MODULE: module,
      MILLSEAL_PKCS11_TOKEN: label,
      MILLSEAL_PKCS11_PIN: pin,
      MILLSEAL_PKCS11_KEY_LABEL: keyLabel,
    },
  })
  const [owner, other] = [
    await newLiveOwner(server, 'token-owner'),
    await newLiveOwner(server, 'token-other'),
  ]
  await assertRefused(createWallet(server, owner, 'live'), 'unavailable')
  assert.equal((await createWallet(server, owner, 'test')).wallet.status, 'enabled')
  assert.equal((await fetch(`${server.url}/api/ready`)).status, 200)
  assert.deepEqual(await vaultsUp(server), [
    'millseal_vault_up{mode="test"} 1',
    'millseal_vault_up{mode="live"} 0',
  ])
  assert.ok(server.log.some((line) => line.includes('There is no PKCS#11 token')))

  await token.plugIn()
  await eventually(async () => (await vaultsUp(server))[1]?.endsWith(' 1'), {
    what: 'it works once it is plugged in',
  })
  const { id } = await createWallet(server, owner, 'live')
  const { id: otherId } = await createWallet(server, other, 'live')
  const { did } = await derive(server, owner, id)
  assert.notEqual((await derive(server, other, otherId)).did, did)

  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    await client.query(
      'update wallets set encrypted_root = (select encrypted_root from wallets where id = $2) where id = $1',
      [otherId, id],
    )
  } finally {
    await client.end()
  }
  await assertRefused(derive(server, other, otherId), 'unavailable')
  assert.equal((await derive(server, owner, id)).did, did)
  assert.ok(server.log.some((line) => line.includes('belongs to another wallet')))
  assert.ok(!server.log.join('\n').includes(`"${pin}"`))
})
