import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { after, before, describe, test } from 'node:test'
import { type Identity, operations } from '@millseal/contract'
import { sql } from 'kysely'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { lacksPackage } from '../../test/debian-package.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { startSharedPostgres } from '../../test/shared-postgres.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'

const promtool = '/usr/bin/promtool'
const skip = await lacksPackage({ name: 'prometheus', file: promtool })

let server: TestServer
let owner: Owner
let identity: Identity

before(async () => {
  // Nothing listens there. Without it, the metrics of OpenTelemetry are not served.
  server = await startOwnServer({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
  owner = await newOwner(server, 'watched-mill')
  identity = await newIdentity(server.client(owner.admin.accessToken), owner.company.id)
})
after(() => server[Symbol.asyncDispose]())

const notarize = (at: TestServer) =>
  at.client(owner.admin.accessToken).notarizeCertificate({
    company: owner.company.id,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })

/** The value of each series, by its name with labels. */
const scrape = async ({ url }: TestServer): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

const queues = [
  'notarization',
  'events',
  'publishing',
  'deliveries',
  'mail-orders',
  'mails',
  'ledger-test',
  'ledger-live',
  'certificate-mail',
  'certificate-retention',
]

describe('metrics', () => {
  test('name every queue, the writer of each log, the broker, roles and connections', async () => {
    const { jobId } = await notarize(server)
    const client = server.client(owner.admin.accessToken)
    await endedNotarization(client, { company: owner.company.id, jobId })
    const metrics = await scrape(server)
    for (const queue of queues) {
      assert.ok((metrics.get(`millseal_queue_depth{queue="${queue}"}`) ?? -1) >= 0, queue)
      assert.ok((metrics.get(`millseal_queue_overdue_seconds{queue="${queue}"}`) ?? -1) >= 0, queue)
    }
    for (const [name, value] of [
      ['millseal_database_up', 1],
      ['millseal_ledger_writer{mode="test"}', 1],
      ['millseal_ledger_terms{mode="live"}', 1],
      ['millseal_mqtt_broker', 1],
      ['millseal_mqtt_connections', 0],
      ['millseal_role{role="worker"}', 1],
      ['millseal_webhooks_failing', 0],
      ['millseal_queue_failed{queue="notarization"}', 0],
      ['millseal_notarization_seconds_count{mode="test",outcome="notarized"}', 1],
    ] as const)
      assert.equal(metrics.get(name), value, name)
    assert.ok((metrics.get('millseal_http_connections') ?? 0) >= 1)
    assert.ok((metrics.get('millseal_database_connections{application="millseal ledger test"}') ?? 0) >= 1)
  })

  test('say how much work waits, and for how long, where no worker runs', async () => {
    await using database = await openTestDatabase()
    const seconds = 90
    await sql`
      insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at)
      values (${randomUUID()}, 'company', ${randomUUID()}, 'test', 'companies', 'update_one', '{}',
        now() - make_interval(secs => ${seconds}))`.execute(database.query)
    await using idle = await startOwnServer({
      databaseUrl: addressOf(database),
      environment: { MILLSEAL_ROLES: 'api' },
    })
    const metrics = await scrape(idle)
    assert.equal(metrics.get('millseal_queue_depth{queue="events"}'), 1)
    assert.ok((metrics.get('millseal_queue_overdue_seconds{queue="events"}') ?? 0) >= seconds)
    assert.equal(metrics.get('millseal_role{role="api"}'), 1)
    for (const absent of ['millseal_role{role="worker"}', 'millseal_mqtt_broker'])
      assert.equal(metrics.get(absent), undefined, absent)
  })

  test('are still served without the database, and do not repeat old numbers', async () => {
    await using postgres = await startSharedPostgres()
    await using cut = await startOwnServer({ databaseUrl: postgres.connectionString })
    assert.equal((await scrape(cut)).get('millseal_queue_depth{queue="events"}'), 0)
    await postgres.stop()
    const metrics = await eventually(async () => {
      const found = await scrape(cut)
      return found.get('millseal_database_up') === 0 && found
    })
    assert.equal(metrics.get('millseal_queue_depth{queue="events"}'), undefined)
    assert.equal(metrics.get('millseal_webhooks_failing'), undefined)
  })
})

const deployed = join(import.meta.dirname, '../../../deploy')
const read = (path: string): Promise<string> => readFile(join(deployed, path), 'utf8')

/** The metrics that expressions name, without what Prometheus makes of histograms. */
const namedIn = (text: string): string[] =>
  [...new Set(text.match(/\bmillseal_[a-z0-9_]+/g))].map((name) => name.replace(/_(bucket|count|sum)$/, ''))

/** The metrics in the table of the page, with our prefix; `process_…` stands for many. */
const describedIn = (page: string): string[] => {
  const [, table = ''] = /^\| metric \|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const cells = table.split('\n').flatMap((row) => (row.split('|')[1] ?? '').split(' by ')[0] ?? '')
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => `millseal_${name}`),
  )
}

