import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import {
  createFolderFiles,
  createNodeServer,
  keysOf,
  lockFolder,
  LogListUnreadable,
  openNode,
  parseLogList,
} from '@millseal/node'
import released from '../../../package.json' with { type: 'json' }
import { command } from '../frame/command.ts'
import { parseDuration } from '../frame/options.ts'
import { UsageError } from '../frame/usage-error.ts'

export const node = command({
  options: {
    name: {
      value: '<name>',
      required: true,
      about: 'the name of this node in its keys, such as inspection.example/node; never change it',
    },
    logs: {
      value: '<file>',
      required: true,
      about: 'the logs, in the format logs/v0, with a line "#url" each',
    },
    folder: { value: '<folder>', required: true, about: 'where keys and copies are; created if missing' },
    listen: { value: '<address>', about: 'where to listen; default 127.0.0.1:8091' },
    every: { value: '<time>', about: 'how often to ask each log, such as 10s or 5m; default 10s' },
    keys: { about: 'print the keys of this node, and exit' },
  },
  description: `Holds logs of other organisations: copies every entry, checks it, serves the copy, and signs checkpoints for them (docs/node.md).
Needs a folder, and no database. Runs until Ctrl-C.

Prints two keys, which are made at the first start. Those who run the logs add one of them to the file of MILLSEAL_COSIGNERS. A log that
forks or lies is stopped for ever: the node keeps the evidence, and signs nothing more of it.`,
  examples: [
    'millseal node --name inspection.example/node --logs logs.v0 --folder ./copies',
    'millseal node --name inspection.example/node --logs logs.v0 --folder ./copies --keys',
  ],
  async run({ values, json, terminal }) {
    const logs = await readLogs(values.logs)
    const address = parseListen(values.listen ?? '127.0.0.1:8091')
    const everyMs = parseDuration('--every', values.every ?? '10s')
    using _held = lockFolder(values.folder)
    const note = (line: string): void => terminal.note(`millseal: ${line}`)
    const held = await openNode({
      name: values.name,
      logs,
      files: createFolderFiles(values.folder),
      note,
    })
    const keys = { node: held.keys.node.vkey, witness: held.keys.witness.vkey }
    const text = keysOf(held)
    if (values.keys) return { result: keys, text }
    const server = createNodeServer(held, { version: released.version, note })
    const url = await listening(server, address)
    if (json) terminal.printJson({ url, ...keys })
    else terminal.print(`${text}The node is ready at ${url}\n`)
    const stopped = untilStopped()
    void held.run(everyMs)
    await stopped
    server.close()
    server.closeAllConnections()
    await held.close()
    return undefined
  },
})

const readLogs = async (path: string) => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`--logs: ${path} does not exist, or cannot be read`, { cause })
  })
  try {
    return parseLogList(text)
  } catch (error) {
    if (error instanceof LogListUnreadable) throw new UsageError(`--logs: ${path}: ${error.message}`)
    throw error
  }
}

type Address = { readonly host: string; readonly port: number }

const parseListen = (text: string): Address => {
  const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (host === '' || port > 65_535)
    throw new UsageError('--listen must be an address and a port, such as 127.0.0.1:8091')
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

const listening = async (server: Server, { host, port }: Address): Promise<string> => {
  server.listen(port, host)
  await once(server, 'listening')
  const bound = server.address()
  const actual = typeof bound === 'object' && bound !== null ? bound.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
