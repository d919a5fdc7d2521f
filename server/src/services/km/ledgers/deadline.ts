import { deadlineSignal } from '../../../lib/deadline.ts'

const deadlineMs = 15_000

/** Long enough for a block of a remote network. After a timeout the same transaction may be submitted again. */
export const submissionSignal = (signal: AbortSignal): AbortSignal => deadlineSignal(deadlineMs, signal)
