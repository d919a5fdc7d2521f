import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import type { Snapshot } from './files.ts'

const isSent = ({ identity, state }: Snapshot['entries'][number]): boolean =>
  identity !== undefined && ['queued', 'sent', 'waiting', 'recorded', 'failed'].includes(state)

/** Counts real results; nothing here only looks like progress. */
export const Progress = ({ entries }: { readonly entries: Snapshot['entries'] }) => {
  const t = useTexts('files')
  const { number } = useFormats()
  const sent = entries.filter(isSent)
  const unchecked = entries.filter(({ state }) => state === 'added').length
  const recorded = sent.filter(({ state }) => state === 'recorded' || state === 'waiting').length
  const ended = recorded + sent.filter(({ state }) => state === 'failed').length
  const isSending = sent.length > ended
  if (!isSending && unchecked === 0) return null
  const [done, all] = isSending ? [ended, sent.length] : [entries.length - unchecked, entries.length]
  const words = isSending
    ? t.progress(number(recorded), number(sent.length))
    : t.checkProgress(number(done), number(all))
  return (
    <div className="progress">
      <p>{words}</p>
      <progress value={done} max={all} aria-label={t.progressLabel} aria-valuetext={words} />
    </div>
  )
}
