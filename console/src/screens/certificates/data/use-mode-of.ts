import type { Certificate } from '@millseal/contract'
import { useEffect, useEffectEvent } from 'react'
import { useChangeHere, useHere } from '../../../shell/here.ts'

/** A link without a mode must not show a live certificate below the band of test mode, or the reverse. */
export const useModeOf = ({ mode }: Certificate): void => {
  const here = useHere()
  const change = useChangeHere()
  const isOther = here.mode !== mode
  const follow = useEffectEvent(() => change({ mode }))
  useEffect(() => {
    if (isOther) follow()
  }, [isOther])
}
