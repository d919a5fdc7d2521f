import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type CosignerKey, cosignerKey, formatCosignerKey, parseNoteKey } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { lacksPackage, mayInstall } from './debian-package.ts'
import { eventually } from './eventually.ts'
import { goProgram } from './go-program.ts'
import { keep, keptFolder } from './kept-build.ts'
import { isOpen } from './open-port.ts'
import { freePort } from './server-process.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** A witness of C2SP that is not ours, with SQLite and an ssh-agent. */
const version = 'v0.6.1'
const folder = keptFolder('litewitness', version)
const program = join(folder, 'litewitness')
const agentProgram = '/usr/bin/ssh-agent'
const source = `filippo.io/torchwood/cmd/litewitness@${version}`

/** Why there can be no witness here, or false. CI installs it, so nothing is skipped there. */
export const lacksLitewitness = async (): Promise<string | false> => {
  if (!existsSync(program) && mayInstall) await install()
  if (!existsSync(program)) return `litewitness is not installed: GOBIN=${folder} go install ${source}`
  return await lacksPackage({ name: 'openssh-client', file: agentProgram })
}

const install = (): Promise<void> =>
  keep(folder, (unfinished) =>
    promisify(execFile)(goProgram, ['install', source], {
      env: { ...process.env, GOBIN: unfinished, GOFLAGS: '-modcacherw' },
    }),
  )

export type TestWitness = AsyncDisposable & {
  readonly key: CosignerKey
  /** Its key as it would publish it. */
  readonly vkey: string
  readonly url: string
  readonly pid: number
  /** From now on it cosigns this log. */
  follow(logKey: string): void
  /** It does not answer until it is started again, and remembers what it has cosigned. */
  stop(): Promise<void>
  start(): Promise<void>
}

export const startLitewitness = async (name: string): Promise<TestWitness> => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder())
  const agent = opening.use(await startAgent(path))
  const port = await freePort()
  const store = join(path, 'witness.db')
  createStore(store)
  let running: { readonly pid: number; readonly stop: () => Promise<void> } | undefined
  const start = async (): Promise<void> => {
    const options = { db: store, name, key: agent.fingerprint, 'ssh-agent': agent.socket }
    const given = Object.entries(options).flatMap(([option, value]) => [`-${option}`, value])
    const child = spawn(program, [...given, '-listen', `127.0.0.1:${port}`], { stdio: 'ignore' })
    const ended = once(child, 'close')
    running = {
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGKILL')
        await ended
      },
    }
    await eventually(
      () => {
        if (child.exitCode !== null) throw new Error('litewitness did not start')
        return isOpen(port)
      },
      { what: 'litewitness starts', everyMs: 20 },
    )
  }
  const stop = async (): Promise<void> => {
    await running?.stop()
    running = undefined
  }
  opening.defer(stop)
  await start()
  const opened = opening.move()
  const key = cosignerKey(name, agent.publicKey, nodePrimitives)
  return {
    key,
    vkey: formatCosignerKey(key),
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return running?.pid ?? 0
    },
    follow: (logKey) => addLog(store, logKey),
    stop,
    start,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Holds the key of a witness. */
const startAgent = async (path: string) => {
  const run = promisify(execFile)
  const key = join(path, 'key')
  const socket = join(path, 'agent')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const child = spawn(agentProgram, ['-D', '-a', socket], { stdio: 'ignore' })
  const ended = once(child, 'close')
  await eventually(() => existsSync(socket), { what: 'ssh-agent starts', everyMs: 20 })
  await run('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  const { stdout } = await run('ssh-keygen', ['-lf', `${key}.pub`])
  const encoded = (await readFile(`${key}.pub`, 'utf8')).split(' ')[1] ?? ''
  return {
    socket,
    fingerprint: stdout.split(' ')[1] ?? '',
    publicKey: new Uint8Array(Buffer.from(encoded, 'base64').subarray(-32)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** What its own tool would write, which the Go proxy does not serve. */
const createStore = (file: string): void => {
  using store = new DatabaseSync(file)
  store.exec(`CREATE TABLE log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL);
CREATE TABLE key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin));`)
}

const addLog = (file: string, logKey: string): void => {
  using store = new DatabaseSync(file, { timeout: 10_000 })
  const { name } = parseNoteKey(logKey.trim(), nodePrimitives)
  const emptyRoot = Buffer.from(nodePrimitives.sha256(new Uint8Array())).toString('base64')
  store.prepare('INSERT INTO log VALUES (?, 0, ?)').run(name, emptyRoot)
  store.prepare('INSERT INTO key VALUES (?, ?)').run(name, logKey.trim())
}
