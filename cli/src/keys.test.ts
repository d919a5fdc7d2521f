import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'

const main = join(import.meta.dirname, 'main.ts')
const settings = {
  MILLSEAL_PORT: '0',
  MILLSEAL_MQTT_PORT: '0',
  MILLSEAL_MQTTS_PORT: 'off',
  MILLSEAL_DRAIN_MS: '0',
}

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
})
after(() => rm(dataDir, { recursive: true, force: true }))

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  MILLSEAL_DATA_DIR: dataDir,
  ...settings,
  ...more,
})
const keys = (args: readonly string[], more: Record<string, string> = {}) => {
  const options = { encoding: 'utf8', timeout: 60_000, env: environment(more) } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'keys', ...args], options)
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
        if (child.exitCode !== null) return
        child.kill('SIGTERM')
        await once(child, 'exit')
      },
    }
  }
  throw new Error('The server did not start')
}

const kidsOf = async (url: string): Promise<string[]> => {
  const response = await fetch(`${url}/.well-known/jwks.json`)
  const { keys: found } = (await response.json()) as { keys: { kid: string }[] }
  return found.map(({ kid }) => kid)
}

describe('millseal keys', () => {
  test('replaces the signing key beside a running server, which shows it within 5 seconds', async () => {
    await using server = await serve()
    const [old] = await kidsOf(server.url)
    const { status, stdout, stderr } = keys(['rotate-signing', '--json'])
    assert.equal(status, 0, stderr)
    const { created, retired } = JSON.parse(stdout) as { created: string; retired: string[] }
    assert.deepEqual(retired, [])
    const untilMs = performance.now() + 6_000
    while (!(await kidsOf(server.url)).includes(created) && performance.now() < untilMs) await pause(100)
    assert.deepEqual(await kidsOf(server.url), [created, old])

    const stranger = keys(['rotate-signing'], { MILLSEAL_MASTER_KEY: randomBytes(32).toString('base64') })
    assert.equal(stranger.status, 1)
    assert.match(stranger.stderr, /^millseal: the master key is not the one of the server[^\n]+\n$/)
  })

  test('replaces the master key beside a running server, and keeps the old one in a file of its own', async () => {
    await using server = await serve()
    const shown = await kidsOf(server.url)
    const { status, stdout, stderr } = keys(['rotate-master', '--json'])
    assert.equal(status, 0, stderr)
    const { moved, keyId, retired } = JSON.parse(stdout) as {
      moved: number
      keyId: string
      retired: string[]
    }
    assert.ok(moved >= 1)
    assert.match(keyId, /^[0-9a-f]{8}$/)
    assert.equal(retired.length, 1)
    assert.match(retired[0] ?? '', /master\.key\.[0-9a-f]{8}$/)
    assert.deepEqual(await kidsOf(server.url), shown)

    const tokenless = keys(['rotate-master', '--token-key'])
    assert.equal(tokenless.status, 1)
    assert.match(tokenless.stderr, /^millseal: there is no PKCS#11 token[^\n]+\n$/)
    await server[Symbol.asyncDispose]()
    await using again = await serve()
    assert.deepEqual(await kidsOf(again.url), shown)
  })

  test('explains itself, and a wrong call is one line and exit code 2', () => {
    const help = keys(['--help'])
    assert.equal(help.status, 0)
    assert.match(help.stdout, /rotate-signing/)
    assert.match(help.stdout, /rotate-master/)
    for (const args of [
      [],
      ['melt'],
      ['rotate-signing', 'twice'],
      ['rotate-signing', '--force'],
      ['rotate-signing', '--token-key'],
    ]) {
      const { status, stderr } = keys(args)
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, /^millseal: [^\n]+; try millseal keys (rotate-\w+ )?--help\n$/)
    }
  })
})
