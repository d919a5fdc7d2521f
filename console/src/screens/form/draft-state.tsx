import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { type Draft, saveDraft } from './drafts.ts'
import type { Stores } from './form-context.ts'

const quietMs = 300

/** Saves the draft in this browser, soon after each change and when the page is left, and says when. */
export const DraftState = ({
  id,
  stores,
  current,
}: {
  readonly id: string
  readonly stores: Stores
  readonly current: () => Draft
}) => {
  const t = useTexts('form')
  const format = useFormats()
  const [kept, setKept] = useState<{ readonly at: string; readonly isKept: boolean }>()
  const latest = useRef(current)
  latest.current = current
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = (): void => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      const draft = latest.current()
      setKept({ at: draft.savedAt, isKept: saveDraft(draft) })
    }
    const soon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(save, quietMs)
    }
    const stops = [stores.store.subscribe('', soon), stores.added.subscribe('', soon)]
    addEventListener('pagehide', save)
    return () => {
      save()
      for (const stop of stops) stop()
      removeEventListener('pagehide', save)
    }
  }, [id, stores])
  if (kept === undefined) return null
  return kept.isKept ? (
    <span className="muted">{t.kept(format.shortTime(kept.at))}</span>
  ) : (
    <span className="problem">{t.notKept}</span>
  )
}
