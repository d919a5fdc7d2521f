import type { LogsApart } from './continuation.ts'

/** Both checkpoints as the log signed them. */
export const evidenceText = ({ message, known, served }: LogsApart): string =>
  [
    `THE LOG DOES NOT CONTINUE: ${message}.`,
    ...(known === undefined ? [] : ['', 'The checkpoint that is known:', '', known.trimEnd()]),
    '',
    'The checkpoint that the log serves now:',
    '',
    served.trimEnd(),
    '',
    'Keep them. If the key of the log signed both, they prove to anyone that the log was rewritten.',
    '',
  ].join('\n')

export const evidenceResult = ({ message, known, served }: LogsApart) => ({ reason: message, known, served })
