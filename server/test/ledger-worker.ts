// Submits the transactions it receives and reports each acknowledgement. Crash tests start and kill it.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createFolderFiles } from '../src/adapters/files/folder.ts'
import { createInterface } from 'node:readline'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import { createEmbeddedLedger } from '../src/adapters/ledger/embedded/embedded.ts'
import { Secret } from '../src/lib/secret.ts'
import { systemClock } from '../src/ports/clock/clock.ts'
import { openFilesArgument } from './files-argument.ts'
import { silentLog } from './silent-log.ts'

const [connection = '', folder = '', masterKey = '', files = ''] = process.argv.slice(2)
/** Waits while the pipe is full. */
const tell = (line: string): void => {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

const database = openPostgres({ connection, applicationName: 'worker', maxConnections: 4, log: silentLog })
const ledger = createEmbeddedLedger({
  mode: 'test',
  files: openFilesArgument(files, folder, database),
  claim: async () => {},
  knownCheckpoints: [createFolderFiles(join(folder, 'known'))],
  origin: () => 'example.com/ledger/test',
  database,
  keystore: createLocalKeystore(new Secret(Buffer.from(masterKey, 'base64'))),
  clock: systemClock,
  log: silentLog,
})
await ledger.start()
tell('ready')

for await (const line of createInterface({ input: process.stdin })) void submit(line)

async function submit(line: string): Promise<void> {
  const transaction = JSON.parse(line)
  try {
    const { entry } = await ledger.submit(transaction)
    tell(`wrote ${transaction.id} ${entry.index}`)
  } catch (error) {
    tell(`failed ${transaction.id} ${error instanceof Error ? error.message : ''}`)
  }
}
