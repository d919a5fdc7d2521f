import { useRouterState } from '@tanstack/react-router'
import { useTexts } from '../texts/catalog.ts'
import { Button } from '../ui/button.tsx'
import { hasMode, useChangeHere, useHere } from './here.ts'

/** Makes test mode unmistakable. */
export const ModeBand = () => {
  const t = useTexts('shell')
  const { mode, membership, isLiveReady } = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const change = useChangeHere()
  if (mode === 'live' || !hasMode(path, membership)) return null
  return (
    <div className="band">
      <span>{t.testBand}</span>
      {isLiveReady && (
        <Button kind="quiet" onPress={() => change({ mode: 'live' })}>
          {t.switchToLive}
        </Button>
      )}
    </div>
  )
}
