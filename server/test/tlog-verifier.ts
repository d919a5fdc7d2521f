import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { lacksPackage } from './debian-package.ts'

/** The folder of the Debian package golang-golang-x-mod-dev, and the possible paths of Go. */
const sources = '/usr/share/gocode'
const module = join(sources, 'src/golang.org/x/mod/sumdb/tlog/tlog.go')
const debianGo = '/usr/bin/go'
const places = [debianGo, '/usr/local/go/bin/go', '/opt/homebrew/bin/go']

const findGo = (): string | undefined =>
  existsSync(module) ? places.find((path) => existsSync(path)) : undefined

/** Why there can be no verifier here, or false. */
export const lacksTlogVerifier = (): Promise<string | false> =>
  lacksPackage({
    name: 'golang-go golang-golang-x-mod-dev',
    file: places.some((path) => existsSync(path)) ? module : debianGo,
  })

export type TlogVerifier = {
  /** Resolves with what it checked; rejects with the fault it found. */
  check(log: { readonly folder: string; readonly key: string; readonly given: object }): Promise<string>
}

const go = (): string => {
  const found = findGo()
  if (found === undefined) throw new Error('There is no Go on this machine')
  return found
}

/** Runs the Go of the machine in a folder with a program, with the sources that Debian installs. */
export const runGo = async (folder: string, ...given: readonly string[]): Promise<void> => {
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: sources, GOFLAGS: '' }
  await promisify(execFile)(go(), given, { cwd: folder, env })
}

/** The files that gofmt would change. */
export const listUnformattedGo = async (folder: string): Promise<string> =>
  (await promisify(execFile)(join(dirname(go()), 'gofmt'), ['-l', folder])).stdout

/** An independent verifier: `tlog-verifier/main.go` calls the log implementation of the Go project. */
export const buildTlogVerifier = async (folder: string): Promise<TlogVerifier> => {
  const program = join(folder, 'tlog-verifier')
  await runGo(join(import.meta.dirname, 'tlog-verifier'), 'build', '-o', program, '.')
  return {
    async check({ folder: log, key, given }) {
      const child = spawn(program, [log, key], { stdio: ['pipe', 'pipe', 'inherit'] })
      child.stdin.end(JSON.stringify(given))
      const said = await text(child.stdout)
      const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)))
      if (code !== 0) throw new Error(said.trim())
      return said.trim()
    },
  }
}