describe('the dashboard and the alerts', () => {
  const unserved = async (text: string): Promise<string[]> => {
    const served = await (await fetch(`${server.url}/metrics`)).text()
    return namedIn(text).filter((name) => !served.includes(`# TYPE ${name} `))
  }

  test('name only metrics, operations and queues that exist', async () => {
    for (const path of ['prometheus/rules.yaml', 'grafana/millseal.json']) {
      const text = await read(path)
      assert.ok(namedIn(text).length > 5, path)
      assert.deepEqual(await unserved(text), [], path)
      assert.deepEqual(
        await unserved(text.replaceAll('millseal_queue_depth', 'millseal_queue_length')),
        text.includes('millseal_queue_depth') ? ['millseal_queue_length'] : [],
      )
      const patterns = [...text.matchAll(/\broute=~\\?"([^"\\]+)/g)].map(([, pattern = '']) => pattern)
      for (const pattern of patterns)
        assert.ok(
          Object.values(operations).some(({ id }) => new RegExp(`^(${pattern})$`).test(id)),
          pattern,
        )
    }
    for (const queue of ['deliveries', 'mails'])
      assert.ok((await read('prometheus/rules.yaml')).includes(queue))
  })

  test('the dashboard shows every metric of docs/monitoring.md, which describes all that are served', async () => {
    const described = describedIn(await readFile(join(deployed, '../docs/monitoring.md'), 'utf8'))
    assert.ok(described.length > 20, String(described))
    const dashboard = await read('grafana/millseal.json')
    const unshown = (text: string): string[] => described.filter((name) => !namedIn(text).includes(name))
    assert.deepEqual(unshown(dashboard), [])
    assert.deepEqual(unshown(dashboard.replaceAll('millseal_role', 'millseal_roles')), ['millseal_role'])
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const served = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
    const ours = served.filter((name) => !/^millseal_(process|nodejs)_/.test(name))
    assert.deepEqual(
      ours.filter((name) => !described.includes(name)),
      [],
    )
  })

  test('the dashboard has one panel per place, each with a query', async () => {
    const { panels } = JSON.parse(await read('grafana/millseal.json')) as {
      readonly panels: readonly {
        title: string
        gridPos: { x: number; y: number }
        targets: { expr: string }[]
      }[]
    }
    assert.equal(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size, panels.length)
    for (const { title, targets } of panels)
      assert.ok(targets.length > 0 && targets.every(({ expr }) => expr !== ''), title)
  })
})

const check = (...args: readonly string[]) => promisify(execFile)(promtool, args)

describe('the alert rules', { skip }, () => {
  test('are accepted by promtool and pass their tests, which notice a wrong threshold', async () => {
    await check('check', 'rules', join(deployed, 'prometheus/rules.yaml'))
    await check('test', 'rules', join(deployed, 'prometheus/rules.test.yaml'))
    await using folder = await makeTemporaryFolder()
    const wrong = (await read('prometheus/rules.yaml')).replace(
      'millseal_ledger_writer) < 1',
      'millseal_ledger_writer) < 0',
    )
    await writeFile(join(folder.path, 'rules.yaml'), wrong)
    await writeFile(join(folder.path, 'rules.test.yaml'), await read('prometheus/rules.test.yaml'))
    await assert.rejects(check('test', 'rules', join(folder.path, 'rules.test.yaml')))
  })

  test('every expression of the dashboard is one', async () => {
    const { panels } = JSON.parse(await read('grafana/millseal.json')) as {
      readonly panels: readonly { targets: { expr: string }[] }[]
    }
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    await using folder = await makeTemporaryFolder()
    const rules = join(folder.path, 'rules.json')
    const named = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }))
    await writeFile(rules, JSON.stringify({ groups: [{ name: 'panels', rules: named }] }))
    await check('check', 'rules', rules)
  })
})
