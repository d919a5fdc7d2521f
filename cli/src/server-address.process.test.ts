import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { millseal, serve, temporaryFolder } from '../test/millseal.ts'

test('a command without --server finds the server of MILLSEAL_PORT, or the one that runs with its data folder', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve(folder.path)
  const file = join(folder.path, 'unknown.json')
  await writeFile(file, '{"RefSchemaUrl":"https://example.org/x"}')
  const verify = (environment: Record<string, string>) => millseal(['verify', file], { environment })
  const found = await verify({ MILLSEAL_DATA_DIR: folder.path })
  assert.match(found.stdout, /NOT FOUND/, found.stderr)
  const named = await verify({ MILLSEAL_PORT: new URL(server.url).port })
  assert.match(named.stdout, /NOT FOUND/, named.stderr)
  const other = await verify({ MILLSEAL_PORT: '65533', MILLSEAL_DATA_DIR: folder.path })
  assert.match(other.stderr, /ECONNREFUSED .*:65533/)
})
