import { useTexts } from '../texts/catalog.ts'
import { Modal } from '../ui/modal.tsx'
import { SignInAgain } from './sign-in-again.tsx'

export const EndedDialog = ({ onDone }: { readonly onDone: () => void }) => {
  const t = useTexts('shell')
  return (
    <Modal title={t.sessionEnded} role="alertdialog">
      <p>{t.sessionEndedText}</p>
      <div className="row">
        <span className="end" />
        <SignInAgain onDone={onDone} />
      </div>
    </Modal>
  )
}
