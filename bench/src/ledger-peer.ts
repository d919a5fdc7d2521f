import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { goProgram } from '../../server/test/go-program.ts'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'
import type { Rate } from './measuring.ts'

const version = 'v1.0.4'
const program = join(import.meta.dirname, '../../node_modules/.cache/tessera', version, 'tessera')

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
  await using own = await makeTemporaryFolder()
  await copyFile(join(import.meta.dirname, 'peer/tessera/main.go'), join(own.path, 'main.go'))
  const go = (...words: string[]) => promisify(execFile)(goProgram, words, { cwd: own.path })
  await go('mod', 'init', 'tessera')
  await go('get', `github.com/transparency-dev/tessera@${version}`)
  await go('mod', 'tidy')
  await go('build', '-o', program, '.')
}
