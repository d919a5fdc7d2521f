import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Operation, operations, services } from '@millseal/contract'
import { startOwnServer } from '../../server/test/test-server.ts'
import {
  endpointsOf,
  servicePaths,
  servicesAt,
  servicesConfiguration,
  servicesPage,
} from './service-paths.ts'

const endpoints = endpointsOf(Object.values<Operation>(operations))

describe('the table of paths and services', () => {
  test('names exactly one service for every operation, and notices a wrong line', () => {
    const table = servicePaths(endpoints)
    assert.ok(table.length > 10)
    const wrongIn = (paths: typeof table): number =>
      endpoints.filter((endpoint) => {
        const found = servicesAt(paths, endpoint)
        return found.length !== 1 || found[0] !== endpoint.service
      }).length
    assert.equal(wrongIn(table), 0)
    assert.ok(wrongIn(table.slice(1)) > 0)
  })

  test('is current in docs/services.md and deploy/nginx/services.conf', async () => {
    const read = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8')
    assert.equal(await read('docs/services.md'), servicesPage(), 'run script/dump')
    assert.equal(await read('deploy/nginx/services.conf'), servicesConfiguration(), 'run script/dump')
  })

  test('is the same in the configuration of nginx, at the public host and at one of each service', () => {
    const lines = [...servicesConfiguration().matchAll(/^ {4}~(\S+) millseal_(\w+);$/gm)]
    assert.ok(lines.length > 30)
    const sentTo = (place: string): string | undefined =>
      lines.find(([, pattern = '']) => new RegExp(pattern).test(place))?.[2]
    for (const { segments, service } of endpoints) {
      const name = service.replace('-service', '')
      const path = segments.map((segment) => (segment === '{}' ? 'x' : segment)).join('/')
      for (const place of [
        `millseal.example.com/api/${path}`,
        `millseal.example.com/${path}/`,
        `millseal.example.com/api/${service}/anything`,
        `${name}.millseal.example.com/`,
      ])
        assert.equal(sentTo(place), name, place)
    }
    assert.equal(sentTo('millseal.example.com/ledger/test/checkpoint'), 'km')
    assert.equal(sentTo('millseal.example.com/verify'), undefined)
  })

  test('is what a process of one service answers', async () => {
    await using server = await startOwnServer({
      environment: { MILLSEAL_SERVICES: 'km', MILLSEAL_ROLES: 'api' },
    })
    const table = servicePaths(endpoints)
    for (const service of services) {
      const line = table.find(
        (each) => each.service === service && each.isPrefix && !each.path.includes('{}'),
      )
      const endpoint = endpoints.find(
        ({ segments, service: own }) =>
          own === service && `/${segments.join('/')}`.startsWith(`${line?.path}`),
      )
      const path = `/${endpoint?.segments.map((segment) => (segment === '{}' ? 'x' : segment)).join('/')}`
      const answer = await fetch(`${server.url}/api${path}`, { method: endpoint?.method ?? 'GET' })
      await answer.body?.cancel()
      const isUnknown = answer.headers.get('x-error') === 'route_unknown'
      assert.equal(isUnknown, service !== 'km-service', `${service}: ${path}`)
    }
  })
})
