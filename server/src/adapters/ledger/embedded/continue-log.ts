import type { Mode } from '@millseal/contract'
import { formatNoteKey, type NoteKey, parseKeyFile, type StatusTree } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../../ports/database/database.ts'
import type { Files } from '../../../ports/files/files.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { type DatabaseSession, openSession } from '../../database/session.ts'
import { createStatusOfLog } from './corrections.ts'
import { hostOf, listFrozen, numberOf, readFrozen, writeFrozen, writeText } from './frozen-logs.ts'
import { createIndexReader } from './index-reader.ts'
import { createIndexWriter } from './index-writer.ts'
import { inspectLog } from './inspect-log.ts'
import { listKnownNames, markContinued } from './known-checkpoints.ts'
import { assertFolderOf, createLogKey, replaceKey } from './log-key.ts'
import { type LogState, signAgain } from './log-state.ts'
import { createOperatorKey } from './operator-key.ts'
import { catchUp, newestTime } from './recover-log.ts'
import { openTileFolder } from './tile-folder.ts'
import { tryWriterLock, writerSetup } from './writer-lock.ts'

export type ContinueOptions = {
  readonly mode: Mode
  /** Of all logs. */
  readonly files: Files
  readonly knownCheckpoints: readonly Files[]
  /** Host and path of the new name, before `/ledger/`; by default those of the old name. */
  readonly host: string | undefined
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
  /** Runs in the transaction that stores the new key. */
  record(tx: Transaction, names: { readonly before: string; readonly after: string }): Promise<void>
}

export type ContinuedLog = {
  readonly size: number
  /** The old name is served at `frozen/<number>`. */
  readonly frozen: number
  /** The new key. */
  readonly vkey: string
}

/**
 * Lets a log go on under a new name and with a new key, with the entries that are on disk. Rejects if another process
 * writes it, or if it is damaged. If it was interrupted, the next call completes it.
 */
export const continueLog = async (options: ContinueOptions): Promise<ContinuedLog> => {
  const { mode, database } = options
  await using opening = new AsyncDisposableStack()
  const session = await openSession({
    connection: database.connection,
    applicationName: `millseal log continue-as-new ${mode}`,
    channels: [],
    setup: writerSetup,
    onNotification: () => {},
    onLost: () => {},
  })
  opening.defer(session.close)
  if (!(await tryWriterLock(session, mode)))
    throw new Error(`A server is writing the ${mode} log: stop all servers of this installation first`)
  const files = options.files.within(mode)
  const current = await createLogKey(options).read()
  const unfinished = await findUnfinished(files, current)
  const before = unfinished ?? current
  const state = await inspect(options, { files, session, key: before })
  if (unfinished === undefined) await freeze(options, { files, key: current })
  return await publish(options, { files, state, before })
}

/** The key of the name that was frozen last, if the first checkpoint of the next name was not published. */
const findUnfinished = async (files: Files, current: NoteKey): Promise<NoteKey | undefined> => {
  const checkpoint = await openTileFolder(files).readCheckpoint()
  for (const number of await listFrozen(files)) {
    const frozen = await readFrozen(files, number)
    if (frozen === undefined || frozen.checkpoint !== checkpoint) continue
    const key = parseKeyFile(frozen.vkey, nodePrimitives)
    return key.name === current.name ? undefined : key
  }
  return undefined
}

type Inspected = { readonly log: LogState; readonly newest: Date | undefined; readonly status: StatusTree }

const inspect = async (
  { mode, database }: ContinueOptions,
  {
    files,
    session,
    key,
  }: { readonly files: Files; readonly session: DatabaseSession; readonly key: NoteKey },
): Promise<Inspected> => {
  const folder = openTileFolder(files)
  const index = createIndexWriter(session.query, mode)
  const reader = createIndexReader(database.query, mode)
  const found = await inspectLog({ folder, index, reader, key })
  const { tree, checkpoint, note } = found.state
  if (note === undefined) throw new Error(`The ${mode} log has no checkpoint: there is nothing to continue`)
  await catchUp({ folder, index }, tree.size)
  const status = createStatusOfLog({ folder, query: session.query, mode })
  return {
    log: found.state,
    newest: newestTime(found),
    status: await status.advance(tree.size, checkpoint?.status),
  }
}

/** Keeps the last checkpoint of the old name, then stores the key of the new one. */
const freeze = async (
  options: ContinueOptions,
  { files, key }: { readonly files: Files; readonly key: NoteKey },
): Promise<void> => {
  const { mode, host, database, knownCheckpoints } = options
  await assertFolderOf(files, key)
  const names = [key.name, ...(await listKnownNames(knownCheckpoints, mode))]
  const number = Math.max(...names.map(numberOf), ...(await listFrozen(files))) + 1
  const after = `${host ?? hostOf(key.name)}/ledger/${mode}/${number}`
  const checkpoint = (await openTileFolder(files).readCheckpoint()) ?? ''
  await writeFrozen(files, numberOf(key.name), { checkpoint, vkey: `${formatNoteKey(key)}\n` })
  await database.transaction(async (tx) => {
    await replaceKey(tx, { ...options, origin: after })
    await options.record(tx, { before: key.name, after })
  })
}

const publish = async (
  options: ContinueOptions,
  { files, state, before }: { readonly files: Files; readonly state: Inspected; readonly before: NoteKey },
): Promise<ContinuedLog> => {
  const { mode, clock, knownCheckpoints } = options
  const key = createLogKey(options)
  const signer = await key.ensure((await key.read()).name)
  const vkey = formatNoteKey(signer.key)
  const { note, tree } = await signAgain(state.log, {
    signer,
    operator: await createOperatorKey(options).ensure(),
    // A state leaf says this time.
    time: state.newest ?? new Date(clock.now()),
    status: state.status.head,
  })
  await writeText(files, 'vkey', `${vkey}\n`)
  await writeText(files, 'checkpoint', note)
  await markContinued(knownCheckpoints, { mode, key: before, as: signer.key.name })
  return { size: tree.size, frozen: numberOf(before.name), vkey }
}
