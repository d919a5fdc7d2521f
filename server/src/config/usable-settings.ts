import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type PortSetting, portInUse } from '../lib/port-in-use.ts'

/** Checks what settings name on this machine, before anything starts. Rejects with a ConfigError. */
export const assertUsable = async (config: Config): Promise<void> => {
  assertOwnPorts(config)
  ensureDataFolder(config)
  if (config.knownCheckpoints !== undefined)
    ensureFolder('MILLSEAL_KNOWN_CHECKPOINTS', config.knownCheckpoints)
  if (config.nodeFolder !== undefined) ensureFolder('MILLSEAL_NODE_FOLDER', config.nodeFolder)
  if (config.walArchive?.startsWith('s3://') === false)
    ensureFolder('MILLSEAL_WAL_ARCHIVE', config.walArchive)
  if (config.cosigners !== undefined || config.verifyNodes.length > 0)
    (await import('./cosigner-policy.ts')).readVerifyNodes(config)
  if (config.stamps !== undefined) (await import('./stamp-authorities.ts')).readStampAuthorities(config)
  if (config.seals !== undefined) (await import('./seal-keys.ts')).readSealKeys(config)
  if (config.nodeLogs !== undefined) (await import('./node-logs.ts')).readNodeLogs(config)
  assertFile('MILLSEAL_MQTTS_PEM', config.mqttsPem)
  assertFile('MILLSEAL_PKCS11_MODULE', config.pkcs11Module)
  await assertFree({ setting: 'MILLSEAL_PORT', host: config.host, port: config.port })
  await assertFreeMqttPorts(config)
}

export const ensureDataFolder = ({ dataDir }: Config): void => ensureFolder('MILLSEAL_DATA_DIR', dataDir)

/** Creates one folder after the other: below /proc, the recursive `mkdir` of Node never ends. */
const ensureFolder = (name: string, path: string): void => {
  const missing: string[] = []
  let folder = resolve(path)
  try {
    for (; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
    if (!statSync(folder).isDirectory()) throw new ConfigError(`${name}: ${folder} is not a folder`)
    if (missing.length > 0) for (const one of missing) makeFolder(one)
    else accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${name}: the folder ${path} cannot be used (${codeOf(error)})`)
  }
}

/** Another process may create it in the same moment. */
const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const assertFile = (name: string, path: string | undefined): void => {
  if (path === undefined) return
  try {
    accessSync(path, constants.R_OK)
    if (statSync(path).isFile()) return
  } catch (error) {
    throw new ConfigError(`${name}: the file ${path} cannot be read (${codeOf(error)})`)
  }
  throw new ConfigError(`${name}: ${path} is not a file`)
}

const assertOwnPorts = ({ port, mqttPort, mqttsPort }: Config): void => {
  const taken = new Map<number, string>()
  for (const [name, given] of [
    ['MILLSEAL_PORT', port],
    ['MILLSEAL_MQTT_PORT', mqttPort],
    ['MILLSEAL_MQTTS_PORT', mqttsPort],
  ] as const) {
    // Port 0 is any free port.
    if (given === undefined || given === 0) continue
    const other = taken.get(given)
    if (other !== undefined) throw new ConfigError(`${name}: ${given} is also the port of ${other}`)
    taken.set(given, name)
  }
}

/** With an external database, another process of this machine may serve MQTT, and this one replaces it later. */
const assertFreeMqttPorts = async (config: Config): Promise<void> => {
  const { host, mqttPort, mqttsPort, databaseUrl, amqpUrl, roles } = config
  if (databaseUrl !== undefined || amqpUrl !== undefined || !roles.includes('broker')) return
  if (mqttPort !== undefined)
    await assertFree({ setting: 'MILLSEAL_MQTT_PORT', host: '127.0.0.1', port: mqttPort })
  if (mqttsPort !== undefined) await assertFree({ setting: 'MILLSEAL_MQTTS_PORT', host, port: mqttsPort })
}

const assertFree = async ({
  setting,
  host,
  port,
}: {
  readonly setting: PortSetting
  readonly host: string
  readonly port: number
}): Promise<void> => {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw portInUse({ setting, host, port }, error)
    throw new ConfigError(`MILLSEAL_HOST: ${host} is not an address of this machine (${codeOf(error)})`)
  } finally {
    server.close()
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
