import type { JobKind } from '../../../ports/jobs/jobs.ts'

/** With exponential backoff the last try is about a day after the first: an outage of the ledger is waited out. */
export const notarizationJob: JobKind<{ certificateId: string }> = {
  name: 'certificate-notarization',
  retries: 14,
  backoffSeconds: 2,
  expireSeconds: 300,
}
