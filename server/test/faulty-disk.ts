import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

/** Why no disk of a given size can be mounted here, or false. */
export const lacksMounting = async (): Promise<string | false> => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'it takes root on Linux to mount a disk'
  await using folder = await makeTemporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', folder.path])
    await run('umount', [folder.path])
    return false
  } catch (error) {
    return `nothing can be mounted here: ${error instanceof Error ? error.message : String(error)}`
  }
}

export type SmallDisk = AsyncDisposable & {
  readonly path: string
  /** Leaves no room for a further byte. */
  fill(): Promise<void>
  makeRoom(): Promise<void>
}

export const mountSmallDisk = async (megabytes: number): Promise<SmallDisk> => {
  await using mounting = new AsyncDisposableStack()
  const { path: home } = mounting.use(await makeTemporaryFolder())
  const path = join(home, 'disk')
  await mkdir(path)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path])
  // What was open there when a test failed holds it no longer than its process lives.
  mounting.defer(async () => void (await run('umount', ['--lazy', path])))
  const mounted = mounting.move()
  const filler = join(path, 'filler')
  return {
    path,
    async fill() {
      for (const bytes of [1 << 20, 4_096]) {
        const more = Buffer.alloc(bytes)
        while (await appended(filler, more));
      }
    },
    makeRoom: () => rm(filler),
    [Symbol.asyncDispose]: () => mounted.disposeAsync(),
  }
}

const appended = async (file: string, bytes: Buffer): Promise<boolean> => {
  try {
    await appendFile(file, bytes)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

export const strace = { name: 'strace', file: '/usr/bin/strace' }

/** Makes every flush of this process to its disk fail until it is disposed. */
export const failFlushes = async (pid: number): Promise<AsyncDisposable> => {
  const calls = 'fsync,fdatasync'
  const args = ['-f', '-p', String(pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`]
  const tracer = spawn('strace', [...args, '-o', '/dev/null'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: tracer.stderr })) {
    lines.push(line)
    if (!line.includes('attached')) continue
    tracer.stderr.resume()
    return {
      async [Symbol.asyncDispose]() {
        tracer.kill('SIGINT')
        await ended
      },
    }
  }
  throw new Error(`strace traces nothing: ${lines.join('\n')}`)
}
