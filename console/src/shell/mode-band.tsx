import { useRouterState } from '@tanstack/react-router'
import { useTexts } from '../texts/catalog.ts'
import { Button } from '../ui/button.tsx'
import { useChangeHere, useHere } from './here.ts'

/** Makes test mode unmistakable. The screens of operators of the service have no mode. */
export const ModeBand = () => {
  const t = useTexts('shell')
  const { mode, membership, isLiveReady } = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const change = useChangeHere()
  const hasMode = membership !== undefined && !path.startsWith('/operator')
  if (mode === 'live' || !hasMode) return null
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
