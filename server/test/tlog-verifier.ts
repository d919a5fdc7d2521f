import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** The folder of the Debian package golang-golang-x-mod-dev, and the possible paths of Go. */
const sources = '/usr/share/gocode'
const module = join(sources, 'src/golang.org/x/mod/sumdb/tlog/tlog.go')
const places = ['/usr/bin/go', '/usr/local/go/bin/go', '/opt/homebrew/bin/go']

const findGo = (): string | undefined =>
  existsSync(module) ? places.find((path) => existsSync(path)) : undefined

/** Why there is no verifier here, or false. CI installs what is missing. */
export const lacksTlogVerifier = async (): Promise<string | false> => {
  const mayInstall = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (findGo() === undefined && mayInstall) {
    const install =
      'apt-get update -qq && apt-get install -qq -y --no-install-recommends golang-go golang-golang-x-mod-dev'
    await promisify(execFile)('sh', ['-c', install], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => {})
  }
  return findGo() === undefined
    ? 'golang-go and golang-golang-x-mod-dev are not installed on this machine'
    : false
}

export type TlogVerifier = {
  /** Resolves with what it checked; rejects with the fault it found. */
  check(log: { readonly folder: string; readonly key: string; readonly given: object }): Promise<string>
}

/** An independent verifier: `tlog-verifier/main.go` calls the log implementation of the Go project. */
export const buildTlogVerifier = async (folder: string): Promise<TlogVerifier> => {
  const go = findGo()
  if (go === undefined) throw new Error('There is no Go on this machine')
  const program = join(folder, 'tlog-verifier')
  await promisify(execFile)(go, ['build', '-o', program, 'main.go'], {
    cwd: join(import.meta.dirname, 'tlog-verifier'),
    env: { ...process.env, GO111MODULE: 'off', GOPATH: sources, GOFLAGS: '' },
  })
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
