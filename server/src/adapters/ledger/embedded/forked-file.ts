import { formatCosignerKey, formatNoteKey, type NoteKey } from '@millseal/proof'
import type { Logger } from 'pino'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import type { Files } from '../../../ports/files/files.ts'
import { writeText } from './frozen-logs.ts'
import { LogForked } from './ledger-damaged.ts'

/** Which cosigner has seen another log with this key, and what operators were told. No backup contains it. */
const fileName = 'forked'

/** A process that starts while the cosigner is away then knows it too. That it could not be stored matters less than the fork. */
export const rememberFork = (
  files: Files,
  {
    key,
    error: { cosigner, message },
    log,
  }: { readonly key: NoteKey; readonly error: LogForked; readonly log: Logger },
): Promise<void> =>
  writeText(files, fileName, `${formatNoteKey(key)}\n${formatCosignerKey(cosigner)}\n${message}\n`).catch(
    (failure: unknown) => log.warn({ err: failure }, 'what a cosigner said of the log was not stored'),
  )

/** Throws `LogForked` until that cosigner accepts this log, or is none of its cosigners any more. */
export const assertNoFork = async (
  files: Files,
  {
    key,
    cosigners,
    answered,
  }: {
    readonly key: NoteKey
    readonly cosigners: readonly Cosigner[]
    /** Those that accept this log. */
    readonly answered: ReadonlySet<Cosigner>
  },
): Promise<void> => {
  const found = await files.read(fileName)
  if (found === undefined) return
  const [ofLog, ofCosigner, why = ''] = found.toString('utf8').split('\n')
  const cosigner = cosigners.find((one) => formatCosignerKey(one.key) === ofCosigner)
  if (ofLog === formatNoteKey(key) && cosigner !== undefined && !answered.has(cosigner))
    throw new LogForked(why, cosigner.key)
  await files.remove([fileName])
}
