import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { keep, keptFolder } from './kept-build.ts'
import { nodeEnvironment } from './node-environment.ts'

const version = '5.0.7'
const program = join(import.meta.dirname, 'node-red-process.ts')

/** Why a flow cannot run here, or false. Only CI installs programs on its own; `NODE_RED` names a folder that has it. */
export const lacksNodeRed = (): string | false =>
  process.env['NODE_RED'] !== undefined || (process.env['CI'] === 'true' && process.getuid?.() === 0)
    ? false
    : `Node-RED ${version} is installed on CI only, or in the folder that NODE_RED names`

const installMs = 300_000

/** A folder with Node-RED from npm, which is no dependency of the product; undefined if it cannot be installed. */
export const installNodeRed = async (): Promise<string | undefined> => {
  const given = process.env['NODE_RED']
  if (given !== undefined) return given
  const folder = keptFolder('node-red', version)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const install = async (unfinished: string): Promise<void> => {
    await writeFile(join(unfinished, 'package.json'), '{"private":true}')
    const options = { cwd: unfinished, timeout: installMs }
    await promisify(execFile)('npm', ['install', ...quiet, `node-red@${version}`], options)
  }
  return keep(folder, install).then(
    () => folder,
    () => undefined,
  )
}

export type NodeRed = AsyncDisposable & { readonly url: string }

/** Runs a flow in a process of Node-RED, with these environment variables for its nodes. */
export const startNodeRed = async (
  folder: string,
  {
    installed,
    flow,
    environment,
  }: {
    readonly installed: string
    readonly flow: readonly object[]
    readonly environment: Readonly<Record<string, string>>
  },
): Promise<NodeRed> => {
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow))
  const child = spawn(process.execPath, [program, installed, folder], {
    env: { ...nodeEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
  }
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    const url = /^ready (\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, [Symbol.asyncDispose]: stop }
  }
  throw new Error(`Node-RED did not start: ${said.join('\n')}`)
}
