import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { onSessionEnded, resumeQueries } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'

const EndedDialog = lazy(async () => ({ default: (await import('./ended-dialog.tsx')).EndedDialog }))

/** Covers the screen when the server no longer knows the session. What was typed stays below it. */
export const SessionEnded = () => {
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => onSessionEnded(() => setEnded(true)), [])
  const goOn = useCallback(() => {
    setEnded(false)
    resumeQueries()
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }, [queries])
  return (
    hasEnded && (
      <Suspense>
        <EndedDialog onDone={goOn} />
      </Suspense>
    )
  )
}
