import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundled } from '@millseal/server/testing'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')

type Given = {
  readonly environment?: Readonly<Record<string, string>>
  /** Every attempt to open a socket fails. */
  readonly offline?: boolean
  /** A module that runs before the command. */
  readonly preload?: string
  readonly input?: string
  readonly cwd?: string
  /** Default: the sources. */
  readonly program?: string
}

const withoutNetwork = `import { Socket } from 'node:net'; Socket.prototype.connect = () => { throw new Error('there is no network') }`

const preloaded = (source: string): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(source)}`,
]

/** The command gets no setting of this process. */
const { PATH = '', NODE_COMPILE_CACHE: compiled } = process.env
const inherited = { PATH, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) }

const start = (
  args: readonly string[],
  { environment = {}, offline = false, preload, cwd, program = main }: Given,
): ChildProcess =>
  spawn(
    process.execPath,
    [
      ...(offline ? preloaded(withoutNetwork) : []),
      ...(preload === undefined ? [] : preloaded(preload)),
      program,
      ...args,
    ],
    { env: { ...inherited, ...environment }, stdio: 'pipe', cwd },
  )

const collect = (child: ChildProcess): { out: string; err: string } => {
  const text = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
  return text
}

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs the command as a user does. */
export const millseal = async (args: readonly string[], given: Given = {}): Promise<Ran> => {
  // A command on an installation loads the server.
  const program = given.environment?.['MILLSEAL_DATA_DIR'] === undefined ? main : await bundled(main)
  const child = start(args, { program, ...given })
  const text = collect(child)
  child.stdin?.end(given.input ?? '')
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout: text.out, stderr: text.err }
}

/** Starts the command without waiting for it, and stops it when disposed. */
export const running = (args: readonly string[], given: Given = {}) => {
  const child = start(args, given)
  const text = collect(child)
  return {
    text,
    /** Resolves when standard output or standard error matches. */
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(text.out) ?? pattern.exec(text.err)
        if (found !== null) return found
        if (child.exitCode !== null) throw new Error(`The command exited: ${text.err}`)
        await pause(50)
      }
    },
    /** As if the machine lost its power. */
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    },
  }
}

export const temporaryFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const name of [path, `${path}.known`]) await rm(name, { recursive: true, force: true })
    },
  }
}

/** Settings of a server with its data in this folder, also for commands on its installation. */
export const settingsIn = (dataDir: string) => ({
  MILLSEAL_DATA_DIR: dataDir,
  MILLSEAL_PORT: '0',
  MILLSEAL_MQTT_PORT: '0',
  MILLSEAL_MQTTS_PORT: 'off',
  MILLSEAL_DRAIN_MS: '0',
  MILLSEAL_VIES: 'off',
  MILLSEAL_SAMPLES: 'off',
})

export const serve = async (dataDir: string, more: Readonly<Record<string, string>> = {}) => {
  const program = await bundled(main)
  const server = running(['serve'], { environment: { ...settingsIn(dataDir), ...more }, program })
  const [, url = ''] = await server.until(/API\s+(\S+)\/api\n[\s\S]*to stop/)
  return { ...server, url, environment: { ...settingsIn(dataDir), MILLSEAL_SERVER: url } }
}
