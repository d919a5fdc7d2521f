import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../texts/catalog.ts'
import { Button } from '../ui/button.tsx'

/** The page at the end of a sign-in in another window notifies the waiting ones through this channel. */
export const signedInChannel = 'millseal.signed-in'

/** Tells the other windows of this browser that somebody has signed in. */
export const announceSignIn = (): void => {
  const channel = new BroadcastChannel(signedInChannel)
  channel.postMessage('signed in')
  channel.close()
}

/** Signs in again in a second window, so that nothing typed in this one is lost. */
export const SignInAgain = ({
  again = false,
  onDone,
}: {
  /** Asks for the password even if the session is still open, because the server wants a recent sign-in. */
  readonly again?: boolean
  readonly onDone?: (() => void) | undefined
}) => {
  const t = useTexts('shell')
  const queries = useQueryClient()
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannel)
    channel.addEventListener('message', () => {
      void queries.invalidateQueries()
      onDone?.()
    })
    return () => channel.close()
  }, [queries, onDone])
  const open = () => {
    const query = new URLSearchParams({ return_to: '/console/signed-in', ...(again && { again: '1' }) })
    window.open(`/auth/login?${query.toString()}`, 'millseal-sign-in', 'popup,width=480,height=760')
  }
  return (
    <Button kind="primary" onPress={open}>
      {t.signInAgain}
    </Button>
  )
}
