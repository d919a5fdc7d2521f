import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { goProgram } from '../../server/test/go-program.ts'
import type { Rate } from './rounds.ts'

const version = 'v1.0.4'
const source = join(import.meta.dirname, 'peer/tessera/main.go')
const built = join(import.meta.dirname, '../../node_modules/.cache/tessera', version)
const program = join(built, 'tessera')

/** Tessera in a folder, built with Go at the first use. Rejects where it cannot be built. */
export const openTessera = async (folder: string, entryBytes: number) => {
  if (!existsSync(program)) await build()
  const child = spawn(program, [folder, String(entryBytes)], { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    appendMany: async (count: number): Promise<Rate> => {
      child.stdin.write(`${count}\n`)
      const { value = '' } = await answers.next()
      const [wall = Number.NaN, cpu = Number.NaN] = value.split(' ').map(Number)
      return { perSecond: (count * 1e9) / wall, cpuMicroseconds: cpu / 1_000 / count }
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await ended
    },
  }
}

const build = async (): Promise<void> => {
  const run = promisify(execFile)
  const own = await mkdtemp(join(tmpdir(), 'millseal-bench-'))
  try {
    await copyFile(source, join(own, 'main.go'))
    const go = (...words: string[]) => run(goProgram, words, { cwd: own })
    await go('mod', 'init', 'tessera')
    await go('get', `github.com/transparency-dev/tessera@${version}`)
    await go('mod', 'tidy')
    await go('build', '-o', program, '.')
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
