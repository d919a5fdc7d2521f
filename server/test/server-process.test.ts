import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from './server-process.ts'

test('a port is given to one test only', async () => {
  const ports: number[] = []
  for (let count = 0; count < 600; count += 1) ports.push(await freePort())
  assert.equal(new Set(ports).size, ports.length)
})
