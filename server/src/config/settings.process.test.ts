import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { hostileSettings as hostile } from '../../test/attacks/hostile-settings.ts'
import { nodeEnvironment } from '../../test/node-environment.ts'
import { startTestServer } from '../../test/test-server.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigError, readConfig, settingsHelp, unknownSettings } from '../config.ts'
import { assertUsable } from './usable-settings.ts'

const names = [...settingsHelp().matchAll(/^ {2}([A-Z_\d]+)/gm)].map(([, name = '']) => name)

const freePorts = { MILLSEAL_PORT: '0', MILLSEAL_MQTT_PORT: '0', MILLSEAL_MQTTS_PORT: '0' }

const refusal = async (
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> => {
  try {
    await assertUsable(readConfig({ ...freePorts, ...environment }))
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Prints how many modules were loaded. */
const countModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let count = 0
  registerHooks({ load: (url, context, next) => { count += 1; return next(url, context) } })
  process.on('exit', () => process.stdout.write(String(count)))`)}`

const start = async (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ['--import', countModules, join(import.meta.dirname, '../main.ts')], {
    env: { ...nodeEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, modules, [code]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'exit'),
  ])
  return { said, modules: Number(modules), code: code as unknown }
}

describe('a setting that cannot be used', () => {
  test('has an example for every setting', () => {
    assert.deepEqual(Object.keys(hostile).toSorted(), names.toSorted())
  })

  for (const name of names) {
    test(`${name} is refused in one line that names it`, async () => {
      await using folder = await makeTemporaryFolder()
      const others = {
        MILLSEAL_DATA_DIR: folder.path,
        MILLSEAL_PKCS11_PIN: '1234',
        MILLSEAL_NODE_NAME: 'node',
      }
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
      const { said, code, modules } = await start({ [name]: value })
      assert.match(said, new RegExp(`^millseal: ${name}: [^\\n]+\\n$`))
      assert.equal(code, 2)
      // Loading all of the contract, hundreds of modules, takes longer than a second on a busy machine.
      assert.ok(modules > 5 && modules < 40, `${modules} modules are loaded first`)
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

test('two settings with the same port are refused before anything starts', async () => {
  await using folder = await makeTemporaryFolder()
  const given = { MILLSEAL_DATA_DIR: folder.path }
  const said = await refusal({ ...given, MILLSEAL_MQTT_PORT: '1234', MILLSEAL_MQTTS_PORT: '1234' })
  assert.equal(said, 'MILLSEAL_MQTTS_PORT: 1234 is also the port of MILLSEAL_MQTT_PORT')
  assert.equal(await refusal(given), undefined)
})

describe('a port that another program uses', () => {
  for (const [setting, others] of [
    ['MILLSEAL_PORT', { MILLSEAL_MQTT_PORT: 'off', MILLSEAL_MQTTS_PORT: 'off' }],
    ['MILLSEAL_MQTT_PORT', { MILLSEAL_PORT: '0', MILLSEAL_MQTTS_PORT: 'off' }],
    ['MILLSEAL_MQTTS_PORT', { MILLSEAL_PORT: '0', MILLSEAL_MQTT_PORT: 'off' }],
  ] as const)
    test(`ends the start before anything is stored, and names ${setting}`, async () => {
      await using first = await startTestServer()
      const { port } = new URL(first.url)
      await using folder = await makeTemporaryFolder()
      const { said, code } = await start({ ...others, MILLSEAL_DATA_DIR: folder.path, [setting]: port })
      assert.match(
        said,
        new RegExp(
          `^millseal: Port ${port} on 127\\.0\\.0\\.1 is in use: .* set ${setting} to another port[^\\n]*\\n$`,
        ),
      )
      assert.equal(code, 1)
      assert.deepEqual(await readdir(folder.path), [])
    })

  test('does not end the start of a process that may replace the one with MQTT', async () => {
    await using first = await startTestServer()
    await using folder = await makeTemporaryFolder()
    const environment = {
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_MQTT_PORT: new URL(first.url).port,
      DATABASE_URL: 'postgres://localhost/millseal',
    }
    assert.equal(await refusal(environment), undefined)
  })
})
