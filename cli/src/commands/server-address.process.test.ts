import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { millseal, serve, temporaryFolder } from '../../test/millseal.ts'

describe('a command without --server', () => {
  test('finds the server of this data folder on any port, and asks the port that MILLSEAL_PORT names', async () => {
    await using folder = await temporaryFolder()
    await using server = await serve(folder.path)
    const file = join(folder.path, 'unknown.json')
    await writeFile(file, '{"Heat":"1"}')
    const verify = (environment: Record<string, string>) =>
      millseal(['verify', file, '--mode', 'test'], { environment })
    const { MILLSEAL_SERVER: _, ...environment } = server.environment
    const { port } = new URL(server.url)
    for (const given of [{ ...environment, MILLSEAL_DATA_DIR: folder.path }, { MILLSEAL_PORT: port }]) {
      const { stdout, stderr } = await verify(given)
      assert.match(stdout, /NOT FOUND/, stderr)
    }
    const other = await verify({ MILLSEAL_PORT: '65533', MILLSEAL_DATA_DIR: folder.path })
    assert.match(other.stderr, /ECONNREFUSED .*:65533\b/)
  })
})
