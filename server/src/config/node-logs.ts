import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { LogListUnreadable, parseLogList } from '@millseal/node'
import { type Config, ConfigError } from '../config.ts'

const setting = 'MILLSEAL_NODE_LOGS'

/** What the node of this server is, or undefined if it is none. Throws `ConfigError` if it cannot be one. */
export const readNodeLogs = (config: Config) => {
  const { nodeLogs: path, nodeName: name, nodeFolder, dataDir, roles, processes = 1 } = config
  if (path === undefined) return undefined
  if (name === undefined) throw new ConfigError(`MILLSEAL_NODE_NAME: required if ${setting} is set`)
  if (processes > 1 || !roles.includes('api'))
    throw new ConfigError(
      `${setting}: needs one process with the role api, because only one can use the folder of a node: run millseal node beside this server instead`,
    )
  return { name, logs: parse(path), folder: resolve(nodeFolder ?? `${resolve(dataDir)}.node`) }
}

const parse = (path: string) => {
  try {
    return parseLogList(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof LogListUnreadable) throw new ConfigError(`${setting}: ${path}: ${error.message}`)
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new ConfigError(`${setting}: the file ${path} cannot be read (${String(error.code)})`)
  }
}
