import type { Certificate } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api, ApiError } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { patiently } from '../data/patiently.ts'
import type { Job } from './use-job.ts'

/** Releases the selected certificates that wait, one after the other. */
export const ReleaseChosen = ({
  waiting,
  job,
  onRefused,
}: {
  readonly waiting: readonly Certificate[]
  readonly job: Job
  /** With the number of those that this person may not release, such as their own. */
  readonly onRefused: (count: number) => void
}) => {
  const t = useTexts('certificates').release
  const { company, may } = useHere()
  const queries = useQueryClient()
  if (!may('releaseCertificate')) return null
  const release = () =>
    job.start(async ({ signal, say }) => {
      let refused = 0
      onRefused(refused)
      for (const [at, { id }] of waiting.entries()) {
        say(t.releasing(at + 1, waiting.length))
        try {
          await patiently(() => api.releaseCertificate({ company, params: { id }, signal }), signal)
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'release_own') throw error
          refused += 1
        }
      }
      onRefused(refused)
      await queries.invalidateQueries()
    })
  return (
    <Confirm
      trigger={<Button>{t.releaseMany(waiting.length)}</Button>}
      title={t.releaseMany(waiting.length)}
      consequence={t.releaseManyConsequence}
      action={t.release}
      kind="primary"
      onConfirm={async () => release()}
    />
  )
}
