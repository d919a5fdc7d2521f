import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { nodeEnvironment } from '../../test/node-environment.ts'
import { startTestServer } from '../../test/test-server.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigError, readConfig, settingsHelp, unknownSettings } from '../config.ts'
import { assertUsable } from './usable-settings.ts'

const names = [...settingsHelp().matchAll(/^ {2}([A-Z_\d]+)/gm)].map(([, name = '']) => name)
const twoLines = 'one\ntwo'

/** A value of every setting that must be refused. */
const hostile: Readonly<Record<string, string>> = {
  MILLSEAL_PORT: '65536',
  MILLSEAL_HOST: 'a host; rm -rf',
  MILLSEAL_PUBLIC_URL: 'javascript:alert(1)',
  MILLSEAL_OPERATOR_NAME: twoLines,
  MILLSEAL_DATA_DIR: '/proc/x',
  MILLSEAL_KNOWN_CHECKPOINTS: '/proc/x/known',
  DATABASE_URL: 'mysql://localhost/millseal',
  MILLSEAL_DATABASE_CONNECTIONS: '0',
  MILLSEAL_SERVICES: 'user,everything',
  MILLSEAL_ROLES: 'king',
  MILLSEAL_MQTT_PORT: '-1',
  MILLSEAL_MQTTS_PORT: '1e3',
  MILLSEAL_MQTTS_PEM: '/no/such/file.pem',
  MILLSEAL_MQTT_URL: 'http://localhost',
  MILLSEAL_MQTT_CONNECTIONS: 'many',
  MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS: '0',
  MILLSEAL_VHOST: 'a/b',
  AMQP_URL: 'localhost:5672',
  MILLSEAL_BROKER_AUTH_SECRET: 'short',
  MILLSEAL_RATE_LIMIT: '-10',
  MILLSEAL_CERTIFICATE_MIB: '11',
  MILLSEAL_CERTIFICATES_PER_DAY: 'many',
  MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '-1',
  MILLSEAL_DELIVERIES_PER_DAY: 'many',
  MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '-1',
  MILLSEAL_TRUST_PROXY: '10.0.0.0/33',
  MILLSEAL_CONNECTIONS_PER_ADDRESS: '0',
  SMTP_URL: 'mail.example.com',
  MILLSEAL_MAIL_FROM: 'Millseal <millseal@example.com>\r\nBcc: all@example.com',
  MILLSEAL_MAILS_PER_DAY: '∞',
  MILLSEAL_MAIL_MIB: '0',
  MILLSEAL_MAIL_STATUS_KEY: 'AAAA',
  OIDC_ISSUER: 'http://issuer.example.com',
  OIDC_CLIENT_ID: twoLines,
  OIDC_CLIENT_SECRET: twoLines,
  OIDC_TRUST_AMR: 'maybe',
  MILLSEAL_MASTER_KEY: 'secret',
  MILLSEAL_PKCS11_MODULE: '/no/such/library.so',
  MILLSEAL_PKCS11_TOKEN: twoLines,
  MILLSEAL_PKCS11_PIN: twoLines,
  MILLSEAL_PKCS11_KEY_LABEL: twoLines,
  MILLSEAL_VIES: 'file:///etc/passwd',
  MILLSEAL_OPERATOR_MFA: 'maybe',
  MILLSEAL_OTHER_SELLERS: 'yes',
  MILLSEAL_LEDGER_ORIGIN: 'a host+more',
  MILLSEAL_LEDGER_OPEN: 'prod',
  MILLSEAL_WEBHOOK_ALLOW: 'http://x/y',
  MILLSEAL_METRICS_TOKEN: 'two words',
  MILLSEAL_DRAIN_MS: '60001',
  MILLSEAL_LOG_LEVEL: 'verbose',
}

const refusal = async (
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> => {
  try {
    await assertUsable(readConfig(environment))
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const start = async (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...nodeEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { said, code: code as unknown }
}

describe('a setting that cannot be used', () => {
  test('has an example for every setting', () => {
    assert.deepEqual(Object.keys(hostile).toSorted(), names.toSorted())
  })

  for (const name of names) {
    test(`${name} is refused in one line that names it`, async () => {
      await using folder = await makeTemporaryFolder()
      const others = { MILLSEAL_DATA_DIR: folder.path, MILLSEAL_PKCS11_PIN: '1234' }
      const said = await refusal({ ...others, [name]: hostile[name] ?? '' })
      assert.ok(said?.startsWith(`${name}: `), said)
      assert.doesNotMatch(said ?? '', /\n/)
    })
  }

  test('that names a file, a foreign address or a full name is refused as well', async () => {
    await using folder = await makeTemporaryFolder()
    const data = { MILLSEAL_DATA_DIR: folder.path }
    assert.match((await refusal({ MILLSEAL_DATA_DIR: '/etc/hostname' })) ?? '', /is not a folder/)
    assert.match(
      (await refusal({ MILLSEAL_DATA_DIR: '/etc/hostname/x' })) ?? '',
      /\/etc\/hostname is not a folder/,
    )
    assert.match(
      (await refusal({ ...data, MILLSEAL_HOST: '203.0.113.1' })) ?? '',
      /not an address of this machine/,
    )
    assert.equal(await refusal({ ...data, MILLSEAL_TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' }), undefined)
  })

  test('ends the process with code 2, also where Node creates folders for ever', async () => {
    for (const [name, value] of [
      ['MILLSEAL_DATA_DIR', '/proc/x'],
      ['MILLSEAL_LOG_LEVEL', 'verbose'],
    ] as const) {
      const { said, code } = await start({ [name]: value })
      assert.match(said, new RegExp(`^millseal: ${name}: [^\\n]+\\n$`))
      assert.equal(code, 2)
    }
  })
})

describe('a name that is no setting', () => {
  test('is named with the setting that it may mean', () => {
    const unknown = (...given: string[]) =>
      unknownSettings(Object.fromEntries(given.map((name) => [name, 'x'])))
    for (const [name, meant] of [
      ['PORT', 'MILLSEAL_PORT'],
      ['LOG_LEVEL', 'MILLSEAL_LOG_LEVEL'],
      ['DATA_DIR', 'MILLSEAL_DATA_DIR'],
      ['DATABASE_URI', 'DATABASE_URL'],
      ['SMPT_URL', 'SMTP_URL'],
      ['OIDC_ISUER', 'OIDC_ISSUER'],
      ['MILLSEAL_PROT', 'MILLSEAL_PORT'],
    ] as const)
      assert.deepEqual(unknown(name), [`${name}, did you mean ${meant}?`])
    assert.deepEqual(unknown('MILLSEAL_SOMETHING_ELSE'), ['MILLSEAL_SOMETHING_ELSE'])
    assert.deepEqual(
      unknown('PATH', 'HOME', 'SHELL', 'LANG', 'TERM', 'USER', 'MILLSEAL_PORT', 'NODE_ENV', 'MAIL'),
      [],
    )
  })
})

test('a port that another program uses ends the start before an operator is made', async () => {
  await using first = await startTestServer()
  const port = new URL(first.url).port
  await using folder = await makeTemporaryFolder()
  const { said, code } = await start({
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_PORT: port,
    MILLSEAL_MQTT_PORT: 'off',
    MILLSEAL_MQTTS_PORT: 'off',
  })
  assert.match(said, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`))
  assert.doesNotMatch(said, /Operator|password/)
  assert.equal(code, 1)
})
