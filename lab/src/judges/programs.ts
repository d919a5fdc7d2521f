import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mayInstall } from '../../../server/test/debian-package.ts'
import { goProgram } from '../../../server/test/go-program.ts'
import { keep, keptFolder } from '../../../server/test/kept-build.ts'

const witness = 'github.com/transparency-dev/witness/cmd'
const tessera = 'github.com/transparency-dev/tessera/cmd'
const witnessVersion = 'v0.0.0-20260720115447-2e1c6971d19e'

const installed = [
  `${witness}/omniwitness@${witnessVersion}`,
  `${witness}/generate_keys@${witnessVersion}`,
  `${tessera}/fsck@v1.0.4`,
  `${tessera}/experimental/mirror/posix@v1.0.4`,
]
const torchwood = join(import.meta.dirname, 'torchwood')
const digest = ['main.go', 'go.mod', 'go.sum']
  .reduce(
    (hash, file) => hash.update(readFileSync(join(torchwood, file))),
    createHash('sha256').update(installed.join()),
  )
  .digest('hex')
const folder = keptFolder('judges', digest)

/** Programs of others that witness, copy and verify logs. */
export const judge = {
  omniwitness: join(folder, 'omniwitness'),
  keys: join(folder, 'generate_keys'),
  fsck: join(folder, 'fsck'),
  mirror: join(folder, 'posix'),
  torchwood: join(folder, 'torchwood'),
}

/** Why they cannot judge here, or false. CI builds them once, so nothing is skipped there. */
export const lacksJudges = async (): Promise<string | false> => {
  if (!existsSync(folder) && mayInstall) await keep(folder, build)
  return existsSync(folder) ? false : `the judges in Go are not built: node ${import.meta.filename}`
}

const build = async (unfinished: string): Promise<void> => {
  const go = (given: readonly string[], env: Readonly<Record<string, string>>, cwd?: string) =>
    promisify(execFile)(goProgram, [...given], {
      cwd,
      env: { ...process.env, GOFLAGS: '-modcacherw -buildvcs=false', ...env },
    })
  for (const one of installed) await go(['install', one], { GOBIN: unfinished })
  // go.mod wants a newer Go than Debian has, which Go fetches itself.
  await go(['build', '-o', join(unfinished, 'torchwood'), '.'], { GOTOOLCHAIN: 'auto' }, torchwood)
}

export type Judgement = { readonly isAccepted: boolean; readonly says: string }

export const run = async (program: string, ...given: readonly string[]): Promise<Judgement> => {
  const read = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr
  return await promisify(execFile)(program, [...given]).then(
    (printed) => ({ isAccepted: true, says: read(printed) }),
    (error: unknown) => {
      if (error instanceof Error && 'stdout' in error && 'stderr' in error)
        return { isAccepted: false, says: read(error as unknown as Parameters<typeof read>[0]) }
      throw error
    },
  )
}

if (import.meta.main) await keep(folder, build)
