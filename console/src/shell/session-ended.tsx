import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { onSessionEnded } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { useTexts } from '../texts/catalog.ts'
import { SignInAgain } from './sign-in-again.tsx'

/** Covers the screen when the server no longer knows the session. What was typed stays below it. */
export const SessionEnded = () => {
  const t = useTexts('shell')
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => onSessionEnded(() => setEnded(true)), [])
  const goOn = useCallback(() => {
    setEnded(false)
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }, [queries])
  return (
    <ModalOverlay className="overlay" isOpen={hasEnded} isKeyboardDismissDisabled>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{t.sessionEnded}</Heading>
          <p>{t.sessionEndedText}</p>
          <div className="row">
            <span className="end" />
            <SignInAgain onDone={goOn} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
