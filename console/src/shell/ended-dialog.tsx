import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTexts } from '../texts/catalog.ts'
import { SignInAgain } from './sign-in-again.tsx'

export const EndedDialog = ({ onDone }: { readonly onDone: () => void }) => {
  const t = useTexts('shell')
  return (
    <ModalOverlay className="overlay" isOpen isKeyboardDismissDisabled>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{t.sessionEnded}</Heading>
          <p>{t.sessionEndedText}</p>
          <div className="row">
            <span className="end" />
            <SignInAgain onDone={onDone} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
