const deadlineMs = 15_000

/** Long enough for a block of a remote network. After a timeout the same transaction may be submitted again. */
export const submissionSignal = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
