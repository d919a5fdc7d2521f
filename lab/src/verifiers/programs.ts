import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { lacksPackage } from '../../../server/test/debian-package.ts'
import { lacksTlogVerifier, runGo } from '../../../server/test/tlog-verifier.ts'

export const sources = join(import.meta.dirname, '../../../verifiers')
const python = '/usr/bin/python3'

export type Ended = { readonly code: number | null; readonly output: string; readonly errors: string }

/** A verifier of proof bundles in another language. */
export type Verifier = {
  start(arguments_: readonly string[]): ChildProcess
  run(arguments_: readonly string[]): Promise<Ended>
}

export type Language = 'Go' | 'Python'
export const languages: readonly Language[] = ['Go', 'Python']

/** Why a verifier cannot run here, or false. */
export const missing: Readonly<Record<Language, string | false>> = {
  Go: await lacksTlogVerifier(),
  Python: await lacksPackage({
    name: 'python3-cryptography',
    file: '/usr/lib/python3/dist-packages/cryptography/__init__.py',
  }),
}

/** Builds the verifier, or finds it, and starts it in the folder. */
export const verifierIn = async (language: Language, folder: string, from = sources): Promise<Verifier> => {
  const env = { ...process.env, PYTHONPATH: join(from, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
  if (language === 'Python') return runnable(folder, [python, '-m', 'millseal_verifier'], env)
  const program = join(folder, 'millseal-verifier')
  await runGo(join(from, 'go'), 'build', '-o', program, '.')
  return runnable(folder, [program], env)
}

const runnable = (
  cwd: string,
  [program = '', ...first]: readonly string[],
  env: NodeJS.ProcessEnv,
): Verifier => {
  const start: Verifier['start'] = (given) =>
    spawn(program, [...first, ...given], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    start,
    async run(given) {
      const child = start(given)
      const [output, errors] = await Promise.all([
        child.stdout === null ? '' : text(child.stdout),
        child.stderr === null ? '' : text(child.stderr),
        child.exitCode ?? once(child, 'close'),
      ])
      return { code: child.exitCode, output, errors }
    },
  }
}
