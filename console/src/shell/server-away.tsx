import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isServerAway, subscribeToReachability } from '../api/reachable.ts'
import { useTexts } from '../texts/catalog.ts'

/** Says that the server does not answer, and loads the data again when it does. */
export const ServerAway = () => {
  const t = useTexts('shell')
  const queries = useQueryClient()
  const isAway = useSyncExternalStore(subscribeToReachability, isServerAway)
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) void queries.invalidateQueries()
    wasAway.current = isAway
  }, [isAway, queries])
  const back = wasAway.current ? t.serverBack : ''
  return (
    <div role="status" className={isAway ? 'notice warn' : 'hidden-visually'}>
      {isAway ? t.serverAway : back}
    </div>
  )
}
