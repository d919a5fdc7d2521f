import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { lacksSoftToken, openSoftToken } from '../../../../test/soft-token.ts'

const program = join(import.meta.dirname, '../../../../test/signing-process.ts')
/** A stop is a duration by its nature. This is longer than the deadline of a call; a longer one changes nothing. */
const stopMs = 7_000

test('a process that is stopped until after the deadline has the signature when it continues, of the same signer', {
  skip: await lacksSoftToken(),
}, async () => {
  await using token = await openSoftToken()
  const child = fork(program)
  try {
    child.send(token.settings)
    const [signerPid] = (await once(child, 'message')) as [number]
    process.kill(signerPid, 'SIGCONT')
    await delay(stopMs)
    const said = once(child, 'message')
    child.kill('SIGCONT')
    assert.deepEqual(await said, [{ outcome: 'a signature of 64 bytes', signerPid }, undefined])
  } finally {
    child.kill('SIGKILL')
  }
})
