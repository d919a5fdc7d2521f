import { Actions } from '../ui/actions.tsx'
import { useTexts } from '../texts/catalog.ts'
import { Modal } from '../ui/modal.tsx'
import { SignInAgain } from './sign-in-again.tsx'

export const EndedDialog = ({ onDone }: { readonly onDone: () => void }) => {
  const t = useTexts('shell')
  return (
    <Modal title={t.sessionEnded} role="alertdialog">
      <p>{t.sessionEndedText}</p>
      <Actions>
        <SignInAgain onDone={onDone} />
      </Actions>
    </Modal>
  )
}
