import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** Where Debian puts the sources of golang-golang-x-mod-dev, and the places a Go is found in. */
const sources = '/usr/share/gocode'
const module = join(sources, 'src/golang.org/x/mod/sumdb/tlog/tlog.go')
const places = ['/usr/bin/go', '/usr/local/go/bin/go', '/opt/homebrew/bin/go']

const findGo = (): string | undefined =>
  existsSync(module) ? places.find((path) => existsSync(path)) : undefined

/** Why there can be no verifier here, or false. On CI what is missing is installed. */
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
  /** What it has checked; rejects with what it found wrong. */
  check(log: { readonly folder: string; readonly key: string; readonly given: object }): Promise<string>
}

/** Of another make: the log implementation of the Go project, around which `tlog-verifier/main.go` is a shell. */
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
