import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { millseal, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder[Symbol.asyncDispose]())

const keys = (args: readonly string[], more: Record<string, string> = {}) =>
  millseal(['keys', ...args], { environment: { ...settingsIn(folder.path), ...more } })

const kidsOf = async (url: string): Promise<string[]> => {
  const response = await fetch(`${url}/.well-known/jwks.json`)
  const { keys: found } = (await response.json()) as { keys: { kid: string }[] }
  return found.map(({ kid }) => kid)
}

describe('millseal keys', () => {
  test('rotates the signing key of a running server, which publishes it by itself', async () => {
    await using server = await serve(folder.path)
    const [old] = await kidsOf(server.url)
    const { status, stdout, stderr } = await keys(['rotate-signing', '--json'])
    assert.equal(status, 0, stderr)
    const { created, retired } = JSON.parse(stdout) as { created: string; retired: string[] }
    assert.deepEqual(retired, [])
    while (!(await kidsOf(server.url)).includes(created)) await pause(100)
    assert.deepEqual(await kidsOf(server.url), [created, old])

    const stranger = await keys(['rotate-signing'], {
      MILLSEAL_MASTER_KEY: randomBytes(32).toString('base64'),
    })
    assert.equal(stranger.status, 1)
    assert.match(stranger.stderr, /^millseal: This master key is not the one the server uses[^\n]+\n$/)
  })

  test('rotates the master key of a running server, and saves the old one in a file', async () => {
    await using server = await serve(folder.path)
    const shown = await kidsOf(server.url)
    const { status, stdout, stderr } = await keys(['rotate-master', '--json'])
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

    const tokenless = await keys(['rotate-master', '--token-key'])
    assert.equal(tokenless.status, 1)
    assert.match(tokenless.stderr, /^millseal: MILLSEAL_PKCS11_MODULE is not set[^\n]+\n$/)
    await server[Symbol.asyncDispose]()
    await using again = await serve(folder.path)
    assert.deepEqual(await kidsOf(again.url), shown)
  })

  test('has help, and reports invalid arguments in one line with exit code 2', async () => {
    const help = await keys(['--help'])
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
      const { status, stderr } = await keys(args)
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, /^millseal: [^\n]+; try millseal keys (rotate-\w+ )?--help\n$/)
    }
  })
})
