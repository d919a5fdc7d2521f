import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ObservedVatRegistry } from '../adapters/vat-registry/observed.ts'
import type { Config } from '../config.ts'
import { createReadiness, type Dependency } from '../http/readiness.ts'
import { createRecentCheck } from '../lib/recent-check.ts'
import type { Files } from '../ports/files/files.ts'
import type { OpenedBroker } from './broker.ts'
import type { Ports } from './ports.ts'

type Parts = Ports & {
  readonly broker: OpenedBroker
  readonly files: Files
  readonly logs: readonly Dependency[]
  readonly seals: readonly Dependency[]
  readonly vatRegistry: ObservedVatRegistry
  readonly assertKeysOpen: () => Promise<void>
}

export const openReadiness = (config: Config, parts: Parts): ReturnType<typeof createReadiness> =>
  createReadiness({
    dependencies: dependenciesOf(config, parts),
    roles: config.roles,
    clock: parts.clock,
  })

/** What the roles of this process need, and what has a queue that keeps work until it is back. */
const dependenciesOf = (config: Config, parts: Parts): readonly Dependency[] => {
  const { database, files, jobs, mailer, vault, broker, logs, vatRegistry, assertKeysOpen } = parts
  const everything = 'everything' as const
  return [
    {
      name: 'database',
      part: database,
      neededFor: { api: everything, worker: everything, broker: everything },
    },
    { name: 'jobs', part: jobs, neededFor: { api: everything, worker: everything } },
    { name: 'keys', part: { check: assertKeysOpen }, neededFor: { api: everything, worker: everything } },
    // In PostgreSQL they can be written if anything can.
    ...(files.kind !== 'postgres'
      ? [
          {
            name: 'files',
            part: files.kind === 'folder' ? writableFolder(config.dataDir) : answeringStore(files),
            neededFor: { api: 'writes' as const, worker: everything },
          },
        ]
      : []),
    { name: 'mailer', part: mailer, neededFor: {} },
    ...(broker.dependency === undefined
      ? []
      : [
          {
            name: 'broker',
            part: broker.dependency,
            neededFor: broker.isServedHere ? { broker: everything } : {},
          },
        ]),
    ...logs,
    ...parts.seals,
    // The token of live keys: test mode works without it.
    ...(config.pkcs11Module === undefined
      ? []
      : [
          {
            name: 'live keys',
            part: { check: (signal: AbortSignal) => vault.check('live', signal) },
            neededFor: {},
          },
        ]),
    ...(config.vies === 'off' ? [] : [{ name: 'vat register', part: answering(vatRegistry), neededFor: {} }]),
  ]
}

const probeBytes = 4_096
const probing = { maxAgeMs: 2_000, waitMs: 1_500, deadlineMs: 10_000 }

/** A disk that is full, broken or read-only shows only when something is written. */
const writableFolder = (dataDir: string): Dependency['part'] => {
  const file = join(resolve(dataDir), `.writable-${process.pid}`)
  const check = async (signal: AbortSignal): Promise<void> => {
    try {
      await writeFile(file, Buffer.alloc(probeBytes, 1), { mode: 0o600, flush: true, signal })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
      const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : 'nothing can be written'
      throw new Error(`${reason} (${code})`, { cause: error })
    } finally {
      await rm(file, { force: true })
    }
  }
  return recentlyChecked(check, 'the disk did not answer')
}

/** Whether a log can be written there is said by that log. */
const answeringStore = (files: Files): Dependency['part'] =>
  recentlyChecked(async () => void (await files.read('installation')), 'the store did not answer')

const recentlyChecked = (
  check: (signal: AbortSignal) => Promise<void>,
  silence: string,
): Dependency['part'] => {
  const recent = createRecentCheck({ ...probing, check })
  return {
    async check() {
      const result = await recent()
      if (result === undefined) throw new Error(silence)
      if (result.error !== undefined) throw new Error(result.error)
    },
  }
}

/** Nobody asks the register for the readiness: this is what the last look-up showed. */
const answering = (vatRegistry: ObservedVatRegistry): Dependency['part'] => ({
  async check() {
    const failure = vatRegistry.last?.failure
    if (failure !== undefined) throw new Error(`it did not answer: ${failure}`)
  },
})
