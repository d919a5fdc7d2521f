import type { JobKind } from '../../../ports/jobs/jobs.ts'

/** Certificates that were notarized or corrected: what receivers have of them is answered again. */
export const receivedChanged: JobKind<{ readonly certificateIds: readonly string[] }> = {
  name: 'inbox-certificates',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 600,
}

/** The requirements or order lines of a company, or what was accepted of an order: what is open there is checked again. */
export const requirementsChanged: JobKind<{ readonly companyId: string; readonly orderKey?: string }> = {
  name: 'inbox-requirements',
  retries: 5,
  backoffSeconds: 10,
  expireSeconds: 3_000,
}
