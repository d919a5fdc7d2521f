import { resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { Gauge, type Registry } from 'prom-client'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { createBigchaindbHttpLedger } from '../adapters/ledger/bigchaindb-http/bigchaindb-http.ts'
import { createEmbeddedLedger, type EmbeddedLedger } from '../adapters/ledger/embedded/embedded.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Dependency } from '../http/readiness.ts'
import type { Query } from '../ports/database/database.ts'
import type { Ledger } from '../ports/ledger/ledger.ts'
import type { Files } from '../ports/files/files.ts'
import { observeCosigners, openCosigners } from './cosigners.ts'
import { observeStamps, openStamps } from './stamps.ts'
import { type ClaimedFiles, openRoot } from './files.ts'
import type { Ports } from './ports.ts'

/** What readiness says of the logs, and whether they record. */
export const observeLedgers = ({ embedded }: OpenedLedgers, registry: Registry): readonly Dependency[] => {
  const stopped = new Gauge({
    name: 'millseal_ledger_stopped',
    help: '1 while this process knows that the log records nothing new: clock, damage or disk',
    labelNames: ['mode'],
    registers: [],
    collect() {
      for (const mode of modes) this.set({ mode }, embedded(mode).obstacle === undefined ? 0 : 1)
    },
  })
  registry.registerMetric(stopped)
  const logs = modes.map(
    (mode): Dependency => ({
      name: `${mode} log`,
      part: embedded(mode),
      neededFor: { api: 'writes', worker: 'everything' },
    }),
  )
  return [...logs, ...observeCosigners(embedded, registry), ...observeStamps(embedded, registry)]
}

export type OpenedLedgers = AsyncDisposable & {
  embedded(mode: Mode): EmbeddedLedger
  /** Opens the network at this URL on its first use. */
  at(mode: Mode, url: string): Ledger
  /** Call before recording anything. Rejects if a log was altered. */
  start(): Promise<void>
}

/**
 * In a folder of this machine beside the data folder, so that neither a backup nor a restore touches it, and among the files
 * that all machines share.
 */
export const knownCheckpointsOf = (config: Config, query: Query): readonly Files[] => {
  const root = openRoot(config, query)
  return [knownFolderOf(config), ...(root.kind === 'folder' ? [] : [root.within('known')])]
}

export const knownFolderOf = ({ knownCheckpoints, dataDir }: Config): Files =>
  createFolderFiles(resolve(knownCheckpoints ?? `${resolve(dataDir)}.known`))

type Parts = Pick<Ports, 'database' | 'keystore' | 'clock' | 'log'> & {
  /** Of the logs. */
  readonly files: ClaimedFiles
  readonly publicUrl: () => string
}

export const openLedgers = (config: Config, { publicUrl, ...parts }: Parts): OpenedLedgers => {
  const cosigners = openCosigners(config)
  const stamps = openStamps(config)
  const open = (mode: Mode): EmbeddedLedger =>
    createEmbeddedLedger({
      ...parts,
      cosigners,
      stamps,
      claim: parts.files.claim,
      mode,
      knownCheckpoints: knownCheckpointsOf(config, parts.database.query),
      origin: () => `${config.ledgerOrigin ?? new URL(publicUrl()).host}/ledger/${mode}`,
    })
  const embedded: Readonly<Record<Mode, EmbeddedLedger>> = { test: open('test'), live: open('live') }
  const networks = new Map<string, Ledger>()
  return {
    embedded: (mode) => embedded[mode],
    at(mode, url) {
      const key = `${mode} ${url}`
      const known = networks.get(key)
      if (known !== undefined) return known
      const network = createBigchaindbHttpLedger({ mode, url })
      networks.set(key, network)
      return network
    },
    async start() {
      await Promise.all(modes.map((mode) => embedded[mode].start()))
      if (config.confirm !== 'quorum') return
      for (const mode of modes)
        if ((await embedded[mode].confirmation?.isForLog()) !== true)
          throw new ConfigError(
            `MILLSEAL_CONFIRM: quorum needs a policy for both logs, and MILLSEAL_COSIGNERS does not name the ${mode} log: add its line to the file, or remove all log lines`,
          )
    },
    async [Symbol.asyncDispose]() {
      const all = [...Object.values(embedded), ...networks.values()]
      await Promise.all(all.map((ledger) => ledger[Symbol.asyncDispose]()))
    },
  }
}
