import { useTexts } from '../texts/catalog.ts'
import { Button } from '../ui/button.tsx'
import { useChangeHere, useHere } from './here.ts'

/** Unmistakable in test mode, absent in live mode, where only the company menu leads back. */
export const ModeBand = () => {
  const t = useTexts('shell')
  const { mode, isLiveReady } = useHere()
  const change = useChangeHere()
  if (mode === 'live') return null
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
