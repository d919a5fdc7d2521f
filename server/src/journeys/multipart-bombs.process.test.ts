import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { addressOf } from '../../test/test-server.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

const mebibyte = 1_024 * 1_024
const atOnce = 20
/** How much each would send if it were not stopped. */
const wholeBytes = 64 * mebibyte
/** Twenty PDFs of the maximum size at once. */
const grownAtMost = 150 * mebibyte
const skip = process.platform === 'linux' ? false : 'the peak of memory is read from /proc'

const opened = new AsyncDisposableStack()
let server: ServerProcess

before(async () => {
  const database = opened.use(await openTestDatabase())
  const folder = opened.use(await makeTemporaryFolder())
  server = opened.use(
    await startServer({
      DATABASE_URL: addressOf(database),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_ROLES: 'api',
      // What twenty at once take depends on it.
      MILLSEAL_CERTIFICATE_MIB: '1',
    }),
  )
})
after(() => opened.disposeAsync())

const file = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n'
const bombs: readonly (readonly [name: string, start: string, more: string])[] = [
  ['a file', `${file}\r\n`, ' '.repeat(65_536)],
  ['a header', `${file}X-Long: `, 'x'.repeat(65_536)],
  ['the headers of a part', file, 'X-More: x\r\n'.repeat(6_000)],
  ['parts', '', `${file}\r\n{}\r\n`.repeat(800)],
  ['fields', '', '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1_000)],
  ['a preamble', '', 'no edge at all '.repeat(4_000)],
]

type Sent = { readonly status?: number; readonly bytes: number }

/** No status if the server closed the connection before everything was sent. */
const explode = async (start: string, more: string): Promise<Sent> => {
  const chunk = new TextEncoder().encode(more)
  let bytes = 0
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
    pull(controller) {
      bytes += chunk.length
      if (bytes > wholeBytes) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
  try {
    const init = { method: 'POST', headers, body, duplex: 'half' as const }
    const response = await fetch(`${server.url}/api/certificates/verify?mode=test`, init)
    await response.arrayBuffer()
    return { status: response.status, bytes }
  } catch {
    return { bytes }
  }
}

const peakBytes = async (): Promise<number> => {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

describe('multipart that never ends', { skip }, () => {
  for (const [name, start, more] of bombs) {
    test(`${name}: 413 or a closed connection, long before its end, and memory does not grow`, async () => {
      await explode(start, more)
      const atFirst = await peakBytes()
      const sent = await Promise.all(Array.from({ length: atOnce }, () => explode(start, more)))
      for (const { status, bytes } of sent) {
        assert.ok(status === undefined || status === 413, String(status))
        assert.ok(bytes < wholeBytes, `${bytes} were taken`)
      }
      const grown = (await peakBytes()) - atFirst
      assert.ok(grown < grownAtMost, `${grown} bytes more than before`)
    })
  }
})
