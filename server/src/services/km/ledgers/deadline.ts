const deadlineMs = 15_000

/** Long enough for a block of a remote network; whoever stops waiting may submit the same transaction again. */
export const submissionSignal = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
