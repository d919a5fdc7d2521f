import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointIn } from '@millseal/proof'
import { sha256Of } from '@millseal/proof/testing'
import { millseal, serve } from '../../../cli/test/millseal.ts'
import { freePort } from '../../../server/test/server-process.ts'

/** An installation of Millseal: the writer of its own log, and a node for the logs of the others. */
export type Organisation = AsyncDisposable & {
  readonly name: string
  readonly url: string
  /** Where its files are. */
  readonly folder: string
  /** The SHA-256 of the name of its test log. */
  readonly logId: string
  /** With all settings that it has by now. */
  start(): Promise<void>
  stop(): Promise<void>
  /** As if its machine lost its power. */
  kill(): Promise<void>
  /** From now on it holds these logs. Resolves with the key that it signs copies with. Call while it is stopped. */
  hold(lists: readonly string[]): Promise<string>
  /** From now on it asks these nodes to confirm its log, and one of them is enough. Call while it is stopped. */
  confirmBy(
    nodes: readonly { readonly name: string; readonly key: string; readonly url: string }[],
  ): Promise<void>
  /** A company registers, is reviewed, and notarizes a certificate. Resolves with the folder of PDF, JSON and policy. */
  notarize(): Promise<string>
  /** Entries of a log at one of its addresses; 0 if there is none. */
  sizeAt(path: string): Promise<number>
}

export const openOrganisation = async (name: string, parent: string): Promise<Organisation> => {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true })
  const [data, logs, cosigners] = [
    join(folder, 'data'),
    join(folder, 'logs.v0'),
    join(folder, 'cosigners.policy'),
  ]
  const port = String(await freePort())
  const [url, nodeName] = [`http://localhost:${port}`, `${name}.example/node`]
  const environment = () => ({
    MILLSEAL_PORT: port,
    MILLSEAL_LEDGER_ORIGIN: `${name}.example`,
    MILLSEAL_PROCESSES: '1',
    MILLSEAL_NODE_NAME: nodeName,
    MILLSEAL_NODE_LOGS: existsSync(logs) ? logs : '',
    MILLSEAL_COSIGNERS: existsSync(cosigners) ? cosigners : '',
  })
  let certificates = 0
  return {
    ...restartable(() => serve(data, environment())),
    name,
    url,
    folder,
    logId: sha256Of(Buffer.from(`${name}.example/ledger/test`)),
    async hold(lists) {
      const sections = lists.map((list) => list.replace(/^logs\/v0\n/, ''))
      await writeFile(logs, `logs/v0\n${sections.join('')}`)
      const command = [
        'node',
        '--name',
        nodeName,
        '--logs',
        logs,
        '--folder',
        `${data}.node`,
        '--keys',
        '--json',
      ]
      return (JSON.parse(await succeed(command)) as { readonly node: string }).node
    },
    async confirmBy(nodes) {
      const witnesses = nodes.map((node) => `witness ${node.name} ${node.key} ${node.url}/node\n`)
      const group = `group others any ${nodes.map((node) => node.name).join(' ')}\nquorum others\n`
      await writeFile(cosigners, `${witnesses.join('')}${group}`)
    },
    async notarize() {
      certificates += 1
      const certificate = join(folder, `certificate-${certificates}`)
      await succeed(['demo', '--folder', certificate], { MILLSEAL_SERVER: url, MILLSEAL_DATA_DIR: data })
      return certificate
    },
    async sizeAt(path) {
      const response = await fetch(`${url}${path}`)
      const text = await response.text()
      return response.status === 200 ? checkpointIn(text).size : 0
    },
  }
}

const restartable = (open: () => ReturnType<typeof serve>) => {
  let server: Awaited<ReturnType<typeof serve>> | undefined
  const stop = async (): Promise<void> => {
    await server?.[Symbol.asyncDispose]()
    server = undefined
  }
  return {
    async start(): Promise<void> {
      server = await open()
    },
    stop,
    async kill(): Promise<void> {
      await server?.kill()
      server = undefined
    },
    [Symbol.asyncDispose]: stop,
  }
}

const succeed = async (
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { status, stdout, stderr } = await millseal(command, { environment })
  if (status !== 0) throw new Error(`millseal ${command.join(' ')} failed: ${stderr}`)
  return stdout
}
