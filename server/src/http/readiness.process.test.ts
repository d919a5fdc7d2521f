import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Readiness } from '@millseal/contract'
import { eventually } from '../../test/eventually.ts'
import { lacksMounting, mountSmallDisk } from '../../test/faulty-disk.ts'
import { freePort } from '../../test/server-process.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { signUp } from '../../test/people.ts'
import { freshVatId } from '../../test/vat-ids.ts'

const skip = await lacksMounting()

const askReadiness = async ({ url }: Pick<TestServer, 'url'>, query = '') => {
  const answer = await fetch(`${url}/api/ready${query}`)
  const body = (await answer.json()) as Partial<Readiness> & { readonly details?: readonly string[] }
  const { status, roles = [], dependencies = [], details = [] } = body
  return {
    code: answer.status,
    status,
    roles: roles.map((role) => `${role.name} ${role.status}`),
    find: (name: string) => dependencies.find((dependency) => dependency.name === name),
    details,
  }
}

describe('the role api', () => {
  test('stays ready while mail server and RabbitMQ are down, and says since when', async () => {
    const closed = `127.0.0.1:${await freePort()}`
    await using server = await startOwnServer({
      environment: {
        SMTP_URL: `smtp://${closed}`,
        AMQP_URL: `amqp://${closed}`,
        MILLSEAL_BROKER_AUTH_SECRET: 'a'.repeat(64),
        MILLSEAL_VHOST: 'mill',
      },
    })
    const ready = await eventually(async () => {
      const found = await askReadiness(server)
      return ['mailer', 'broker'].every((name) => found.find(name)?.status === 'degraded') && found
    })
    assert.deepEqual([ready.code, ready.status, ready.roles[0]], [200, 'ready', 'api ready'])
    assert.ok(ready.roles.includes('worker ready'), 'mails and events wait in their queues')
    const later = await askReadiness(server)
    for (const name of ['mailer', 'broker']) {
      assert.match(ready.find(name)?.since ?? '', /^\d{4}-\d\d-\d\dT/)
      assert.equal(later.find(name)?.since, ready.find(name)?.since)
    }
  })

  test('stays ready while the VAT register is down', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`
    await using server = await startOwnServer({ environment: { MILLSEAL_VIES: closed } })
    assert.equal((await askReadiness(server)).find('vat register')?.status, 'up', 'nobody has asked it yet')
    const { accessToken } = await signUp(server, 'curious')
    await server.client(accessToken).validateVatId({ query: { vatId: freshVatId() } })
    const { code, status } = await eventually(async () => {
      const found = await askReadiness(server)
      return found.find('vat register')?.status === 'degraded' && found
    })
    assert.deepEqual([code, status], [200, 'ready'])
  })

  test('can only read while the disk of the data folder is full', { skip }, async () => {
    await using disk = await mountSmallDisk(64)
    await using server = await startOwnServer({
      environment: { MILLSEAL_DATA_DIR: join(disk.path, 'data'), MILLSEAL_FILES: 'folder' },
    })
    const before = await askReadiness(server, '?writes=true')
    assert.deepEqual([before.code, before.status], [200, 'ready'])
    await disk.fill()
    const full = await eventually(async () => {
      const found = await askReadiness(server)
      return found.status === 'read_only' ? found : undefined
    })
    assert.equal(full.code, 200)
    assert.ok(full.roles.includes('api read_only') && full.roles.includes('worker not_ready'))
    assert.match(full.find('files')?.error ?? '', /^the disk is full/)
    const refused = await askReadiness(server, '?writes=true')
    assert.equal(refused.code, 503)
    assert.match(refused.details.join(), /files: the disk is full/)
    assert.equal((await askReadiness(server, '?role=worker')).code, 503)
    await disk.makeRoom()
    await eventually(async () => (await askReadiness(server, '?writes=true')).code === 200)
  })
})

describe('a process without the role api', () => {
  test('answers health, readiness and metrics on its port, and nothing else', async () => {
    for (const role of ['worker', 'broker']) {
      await using server = await startOwnServer({ environment: { MILLSEAL_ROLES: role } })
      for (const path of ['/api/health', '/api/ready', `/api/ready?role=${role}`, '/metrics'])
        assert.equal((await fetch(`${server.url}${path}`)).status, 200, `${role} ${path}`)
      assert.deepEqual((await askReadiness(server)).roles, [`${role} ready`])
      const other = await askReadiness(server, '?role=api')
      assert.equal(other.code, 503)
      assert.match(other.details.join(), /does not have the role api/)
      const closed = [
        '/',
        '/console',
        '/docs/api',
        '/verify',
        '/api/users/me',
        '/api/status',
        '/openapi.json',
      ]
      for (const path of [...closed, '/ledger/test/checkpoint', '/.well-known/jwks.json', '/oidc/auth'])
        assert.equal((await fetch(`${server.url}${path}`)).status, 404, `${role} ${path}`)
      const login = await fetch(`${server.url}/api/auth/login`, { method: 'POST' })
      assert.equal(login.status, 404)
    }
  })

  test('is not ready as a worker while the log records nothing', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_ROLES: 'worker' } })
    assert.equal((await askReadiness(server)).code, 200)
    server.clock.jump({ days: -3 })
    const refused = await askReadiness(server)
    assert.equal(refused.code, 503)
    assert.match(refused.details.join(), /test log: .*set back by 3 days/)
    server.clock.jump({ days: 3 })
    assert.equal((await askReadiness(server)).code, 200)
  })
})
