// Verifies the signatures of the installed packages: script/signatures.
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Judgement = {
  readonly verdict: 'verified' | 'refused' | 'skipped'
  /** What npm says, or why nothing was verified. */
  readonly reason: string
}

/** What an answer of `npm audit signatures` means. Many registries have no signatures, and its keys are on another host. */
export const judgeSignatures = ({
  code,
  output,
}: {
  readonly code: number
  readonly output: string
}): Judgement => {
  const lines = output.split('\n').map((line) => line.trim())
  if (/(?:invalid|missing) registry signature|invalid attestation|tampered/i.test(output))
    return { verdict: 'refused', reason: output.trim() }
  const verified = lines.find((line) => /verified registry signature/.test(line))
  if (code === 0 && verified !== undefined) return { verdict: 'verified', reason: verified }
  const errors = lines.filter((line) => line.startsWith('npm error') && !/complete log/.test(line))
  const cause = errors.find((line) => /reason|No dependencies|not supported|no keys/i.test(line)) ?? errors[0]
  return { verdict: 'skipped', reason: cause?.replace(/^npm error\s*/, '') ?? 'npm found nothing to verify' }
}

export const auditSignatures = async (): Promise<Judgement> =>
  judgeSignatures(
    await new Promise((resolve) => {
      execFile(
        'npm',
        ['audit', 'signatures', '--fetch-retries=0'],
        { cwd: root, timeout: 240_000 },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
      )
    }),
  )

if (import.meta.main) {
  const { verdict, reason } = await auditSignatures()
  process.stdout.write(`${verdict}: ${reason}\n`)
  process.exitCode = verdict === 'refused' ? 1 : 0
}
