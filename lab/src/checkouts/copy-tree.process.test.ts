import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { copyTree } from './copy-tree.ts'

test('a copied checkout has our sources, all packages and the built console', async () => {
  await using folder = await makeTemporaryFolder()
  await copyTree(join(import.meta.dirname, '../../..'), folder.path)
  for (const path of [
    'server/src/main.ts',
    'node_modules/fastify/package.json',
    'node_modules/@millseal/server/src/main.ts',
    'console/built/app/manifest.json',
  ])
    assert.ok(existsSync(join(folder.path, path)), path)
})
