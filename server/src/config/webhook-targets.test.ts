import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config.ts'
import { webhookTargets } from './webhook-targets.ts'

type Environment = Readonly<Record<string, string>>

const targetsWith = (environment: Environment) => webhookTargets(readConfig(environment))

describe('private addresses that webhooks may call', () => {
  test('are those of this machine, with a warning that names the setting, if others cannot reach the service', () => {
    const local: readonly Environment[] = [{}, { MILLSEAL_PUBLIC_URL: 'http://localhost:8080' }]
    for (const environment of local) {
      const { allow, warning } = targetsWith(environment)
      assert.deepEqual(allow, ['localhost', '127.0.0.0/8', '::1/128'])
      assert.match(warning ?? '', /MILLSEAL_WEBHOOK_ALLOW=none/)
    }
  })

  test('are none if others can reach it', () => {
    const reachable: readonly Environment[] = [
      { MILLSEAL_HOST: '0.0.0.0' },
      { MILLSEAL_PUBLIC_URL: 'https://mill.example' },
      { MILLSEAL_TRUST_PROXY: '127.0.0.1' },
      { DATABASE_URL: 'postgres://localhost/millseal' },
      { MILLSEAL_WEBHOOK_ALLOW: 'none' },
    ]
    for (const environment of reachable)
      assert.deepEqual(targetsWith(environment), { allow: [] }, JSON.stringify(environment))
  })

  test('are those that the operator names', () => {
    assert.deepEqual(targetsWith({ MILLSEAL_WEBHOOK_ALLOW: '10.0.0.0/8, erp.local' }), {
      allow: ['10.0.0.0/8', 'erp.local'],
    })
  })
})
