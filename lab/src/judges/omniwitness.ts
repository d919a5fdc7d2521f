import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../../../server/test/eventually.ts'
import { freePort } from '../../../server/test/server-process.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { judge, run } from './programs.ts'

/** A witness that reads the list of logs from an address, as the server has it at `/ledger/logs.v0`. */
export const startOmniwitness = async (
  name: string,
  logs: readonly { readonly vkey: string; readonly origin: string }[],
) => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder())
  const [secret, key] = [join(path, 'key'), join(path, 'key.pub')]
  await run(judge.keys, '-origin', name, '-out_priv', secret, '-out_pub', key)
  const sections = logs.map(
    ({ vkey, origin }) => `vkey ${vkey}\norigin ${origin}\nqpd 345600\ncontact ops@mill.example\n`,
  )
  const list = `logs/v0\n\n${sections.join('\n')}`
  const lists = createServer((_, response) => response.end(list)).listen(0, '127.0.0.1')
  opening.defer(async () => {
    lists.closeAllConnections()
    await new Promise((closed) => lists.close(closed))
  })
  await once(lists, 'listening')
  const port = await freePort()
  const options = {
    listen: `127.0.0.1:${port}`,
    metrics_listen: '127.0.0.1:0',
    v: '1',
    private_key_path: secret,
    db_file: join(path, 'db'),
    public_witness_config_url: `http://127.0.0.1:${(lists.address() as AddressInfo).port}/logs.v0`,
  }
  // It has logs of the whole world in its settings, and follows none of them here.
  const nowhere = 'http://127.0.0.1:1'
  const child = spawn(
    judge.omniwitness,
    Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    { env: { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'close')
  opening.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  child.stderr.on('data', (bytes: Buffer) => (printed += String(bytes)))
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(`omniwitness did not start: ${printed}`)
      return printed.includes('Provisioning from public witness network complete')
    },
    { what: 'omniwitness has the list of logs', everyMs: 20 },
  )
  const opened = opening.move()
  return {
    vkey: (await readFile(key, 'utf8')).trim(),
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
