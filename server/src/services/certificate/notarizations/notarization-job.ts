import type { JobKind } from '../../../ports/jobs/jobs.ts'

/** With exponential backoff the last attempt is about a day after the first, which outlasts most outages of a ledger. */
export const notarizationJob: JobKind<{ certificateId: string }> = {
  name: 'certificate-notarization',
  retries: 14,
  backoffSeconds: 2,
  expireSeconds: 300,
}
